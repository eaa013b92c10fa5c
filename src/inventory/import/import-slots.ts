import type { Pool } from 'pg';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

/** Imports that a process runs at once: they leave connections and time for everybody else. */
const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 30;

/** By the pool, which a process has one of. */
const running = new WeakMap<Pool, number>();

/**
 * Takes one of the few places for an import.
 * @returns gives it back
 * @throws DomainError `rate_limited`
 */
export function takeSlot({ pool }: Pick<Context, 'pool'>): () => void {
  const taken = running.get(pool) ?? 0;
  if (taken >= MOST_AT_ONCE) {
    const told = `${MOST_AT_ONCE} imports are under way in this process. Wait until one has ended.`;
    throw new DomainError('rate_limited', told, { retryAfter: RETRY_AFTER_SECONDS });
  }
  running.set(pool, taken + 1);
  let isGiven = false;
  return () => {
    if (!isGiven) running.set(pool, (running.get(pool) ?? 1) - 1);
    isGiven = true;
  };
}
