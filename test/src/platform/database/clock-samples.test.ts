import type { Pool } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClock } from '../../../../src/platform/database/clock.ts';

/** D-227: which of the database's answers a clock goes by. The network is made up: a real one is not slow in one direction. */
const DATABASE_AHEAD = 5_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTime(ms);

/** A database whose time is ahead of ours, and a way to it that takes so many milliseconds there and back. */
function startClock() {
  const way = { there: 1, back: 1, ahead: DATABASE_AHEAD };
  const query = async () => {
    pass(way.there);
    const time = Date.now() + way.ahead;
    pass(way.back);
    return { rows: [{ time }] };
  };
  const pool = { connect: async () => ({ query, release: () => undefined }) } as unknown as Pool;
  const clock = createClock(pool);
  /** How far it is ahead of the database's time. */
  const error = () => clock.now().getTime() - (Date.now() + way.ahead);
  return { clock, way, error };
}

it('the time of an answer is that of the middle of its round trip', async () => {
  const { clock, way, error } = startClock();
  Object.assign(way, { there: 100, back: 100 });
  await clock.measure();
  expect(error()).toBe(0);
  expect(clock.aheadMs()).toBe(-DATABASE_AHEAD);
});

it('a worse answer does not replace a better one', async () => {
  const { clock, way, error } = startClock();
  await clock.measure();
  Object.assign(way, { there: 200, back: 0 });
  await clock.measure();
  expect(error()).toBe(0);
});

it('a worse answer replaces a better one that has drifted meanwhile', async () => {
  const { clock, way, error } = startClock();
  await clock.measure();
  pass(60_000);
  Object.assign(way, { there: 60, back: 0 });
  await clock.measure();
  // half of the way there, as the way back took no time
  expect(error()).toBe(30);
});

it('an answer that cannot be right beside the one before replaces it: the database has another clock now', async () => {
  const { clock, way, error } = startClock();
  await clock.measure();
  Object.assign(way, { there: 100, back: 100, ahead: 3_600_000 });
  await clock.measure();
  expect(error()).toBe(0);
});
