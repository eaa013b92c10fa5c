import type { Context } from '../context.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

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

/** Adds an audit entry to the unit of work: it is written with the change that it tells of, or not at all. */
export function recordAudit({ em, now, requestId }: Pick<Context, 'em' | 'now' | 'requestId'>, fact: AuditFact): void {
  em.create(AuditEntry, { ...fact, details: fact.details ?? {}, at: now(), requestId });
}
