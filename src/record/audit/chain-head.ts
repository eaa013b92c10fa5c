/**
 * The newest sealed entry, which each process keeps in memory: a person who can delete entries in the database can't delete this copy.
 *
 * @module
 */
import type { Pool, PoolClient } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';

/** The newest sealed entry. A copy outside the database reveals entries removed from the end. */
export interface ChainHead {
  position: string;
  hash: string;
}

const known = new WeakMap<Pool, ChainHead>();

const readHead = prepared<ChainHead & { kept: string | null; [column: string]: unknown }>(
  // `position is not null` selects the partial index, without the entries that wait
  `select position, hash, (select hash from audit_entry where position = $1) as kept
   from audit_entry where position is not null order by position desc limit 1`,
);

/** The head that this process read last. */
export function knownHead(pool: Pool): ChainHead | undefined {
  return known.get(pool);
}

/**
 * Reads the head.
 * @returns as `lost`, the head that this process read before, where the entry is gone or changed
 */
export async function followHead(
  pool: Pool,
  database: Pool | PoolClient = pool,
): Promise<{ head: ChainHead | undefined; lost: ChainHead | undefined }> {
  const former = known.get(pool);
  const [row] = await readHead(database, [former?.position ?? null]);
  const head = row && { position: row.position, hash: row.hash };
  const lost = former !== undefined && row?.kept !== former.hash ? former : undefined;
  if (head && !lost) known.set(pool, head);
  return { head, lost };
}

/** The head as the log and the console write it. */
export function nameOf({ position, hash }: ChainHead): string {
  return `${position}:${hash}`;
}

/** The audit entries that wait to be sealed. */
export interface Unsealed {
  /** Counted up to 10,000, so that a long queue costs no more to look at. */
  entries: number;
  /** 0 where none waits. */
  oldestSeconds: number;
  /** Entries that are sealed: the place of the newest one. */
  sealed: number;
}

const read = prepared<Omit<Unsealed, 'sealed'> & { [column: string]: unknown }>(`
  select (select count(*)::int from (select from audit_entry where hash is null limit 10000) waiting) as entries,
    coalesce((
      select greatest(0, extract(epoch from now() - at))::float8 from audit_entry where hash is null order by id limit 1
    ), 0) as "oldestSeconds"`);

/** Reads what waits to be sealed, from the index of those entries, and how much is sealed. */
export async function readUnsealed(pool: Pool): Promise<Unsealed> {
  const [[row], { head }] = await Promise.all([read(pool, []), followHead(pool)]);
  return { entries: 0, oldestSeconds: 0, ...row, sealed: Number(head?.position ?? 0) };
}
