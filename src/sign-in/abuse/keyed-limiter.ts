import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { DerivedKeys } from '../../keys/seal.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { GiveBack } from './take-all.ts';

/** What was counted: a row, in the window that ends at `expire`. With `waitMs` the limit is reached and nothing was counted. */
export type Counted = { row: string; expire: string; giveBack: GiveBack; waitMs?: undefined } | { waitMs: number };

/** A window also ends when all its counts were given back. */
const OVER = '(rate_limit.expire <= $2 or rate_limit.points <= 0)';

/** One conditional update: parallel calls can't exceed the limit, and a refused call counts nothing. Times in ms. */
const takeOne = prepared<{ taken: boolean; expire: string }>(`
  with taken as (
    insert into rate_limit (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
    on conflict (key) do update set
      points = case when ${OVER} then 1 else rate_limit.points + 1 end,
      expire = case when ${OVER} then excluded.expire else rate_limit.expire end
    where ${OVER} or rate_limit.points < $4
    returning expire
  )
  select true as taken, expire from taken
  union all
  select false, expire from rate_limit where key = $1 and not exists (select from taken)`);

/** Only within the window in which it was counted. */
const giveOneBack = prepared('update rate_limit set points = points - 1 where key = $1 and expire = $2');

/** Only of windows that have not ended. */
const readCounts = prepared<{ key: string; points: number }>(
  `select key, points from rate_limit where key = any($1) and expire > $2`,
);

type WithCountedKey = { pool: Pool; secrets: Pick<DerivedKeys, 'countedKey'> };

/**
 * Reads what `createKeyedLimiter` has counted, without counting.
 * @returns the counts of the keys, in their order
 */
export function createKeyedReader(
  { pool, secrets }: WithCountedKey,
  prefix: string,
  salt: string,
): (keys: readonly string[], at: Date) => Promise<number[]> {
  return async (keys, at) => {
    const rows = keys.map((key) => rowOf(secrets, prefix, salt, key));
    const counts = await readCounts(pool, [rows, at.getTime()]);
    const byRow = new Map(counts.map(({ key, points }) => [key, points]));
    return rows.map((row) => Math.max(0, byRow.get(row) ?? 0));
  };
}

function rowOf(secrets: WithCountedKey['secrets'], prefix: string, salt: string, key: string): string {
  return `${prefix}:${createHmac('sha256', secrets.countedKey).update(`${salt} ${key}`).digest('base64url')}`;
}

/**
 * Counts per key over all processes, in a window that begins with the first count. Keys (numbers, addresses, clients) are stored
 * as keyed hashes.
 * @param prefix of the row
 * @param salt in the hash
 */
export function createKeyedLimiter(
  { pool, secrets }: WithCountedKey,
  prefix: string,
  salt: string,
  { limit, seconds }: { limit: number; seconds: number },
): (key: string, at: Date) => Promise<Counted> {
  return async (key, at) => {
    const row = rowOf(secrets, prefix, salt, key);
    const length = seconds * 1000;
    const [counted] = await takeOne(pool, [row, at.getTime(), length, limit]);
    if (!counted?.taken) {
      // a concurrent call inserted the row: the window has just begun
      return { waitMs: counted ? Number(counted.expire) - at.getTime() : length };
    }
    return {
      row,
      expire: counted.expire,
      async giveBack() {
        await giveOneBack(pool, [row, counted.expire]);
      },
    };
  };
}
