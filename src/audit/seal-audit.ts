/**
 * The hash chain of the audit log, which reveals changed, removed and inserted entries. Entries are written without it, so
 * that requests do not queue for a lock; a job seals them in order a moment later, each with the next position and a hash
 * over itself and the previous hash.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { inBatches } from '../database/in-batches.ts';
import { inTransaction, prepared, preparedWithDates } from '../database/prepared.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

/** Key of the advisory lock. */
const SEAL_LOCK = 7_302_003;
const BATCH = 1_000;

type Sealable = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'subject' | 'details'> & {
  id: unknown;
  requestId?: string | null | undefined;
};
type Waiting = Sealable & { id: string };

const readWaiting = preparedWithDates<Waiting>(`
  select id, at, actor, action, subject, details, request_id as "requestId" from audit_entry
  where hash is null and id > $1 order by id limit ${BATCH}`);

const readHead = prepared<{ position: string; hash: string }>(
  // `position is not null` is where the index begins: it has the entries that wait before the newest sealed one
  'select position, hash from audit_entry where position is not null order by position desc limit 1',
);
const writeSeals = prepared(`
  update audit_entry e set position = s.position, previous_hash = s.previous_hash, hash = s.hash
  from jsonb_to_recordset($1::jsonb) as s(id bigint, position bigint, previous_hash text, hash text) where e.id = s.id`);

/**
 * Seals the entries that wait, in batches.
 * @param limit ends the run at the end of a batch
 * @returns their number; 0 also while another process seals
 */
export async function sealAudit({ pool }: Pick<Context, 'pool'>, limit?: AbortSignal): Promise<number> {
  let sealed = 0;
  // an index has the entries that were sealed a moment ago still among those that wait: they are not passed by again
  let last = '0';
  const sealBatch = () =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1) as held', [
        SEAL_LOCK,
      ]);
      if (!rows[0]?.held) return 0;
      const waiting = await readWaiting(client, [last]);
      if (waiting.length > 0) await writeSeals(client, [JSON.stringify(seals(waiting, await readHead(client, [])))]);
      last = waiting.at(-1)?.id ?? last;
      sealed += waiting.length;
      return waiting.length;
    });
  await inBatches(BATCH, sealBatch, limit);
  return sealed;
}

function seals(waiting: readonly Waiting[], [head]: readonly ChainHead[]) {
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

/** The newest sealed entry. A copy outside the database reveals entries removed from the end. */
export interface ChainHead {
  position: string;
  hash: string;
}

export interface ChainReport {
  /** Sealed entries that were checked. */
  checked: number;
  /** Entries that wait to be sealed. */
  waiting: number;
  /** The last valid entry; null where there is none. */
  head: ChainHead | null;
  /** The first invalid entry. */
  broken?: { position: string; reason: string };
}

/** Recomputes every hash of the chain. @param anchor a kept head; needed to notice entries removed from the end */
export async function verifyAudit({ em }: Pick<Context, 'em'>, anchor?: ChainHead): Promise<ChainReport> {
  const reader = em.fork();
  let position = 0n;
  let previousHash: string | null = null;
  const report = async (reason?: string): Promise<ChainReport> => ({
    checked: Number(position),
    waiting: await reader.count(AuditEntry, { hash: null }),
    head: previousHash === null ? null : { position: String(position), hash: previousHash },
    ...(reason !== undefined && { broken: { position: String(position + 1n), reason } }),
  });
  for (;;) {
    const entries: AuditEntry[] = await reader.find(
      AuditEntry,
      { position: { $gt: position } },
      { orderBy: { position: 'asc' }, limit: BATCH, disableIdentityMap: true },
    );
    for (const entry of entries) {
      const reason = fault(entry, position + 1n, previousHash) ?? anchorFault(entry, anchor);
      if (reason !== undefined) return report(reason);
      position += 1n;
      previousHash = entry.hash ?? null;
    }
    if (entries.length < BATCH) break;
  }
  return report(anchor && BigInt(anchor.position) > position ? 'an entry is missing' : undefined);
}

/** A rebuilt chain is consistent in itself, but not with a kept head. */
function anchorFault(entry: AuditEntry, anchor: ChainHead | undefined): string | undefined {
  const differs = anchor && String(entry.position) === anchor.position && entry.hash !== anchor.hash;
  return differs ? 'it is not the entry that was sealed here' : undefined;
}

function fault(entry: AuditEntry, position: bigint, previousHash: string | null): string | undefined {
  if (BigInt(entry.position ?? 0) !== position) return 'an entry is missing';
  if ((entry.previousHash ?? null) !== previousHash) return 'it does not follow the entry before it';
  if (entry.hash !== chainHash(position, previousHash, entry)) return 'its content was changed';
  return undefined;
}

function chainHash(position: bigint, previousHash: string | null, entry: Sealable): string {
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
