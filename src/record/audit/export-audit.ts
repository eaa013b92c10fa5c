import { AuditEntry } from '../../entities/audit-entry.ts';
import type { WriteContext } from '../../platform/context.ts';
import { type AuditFilter, auditCondition } from './audit-condition.ts';
import { recordAudit } from './record-audit.ts';

const BATCH = 500;

/**
 * The filtered audit log, newest first, in batches to limit memory. The export itself is recorded before the first entry is
 * read, and not included.
 * @param format for the record
 */
export async function* exportAudit(
  context: WriteContext,
  filter: AuditFilter,
  format: 'csv' | 'json',
  actor: string,
): AsyncGenerator<AuditEntry[]> {
  const { em } = context;
  const condition = auditCondition(filter);
  const [newest] = await em.find(AuditEntry, {}, { orderBy: { id: 'desc' }, limit: 1, disableIdentityMap: true });
  recordAudit(context, { actor, action: 'audit.exported', subject: 'audit', details: { format, filter } });
  await em.flush();
  em.clear();
  let before = newest === undefined ? 0n : BigInt(newest.id) + 1n;
  while (before > 0n) {
    const entries: AuditEntry[] = await em.find(
      AuditEntry,
      { $and: [condition, { id: { $lt: before } }] },
      { orderBy: { id: 'desc' }, limit: BATCH, disableIdentityMap: true },
    );
    const last = entries.at(-1);
    if (!last) return;
    yield entries;
    before = BigInt(last.id);
  }
}
