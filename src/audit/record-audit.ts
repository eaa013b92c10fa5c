import type { Context } from '../context.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

type AuditContext = Pick<Context, 'em' | 'now' | 'requestId' | 'staffToken'>;

/** What happened, and who did it. */
export interface AuditFact {
  /** `staff:…`, `client:…`, `fan:…` or `system`. */
  actor: string;
  /** `subject.verb` in the past tense, such as `grant.revoked`. */
  action: string;
  /** Identifier of what it was done to. */
  subject: string;
  details?: Record<string, unknown>;
}

/**
 * Adds an audit entry to the unit of work: it is written with the change that it tells of, or not at all. Where staff call
 * by an access token, the details name it.
 */
export function recordAudit(context: AuditContext, fact: AuditFact): void {
  const { em, now, requestId } = context;
  em.create(AuditEntry, { ...fact, details: detailsOf(context, fact), at: now(), requestId });
}

/**
 * As `recordAudit` for many subjects, by one statement, at once: call it within the transaction of the change.
 * @param subjects identifiers
 */
export async function recordAuditOfEach(
  context: AuditContext,
  fact: Omit<AuditFact, 'subject'>,
  subjects: readonly string[],
): Promise<void> {
  const { em, now, requestId } = context;
  await em.execute(
    `insert into audit_entry (at, actor, action, subject, details, request_id)
     select ?, ?, ?, subject, ?::jsonb, ? from jsonb_array_elements_text(?::jsonb) as subject`,
    [now(), fact.actor, fact.action, JSON.stringify(detailsOf(context, fact)), requestId, JSON.stringify(subjects)],
  );
}

function detailsOf({ staffToken }: AuditContext, { details }: Pick<AuditFact, 'details'>): Record<string, unknown> {
  return { ...details, ...(staffToken !== undefined && { staffToken }) };
}
