import type { Pool } from 'pg';
import { prepared } from './prepared.ts';

/** The time of this process: the database's, so that all processes agree even where a machine's clock is wrong (D-227). */
export interface Clock {
  now: () => Date;
  /** Milliseconds by which the machine's clock is ahead of the database's; negative where it is behind. */
  aheadMs(): number;
  /** Asks the database for its time. */
  measure(): Promise<void>;
}

/** The part of a context that measures its clock. */
export interface WithClock {
  clock: Clock;
}

interface Sample {
  /** The database's time minus `performance.now()`, in milliseconds. */
  offset: number;
  /** The most by which `offset` may be wrong: half of the round trip. */
  error: number;
  takenAt: number;
}

/** The error that a sample gains with each millisecond of age: clocks of machines drift by less. */
const DRIFT = 0.001;

const readTime = prepared<{ time: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as time');

/** @param wallClock milliseconds since the epoch */
export function createClock(pool: Pool, wallClock: () => number = Date.now): Clock {
  let held: Sample | undefined;
  // not from the wall clock, which may jump between two measurements
  const nowMs = () => (held === undefined ? wallClock() : performance.now() + held.offset);
  return {
    now: () => new Date(nowMs()),
    aheadMs: () => wallClock() - nowMs(),
    async measure() {
      const sample = await takeSample(pool);
      if (held === undefined || replaces(sample, held)) held = sample;
    },
  };
}

async function takeSample(pool: Pool): Promise<Sample> {
  // before the measurement, as it may have to open a connection
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const askedAt = performance.now();
    const [row] = await readTime(client, []);
    const takenAt = performance.now();
    if (row === undefined) throw new Error('the database did not return its time');
    return { offset: row.time - (askedAt + takenAt) / 2, error: (takenAt - askedAt) / 2, takenAt };
  } catch (error) {
    failure = error instanceof Error ? error : new Error('no time', { cause: error });
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Whether a sample is the better one by now, or contradicts the held one: the database's clock was set, or its server changed. */
function replaces(sample: Sample, held: Sample): boolean {
  const heldError = held.error + (sample.takenAt - held.takenAt) * DRIFT;
  return sample.error <= heldError || Math.abs(sample.offset - held.offset) > sample.error + heldError;
}
