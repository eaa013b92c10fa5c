import type { PoolClient } from 'pg';
import type { AuditDetails } from '../record/audit/audit-actions.ts';
import { recordAudits } from '../record/audit/record-audit.ts';
import type { Plan } from './plan.ts';
import { ROW_OUTCOMES, type RowResult } from './row-result.ts';

/** The origin of rows. */
export interface RowSource {
  /** As audit entries name it: `staff:…`. */
  actor: string;
  requestId: string | null;
  /** The access token of the call, if any; audit entries name it. */
  staffToken?: string | undefined;
  /** The import that the batch belongs to; it is the subject of the batch's audit entry. */
  run?: string | undefined;
  /** Why, as a person typed it; every audit entry of the batch has it. */
  reason?: string | undefined;
  /** Checks the effects of a batch on fans, in its transaction and before it is written. Throws to refuse it. */
  check?: ((client: PoolClient, plan: Plan) => Promise<void>) | undefined;
  /** See `Plan`. */
  keepsHolders?: boolean;
}

/** The subject of a batch that belongs to no import. */
const SUBJECT = 'inventory';

/** Of a batch, by the ID of the request that the rows arrived with. */
export type ResultsOfRequests = ReadonlyMap<string | null, readonly RowResult[]>;

/** Writes one entry for each effect of a batch and one for each of its requests, within its transaction. */
export async function auditBatch(
  client: PoolClient,
  { effects, now }: Plan,
  results: ResultsOfRequests,
  source: RowSource,
): Promise<void> {
  const { run } = source;
  const batches = [...results].map(([request_id, ofRequest]) => {
    const details: AuditDetails['inventory.applied'] = { ...countsOf(ofRequest), ...(run !== undefined && { run }) };
    return { action: 'inventory.applied', subject: run ?? SUBJECT, details, request_id } as const;
  });
  await recordAudits(client, [...effects, ...batches], { ...source, now });
}

function countsOf(results: readonly RowResult[]) {
  return Object.fromEntries(
    ROW_OUTCOMES.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<(typeof ROW_OUTCOMES)[number], number>;
}
