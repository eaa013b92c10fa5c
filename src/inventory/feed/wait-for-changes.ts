import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type FeedEnd, readNewEnd } from './give-positions.ts';
import { GIVING_MS } from './read-feed.ts';

/** A reader that has read everything. */
interface Waiting {
  position: number;
  /** By `performance.now()`. */
  until: number;
  /** Whether nobody would read the answer, or the process ends. */
  isOver(): boolean;
}

type Waiter = Waiting & PromiseWithResolvers<FeedEnd>;

const LOOK_EVERY_MS = 250;
/** Readers that wait in a process; another one is answered immediately. */
const MOST_WAITING = 200;

const waiters = new WeakMap<Pool, Set<Waiter>>();

/**
 * Waits for the feed to go on. A process looks once for all that wait.
 * @returns where it ends then; the same place where nothing has come
 */
export async function waitForChanges(pool: Pool, end: FeedEnd, waiting: Waiting): Promise<FeedEnd> {
  const all = waiters.get(pool) ?? new Set<Waiter>();
  waiters.set(pool, all);
  if (all.size >= MOST_WAITING) return end;
  const waiter = { ...waiting, ...Promise.withResolvers<FeedEnd>() };
  all.add(waiter);
  if (all.size === 1) void lookFor(pool, all);
  return waiter.promise;
}

async function lookFor(pool: Pool, all: Set<Waiter>): Promise<void> {
  while (all.size > 0) {
    await sleep(LOOK_EVERY_MS);
    try {
      const end = await readNewEnd(pool, GIVING_MS);
      const before = performance.now() + LOOK_EVERY_MS;
      for (const waiter of all) {
        if (end.position <= waiter.position && before < waiter.until && !waiter.isOver()) continue;
        all.delete(waiter);
        waiter.resolve(end);
      }
    } catch (error) {
      for (const waiter of all) waiter.reject(error);
      all.clear();
    }
  }
}
