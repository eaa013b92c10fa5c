import { createHmac, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { prepared } from './database/prepared.ts';
import { DomainError } from './errors.ts';

/** A limit per key over all processes, in a window that begins with the key's first count. */
export interface KeyedLimit {
  /** The same in every process. */
  name: string;
  limit: number;
  seconds: number;
  /** The message of a refusal, which the wait is appended to. */
  refusal: string;
}

/** A count: a row of `rate_limit`, in the window that ends at `expire`. */
export interface Counted {
  row: string;
  expire: string;
  giveBack(): Promise<void>;
}

export interface WithCounts {
  pool: Pool;
  /** Keys (numbers, addresses, clients) are stored as keyed hashes. */
  secrets: { countedKey: KeyObject };
}

/** A window also ends when all its counts were given back. */
const OVER = '(rate_limit.expire <= $3 or rate_limit.points <= 0)';

/**
 * Adds to counts, in the order of their keys, by one conditional update: parallel calls can't exceed a limit (`$5`, null for none), and
 * a refused call counts nothing. Times in ms.
 */
const add = prepared<{ key: string; points: number; expire: string; counted: boolean }>(`
  with counted as (
    insert into rate_limit (key, points, expire)
    select given.key, given.points, $3::bigint + $4::bigint
      from unnest($1::text[], $2::int[]) as given(key, points) order by given.key
    on conflict (key) do update set
      points = case when ${OVER} then excluded.points else rate_limit.points + excluded.points end,
      expire = case when ${OVER} then excluded.expire else rate_limit.expire end
    where ${OVER} or $5::int is null or rate_limit.points < $5
    returning key, points, expire
  )
  select key, points, expire, true as counted from counted
  union all
  select key, points, expire, false from rate_limit where key = any($1) and key not in (select key from counted)`);

/** Only within the window of the count. */
const giveOneBack = prepared('update rate_limit set points = points - 1 where key = $1 and expire = $2');

/** Only of windows that have not ended. */
const read = prepared<{ key: string; points: number }>(
  'select key, points from rate_limit where key = any($1) and expire > $2',
);

/** Counts one. @throws DomainError `rate_limited` */
export async function countOne(
  { pool, secrets }: WithCounts,
  { name, limit, seconds, refusal }: KeyedLimit,
  key: string,
  at: Date,
): Promise<Counted> {
  const row = rowOf(secrets, name, key);
  const [found] = await add(pool, [[row], [1], at.getTime(), seconds * 1000, limit]);
  if (found?.counted) {
    const { expire } = found;
    return { row, expire, giveBack: async () => void (await giveOneBack(pool, [row, expire])) };
  }
  // without a row a concurrent call has inserted it: the window has just begun
  const wait = found ? (Number(found.expire) - at.getTime()) / 1000 : seconds;
  const retryAfter = Math.max(1, Math.ceil(wait));
  throw new DomainError('rate_limited', `${refusal} Try again in ${formatWait(retryAfter)}.`, { retryAfter });
}

/** Reads the present counts, in the order of the keys. */
export async function readCounts(
  { pool, secrets }: WithCounts,
  { name }: Pick<KeyedLimit, 'name'>,
  keys: readonly string[],
  at: Date,
): Promise<number[]> {
  const rows = keys.map((key) => rowOf(secrets, name, key));
  const counts = await read(pool, [rows, at.getTime()]);
  const byRow = new Map(counts.map(({ key, points }) => [key, points]));
  return rows.map((row) => Math.max(0, byRow.get(row) ?? 0));
}

/** Adds counts made elsewhere, without a limit. @returns the counts by key */
export async function addCounts(
  { pool, secrets }: WithCounts,
  { name, seconds }: Pick<KeyedLimit, 'name' | 'seconds'>,
  counts: ReadonlyMap<string, number>,
  at: Date,
): Promise<Map<string, number>> {
  const keys = new Map([...counts.keys()].map((key) => [rowOf(secrets, name, key), key]));
  const rows = await add(pool, [[...keys.keys()], [...counts.values()], at.getTime(), seconds * 1000, null]);
  return new Map(rows.map(({ key, points }) => [keys.get(key) ?? '', points]));
}

function rowOf({ countedKey }: WithCounts['secrets'], name: string, key: string): string {
  return `${name}:${createHmac('sha256', countedKey).update(`${name} ${key}`).digest('base64url')}`;
}

/** `90 s`, `5 minutes`, `3 hours` */
export function formatWait(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
