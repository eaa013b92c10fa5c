import { AuditEntry } from '../../src/entities/audit-entry.ts';
import type { Context } from '../../src/platform/context.ts';

/** An audit entry of any action: what reads the log must cope with actions of earlier and later versions. */
export function writeAuditEntry(
  { em, now, requestId }: Pick<Context, 'em' | 'now' | 'requestId'>,
  entry: Pick<AuditEntry, 'actor' | 'action' | 'subject'> & { details?: Record<string, unknown> },
): void {
  em.create(AuditEntry, { details: {}, ...entry, at: now(), requestId });
}
