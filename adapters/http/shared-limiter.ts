import { createHmac } from 'node:crypto';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { prepared } from '../../src/platform/database/prepared.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { Limiter } from './rate-limit.ts';

const EXCHANGE_MS = 1_000;
/** Below this part of its limit a key is counted here only: ordinary callers cost no SQL. */
const SHARED_FROM = 1 / 20;

const OVER = 'rate_limit.expire <= $3';

/** Adds calls to the counts of all processes, in the order of their keys. Times in ms. */
const addCalls = prepared<{ key: string; points: number }>(`
  insert into rate_limit (key, points, expire)
  select given.key, given.calls, $3::bigint + $4::bigint
    from unnest($1::text[], $2::int[]) as given(key, calls) order by given.key
  on conflict (key) do update set
    points = case when ${OVER} then excluded.points else rate_limit.points + excluded.points end,
    expire = case when ${OVER} then excluded.expire else rate_limit.expire end
  returning key, points`);

type ShareContext = Pick<Runtime, 'pool' | 'secrets' | 'now' | 'log'>;

/**
 * A limit that all processes over one database keep together. Calls are counted in memory; once a second a process adds those of its
 * busy keys to the database in one statement, and learns what the others counted. A caller who spreads its calls gets about a second's
 * worth more than the limit.
 * @param name of the limit, the same in every process
 */
export function createSharedLimiter(context: ShareContext, name: string, points: number, seconds: number): Limiter {
  const { pool, secrets, now, log } = context;
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const from = Math.max(1, Math.floor(points * SHARED_FROM));
  let unsent = new Map<string, number>();
  let exchanging = false;
  let isDown = false;
  // addresses and grants are stored as keyed hashes
  const rowOf = (key: string) =>
    `call ${name}:${createHmac('sha256', secrets.countedKey).update(`${name} ${key}`).digest('base64url')}`;

  async function exchange(): Promise<void> {
    if (exchanging || unsent.size === 0) return;
    exchanging = true;
    const sent = unsent;
    unsent = new Map();
    const keys = new Map([...sent.keys()].map((key) => [rowOf(key), key]));
    try {
      const counted = await addCalls(pool, [[...keys.keys()], [...sent.values()], now().getTime(), seconds * 1_000]);
      for (const row of counted) {
        const key = keys.get(row.key) ?? '';
        const own = (await limiter.get(key))?.consumedPoints ?? 0;
        if (row.points > own) await limiter.penalty(key, row.points - own);
      }
      isDown = false;
    } catch (err) {
      for (const [key, calls] of sent) unsent.set(key, (unsent.get(key) ?? 0) + calls);
      // the limits of this process hold meanwhile
      if (!isDown) log.warn({ err, limit: name }, 'calls could not be counted together');
      isDown = true;
    } finally {
      exchanging = false;
    }
  }
  setInterval(() => void exchange(), EXCHANGE_MS).unref();

  return {
    points,
    get: (key) => limiter.get(key),
    async consume(key) {
      const counted = await limiter.consume(key);
      const { consumedPoints } = counted;
      if (consumedPoints >= from) {
        unsent.set(key, (unsent.get(key) ?? 0) + (consumedPoints === from ? from : 1));
      }
      return counted;
    },
  };
}
