/**
 * The hash chain of the audit log, which reveals changed, removed and inserted entries. Entries are written without it, so
 * that requests do not queue for a lock; a job seals them in order a moment later, each with the next position and a hash
 * over itself and the previous hash.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { AuditEntry } from '../entities/audit-entry.ts';

/** Key of the advisory lock. */
const SEAL_LOCK = 7_302_003;
const BATCH = 500;

type Sealable = Pick<AuditEntry, 'id' | 'at' | 'actor' | 'action' | 'subject' | 'details' | 'requestId'>;

/** Seals up to 500 waiting entries. @returns their number; 0 also while another process seals */
export async function sealAudit({ em }: Pick<Context, 'em'>): Promise<number> {
  return em.fork().transactional(async (locked) => {
    const [lock] = await locked.execute<{ held: boolean }[]>('select pg_try_advisory_xact_lock(?) as held', [
      SEAL_LOCK,
    ]);
    if (!lock?.held) return 0;
    const waiting = await locked.find(
      AuditEntry,
      { hash: null },
      { orderBy: { id: 'asc' }, limit: BATCH, disableIdentityMap: true },
    );
    if (waiting.length === 0) return 0;
    const last = await locked.findOne(AuditEntry, { hash: { $ne: null } }, { orderBy: { position: 'desc' } });
    let position = BigInt(last?.position ?? 0);
    let previousHash = last?.hash ?? null;
    const seals = waiting.map((entry) => {
      position += 1n;
      const hash = chainHash(position, previousHash, entry);
      const seal = { id: String(entry.id), position: String(position), previous_hash: previousHash, hash };
      previousHash = hash;
      return seal;
    });
    await locked.execute(
      `update audit_entry e set position = s.position, previous_hash = s.previous_hash, hash = s.hash
       from jsonb_to_recordset(?::jsonb) as s(id bigint, position bigint, previous_hash text, hash text) where e.id = s.id`,
      [JSON.stringify(seals)],
    );
    return waiting.length;
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
