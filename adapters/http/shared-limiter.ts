import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addCounts } from '../../src/platform/keyed-limit.ts';
import type { Runtime } from '../../src/runtime.ts';
import type { Limiter } from './rate-limit.ts';

const EXCHANGE_MS = 1_000;
/** Below this part of its limit a key is counted here only: ordinary callers cost no SQL. */
const SHARED_FROM = 1 / 20;

type ShareContext = Pick<Runtime, 'pool' | 'secrets' | 'now' | 'log'>;

/**
 * A limit that all processes over one database keep together. Calls are counted in memory; once a second a process adds those of its
 * busy keys to the database in one statement, and learns what the others counted. A caller who spreads its calls gets about a second's
 * worth more than the limit.
 * @param name of the limit, the same in every process
 */
export function createSharedLimiter(context: ShareContext, name: string, points: number, seconds: number): Limiter {
  const { now, log } = context;
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const from = Math.max(1, Math.floor(points * SHARED_FROM));
  let unsent = new Map<string, number>();
  let exchanging = false;
  let isDown = false;
  async function exchange(): Promise<void> {
    if (exchanging || unsent.size === 0) return;
    exchanging = true;
    const sent = unsent;
    unsent = new Map();
    try {
      const counted = await addCounts(context, { name: `call ${name}`, seconds }, sent, now());
      for (const [key, calls] of counted) {
        const own = (await limiter.get(key))?.consumedPoints ?? 0;
        if (calls > own) await limiter.penalty(key, calls - own);
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
