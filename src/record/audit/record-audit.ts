import { AuditEntry } from '../../entities/audit-entry.ts';
import type { Context } from '../../platform/context.ts';
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

export type AuditFactOfEach = ActionWithDetails & Pick<AuditFact, 'actor'>;

/** Adds an entry to the unit of work, so that it is written with its change or not at all. Names a staff access token. */
export function recordAudit(context: AuditContext, fact: AuditFact): void {
  const { em, now, requestId } = context;
  const { actor, action, subject } = fact;
  em.create(AuditEntry, { actor, action, subject, details: detailsOf(context, fact), at: now(), requestId });
}

/** As `recordAudit` for many subjects, by one statement in the transaction of the change. */
export async function recordAuditOfEach(
  context: AuditContext,
  fact: AuditFactOfEach,
  subjects: readonly string[],
): Promise<void> {
  const { em, now, requestId } = context;
  await em.execute(
    insertAudit({
      at: '?',
      actor: '?',
      action: '?',
      subject: 'subject',
      details: '?::jsonb',
      requestId: '?',
      from: 'jsonb_array_elements_text(?::jsonb) as subject',
    }),
    [now(), fact.actor, fact.action, JSON.stringify(detailsOf(context, fact)), requestId, JSON.stringify(subjects)],
  );
}

/** Where each column of an audit entry comes from, in SQL. */
export interface AuditSource {
  at: string;
  actor: string;
  action: string;
  subject: string;
  details: string;
  requestId: string;
  /** The relation, one entry per row. */
  from: string;
}

/** SQL that adds audit entries within a larger statement. */
export function insertAudit({ at, actor, action, subject, details, requestId, from }: AuditSource): string {
  return `insert into audit_entry (at, actor, action, subject, details, request_id)
    select ${at}, ${actor}, ${action}, ${subject}, ${details}, ${requestId} from ${from}`;
}

/** An action as a SQL literal. */
export function sqlAction(action: AuditAction): string {
  return `'${action}'`;
}

function detailsOf({ staffToken }: AuditContext, { details }: { details?: object }): Record<string, unknown> {
  return { ...details, ...(staffToken !== undefined && { staffToken }) };
}
