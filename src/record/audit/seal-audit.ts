/**
 * The hash chain of the audit log, which reveals changed, removed and inserted entries. Entries are written without it, so
 * that requests do not queue for a lock; a job seals them in order a moment later, each with the next position and a hash
 * over itself and the previous hash.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { AuditEntry } from '../../entities/audit-entry.ts';
import type { Context } from '../../platform/context.ts';
import { LOCKS } from '../../platform/database/advisory-lock.ts';
import { inBatches } from '../../platform/database/in-batches.ts';
import { inTransaction, prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type ChainHead, followHead, nameOf } from './chain-head.ts';

const BATCH = 1_000;
const ALTERED = 'the audit log was altered: an entry that was sealed is gone or another one';

export type Sealable = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'subject' | 'details'> & {
  id: unknown;
  requestId?: string | null | undefined;
};
type Waiting = Sealable & { id: string };

const readWaiting = preparedWithDates<Waiting>(`
  select id, at, actor, action, subject, details, request_id as "requestId" from audit_entry
  where hash is null and id > $1 order by id limit ${BATCH}`);

const writeSeals = prepared(`
  update audit_entry e set position = s.position, previous_hash = s.previous_hash, hash = s.hash
  from jsonb_to_recordset($1::jsonb) as s(id bigint, position bigint, previous_hash text, hash text) where e.id = s.id`);

/**
 * Seals the entries that wait, in batches. The new head is logged: the database's owner can't change the log.
 * @param limit ends the run at the end of a batch
 * @returns their number; 0 also while another process seals
 */
export async function sealAudit({ pool, log }: Pick<Context, 'pool' | 'log'>, limit?: AbortSignal): Promise<number> {
  let sealed = 0;
  let newest: ChainHead | undefined;
  // the index of waiting entries still has those that were just sealed: the next batch begins after them
  let last = '0';
  const sealBatch = () =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
        LOCKS.auditSeals,
      ]);
      if (!rows[0]?.held) return 0;
      const waiting = await readWaiting(client, [last]);
      if (waiting.length > 0) {
        const { head, lost } = await followHead(pool, client);
        if (lost) log.error({ head: nameOf(lost) }, ALTERED);
        const written = seals(waiting, head);
        await writeSeals(client, [JSON.stringify(written)]);
        newest = written.at(-1);
      }
      last = waiting.at(-1)?.id ?? last;
      sealed += waiting.length;
      return waiting.length;
    });
  await inBatches(BATCH, sealBatch, limit);
  if (newest) {
    await followHead(pool);
    log.info({ head: nameOf(newest) }, 'audit log sealed');
  }
  return sealed;
}

function seals(waiting: readonly Waiting[], head: ChainHead | undefined) {
  let position = BigInt(head?.position ?? 0);
  let previousHash = head?.hash ?? null;
  return waiting.map((entry) => {
    position += 1n;
    const hash = chainHash(position, previousHash, entry);
    const seal = { id: entry.id, position: String(position), previous_hash: previousHash, hash };
    previousHash = hash;
    return seal;
  });
}

/** The hash of an entry at its place. */
export function chainHash(position: bigint, previousHash: string | null, entry: Sealable): string {
  const content = [
    String(position),
    previousHash,
    String(entry.id),
    entry.at.toISOString(),
    entry.actor,
    entry.action,
    entry.subject,
    sorted(entry.details),
    entry.requestId ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

/** Fixes the order of keys, which `jsonb` does not keep. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
