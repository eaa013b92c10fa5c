import type { Pool } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';
import { followHead } from './chain-head.ts';

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
