import type { Context } from 'koa';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Limits are per process and minute: they keep one caller from using up a process, at no cost in SQL. */
const WINDOW_SECONDS = 60;

export type Limiter = RateLimiterMemory;

export function createLimiter(perMinute: number): Limiter {
  return new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
}

/**
 * Counts one call of `key` and writes the `RateLimit-*` headers.
 * @returns seconds to wait where the limit is reached, else undefined
 */
export async function countCall(ctx: Context, limiter: Limiter, key: string): Promise<number | undefined> {
  try {
    writeHeaders(ctx, limiter, await limiter.consume(key));
    return undefined;
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    writeHeaders(ctx, limiter, reached);
    return writeRetryAfter(ctx, reached);
  }
}

/** As `countCall`, without counting. */
export async function limitReached(ctx: Context, limiter: Limiter, key: string): Promise<number | undefined> {
  const counted = await limiter.get(key);
  if (counted === null || counted.consumedPoints < limiter.points) return undefined;
  writeHeaders(ctx, limiter, counted);
  return writeRetryAfter(ctx, counted);
}

function writeRetryAfter(ctx: Context, counted: RateLimiterRes): number {
  const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / 1000));
  ctx.set('Retry-After', String(seconds));
  return seconds;
}

function writeHeaders(ctx: Context, limiter: Limiter, counted: RateLimiterRes): void {
  ctx.set('RateLimit-Limit', String(limiter.points));
  ctx.set('RateLimit-Remaining', String(Math.max(0, counted.remainingPoints)));
  ctx.set('RateLimit-Reset', String(Math.ceil(counted.msBeforeNext / 1000)));
}
