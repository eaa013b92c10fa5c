import type { Context } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../src/platform/errors.ts';
import { addCounts } from '../../src/platform/keyed-limit.ts';
import type { Runtime } from '../../src/runtime.ts';

const WINDOW_SECONDS = 60;

/** Counts the calls of each key in a minute that begins with the key's first call. */
export interface Limiter {
  points: number;
  /** @throws RateLimiterRes where the limit is reached */
  consume(key: string): Promise<RateLimiterRes>;
  get(key: string): Promise<RateLimiterRes | null>;
}

/** A limit per process: it keeps one caller from using up a process, at no cost in SQL. */
export function createLimiter(perMinute: number): RateLimiterMemory {
  return new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
}

/**
 * Counts one call of `key` and writes the `RateLimit-*` headers.
 * @returns seconds to wait where the limit is reached, otherwise undefined
 */
export async function countCall(ctx: Context, limiter: Limiter, key: string): Promise<number | undefined> {
  try {
    writeHeaders(ctx, limiter, await limiter.consume(key));
    return undefined;
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    writeHeaders(ctx, limiter, reached);
    const seconds = Math.max(1, Math.ceil(reached.msBeforeNext / 1000));
    ctx.set('Retry-After', String(seconds));
    return seconds;
  }
}

/**
 * Counts a call as `countCall` does.
 * @param say makes the message of the refusal from the seconds to wait
 * @throws DomainError `rate_limited`
 */
export async function limitCall(
  ctx: Context,
  limiter: Limiter,
  key: string,
  say = (seconds: number) => `Too many requests; try again in ${seconds} s.`,
): Promise<void> {
  const retryAfter = await countCall(ctx, limiter, key);
  if (retryAfter !== undefined) throw new DomainError('rate_limited', say(retryAfter), { retryAfter });
}

/** Whether a further call of `key` would be over the limit. It counts nothing. */
export async function isLimitReached(limiter: Limiter, key: string): Promise<boolean> {
  const counted = await limiter.get(key);
  return counted !== null && counted.consumedPoints >= limiter.points;
}

function writeHeaders(ctx: Context, limiter: Limiter, counted: RateLimiterRes): void {
  ctx.set('RateLimit-Limit', String(limiter.points));
  ctx.set('RateLimit-Remaining', String(Math.max(0, counted.remainingPoints)));
  ctx.set('RateLimit-Reset', String(Math.ceil(counted.msBeforeNext / 1000)));
}

const EXCHANGE_MS = 1_000;
/** Below this part of its limit a key is counted here only: ordinary callers cost no SQL. */
const SHARED_FROM = 1 / 20;

type ShareContext = Pick<Runtime, 'pool' | 'secrets' | 'now' | 'log'>;

/**
 * A limit that all processes on one database share. Calls are counted in memory; once a second a process adds those of its
 * busy keys to the database in one statement, and reads the others' counts. A caller who spreads its calls gets about a second's
 * worth more than the limit.
 * @param name of the limit, the same in every process
 */
export function createSharedLimiter(context: ShareContext, name: string, points: number): Limiter {
  const { now, log } = context;
  const limiter = createLimiter(points);
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
      const counted = await addCounts(context, { name: `call ${name}`, seconds: WINDOW_SECONDS }, sent, now());
      for (const [key, calls] of counted) {
        const own = (await limiter.get(key))?.consumedPoints ?? 0;
        if (calls > own) await limiter.penalty(key, calls - own);
      }
      isDown = false;
    } catch (err) {
      for (const [key, calls] of sent) unsent.set(key, (unsent.get(key) ?? 0) + calls);
      // the limits of this process hold meanwhile
      if (!isDown) log.warn({ err, limit: name }, 'calls could not be added to the shared count');
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
