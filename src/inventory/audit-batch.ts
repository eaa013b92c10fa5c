import type { PoolClient } from 'pg';
import type { AuditDetails } from '../audit/audit-actions.ts';
import { insertAudit } from '../audit/record-audit.ts';
import { prepared } from '../database/prepared.ts';
import type { Plan } from './plan.ts';
import { ROW_OUTCOMES, type RowResult } from './row-result.ts';

/** Who brings rows. */
export interface RowSource {
  /** As audit entries name it: `staff:…`. */
  actor: string;
  requestId: string | null;
  /** The access token of the call, if any; audit entries name it. */
  staffToken?: string | undefined;
  /** The import that the batch belongs to; the audit entry of the batch is about it. */
  run?: string | undefined;
}

/** The subject of a batch that belongs to no import. */
const SUBJECT = 'inventory';

const audit = prepared(
  insertAudit({
    at: '$2',
    actor: '$3::text',
    action: 'action',
    subject: 'subject',
    details: 'details',
    requestId: '$4::text',
    from: 'jsonb_to_recordset($1::jsonb) as s(action text, subject text, details jsonb)',
  }),
);

/** Writes one entry for each effect of a batch and one for the batch, within its transaction. */
export async function auditBatch(
  client: PoolClient,
  { effects, now }: Plan,
  results: readonly RowResult[],
  { actor, requestId, staffToken, run }: RowSource,
): Promise<void> {
  const counts = Object.fromEntries(
    ROW_OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<(typeof ROW_OUTCOMES)[number], number>;
  const batch: AuditDetails['inventory.applied'] = { ...counts, ...(run !== undefined && { run }) };
  const token = staffToken === undefined ? {} : { staffToken };
  const entries = [
    ...effects.map(({ action, subject, details = {} }) => ({ action, subject, details: { ...details, ...token } })),
    { action: 'inventory.applied', subject: run ?? SUBJECT, details: { ...batch, ...token } },
  ];
  await audit(client, [JSON.stringify(entries), now, actor, requestId]);
}
