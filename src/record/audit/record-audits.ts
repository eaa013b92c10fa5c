import type { PoolClient } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';
import { type ActionWithDetails, insertAudit } from './record-audit.ts';

/** Who did what the entries tell, and when. */
export interface AuditOrigin {
  actor: string;
  requestId: string | null;
  /** The access token of the call, if any; each entry names it. */
  staffToken?: string | undefined;
  /** Why, as a person typed it; each entry has it. */
  reason?: string | undefined;
  now: Date;
}

const insertEntries = prepared(
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

/** Writes many entries, of different actions and about different subjects, by one statement. @param client of the change's transaction */
export async function recordAudits(
  client: PoolClient,
  entries: readonly (ActionWithDetails & { subject: string })[],
  { actor, requestId, staffToken, reason, now }: AuditOrigin,
): Promise<void> {
  if (entries.length === 0) return;
  const common = { ...(reason !== undefined && { reason }), ...(staffToken !== undefined && { staffToken }) };
  const written = entries.map(({ action, subject, details = {} }) => ({
    action,
    subject,
    details: { ...details, ...common },
  }));
  await insertEntries(client, [JSON.stringify(written), now, actor, requestId]);
}
