import type { PoolClient } from 'pg';
import { AuditEntry } from '../../entities/audit-entry.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { AuditAction, AuditDetails, BareAction } from './audit-actions.ts';

type AuditContext = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/** An action with its details. */
export type ActionWithDetails = {
  [A in AuditAction]:
    | { action: A; details: AuditDetails[A] }
    | (A extends BareAction ? { action: A; details?: never } : never);
}[AuditAction];

export type AuditFact = ActionWithDetails & {
  /** `staff:…`, `service:…`, `client:…`, `fan:…` or `system`. */
  actor: string;
  /** ID of the target. */
  subject: string;
};

/** A fact about several subjects. */
export type AuditFactOfEach = ActionWithDetails & Pick<AuditFact, 'actor'>;

/** Adds an entry to the unit of work, so that it is written with its change or not at all. Names a staff access token. */
export function recordAudit(context: AuditContext, fact: AuditFact): void {
  const { em, now, requestId } = context;
  const { actor, action, subject } = fact;
  em.create(AuditEntry, { actor, action, subject, details: detailsOf(context, fact), at: now(), requestId });
}

/** `recordAudit` for several subjects at one moment: a fan's history shows these as one entry. */
export function recordAuditOfEach(context: AuditContext, fact: AuditFactOfEach, subjects: readonly string[]): void {
  const at = context.now();
  for (const subject of subjects) recordAudit({ ...context, now: () => at }, { ...fact, subject });
}

/** SQL that adds audit entries within a larger statement; a `select` of these columns follows. */
export const INSERT_AUDIT = 'insert into audit_entry (at, actor, action, subject, details, request_id)';

/** An action as a SQL literal. */
export function sqlAction(action: AuditAction): string {
  return `'${action}'`;
}

function detailsOf({ staffToken }: AuditContext, { details }: { details?: object }): Record<string, unknown> {
  return { ...details, ...(staffToken !== undefined && { staffToken }) };
}

/** Who made the change, and when. */
export interface AuditOrigin {
  actor: string;
  requestId: string | null;
  /** The access token of the call, if any; each entry names it. */
  staffToken?: string | undefined;
  /** Why, as a person typed it; each entry has it. */
  reason?: string | undefined;
  now: Date;
}

const insertEntries = prepared(`
  ${INSERT_AUDIT}
  select $2, $3::text, action, subject, details, coalesce(request_id, $4::text)
  from jsonb_to_recordset($1::jsonb) as s(action text, subject text, details jsonb, request_id text)`);

/** An entry of many. */
export type AuditLine = ActionWithDetails & {
  subject: string;
  /** The request, where it is another one than the origin's. */
  request_id?: string | null;
};

/** Writes many entries, of different actions and about different subjects, by one statement. @param client of the change's transaction */
export async function recordAudits(
  client: PoolClient,
  entries: readonly AuditLine[],
  { actor, requestId, staffToken, reason, now }: AuditOrigin,
): Promise<void> {
  if (entries.length === 0) return;
  const common = { ...(reason !== undefined && { reason }), ...(staffToken !== undefined && { staffToken }) };
  const written = entries.map(({ details = {}, ...entry }) => ({ ...entry, details: { ...details, ...common } }));
  await insertEntries(client, [JSON.stringify(written), now, actor, requestId]);
}
