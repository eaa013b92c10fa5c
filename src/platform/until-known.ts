import { setTimeout as sleep } from 'node:timers/promises';
import type { WithConfig } from './context.ts';
import { databaseFault } from './database/faults.ts';

const PAUSE_MS = 50;

/**
 * Does work that must happen only once. Where the database's answer is lost, it repeats the work over new connections until the outcome
 * is known, for `config.lookForWorkMs`, so the work must recognise its own result (D-226).
 * @param work `again`: whether the answer to an earlier attempt was lost
 * @returns `again`: whether the work was done more than once, so that an existing result may be its own
 */
export async function untilKnown<T>(
  { config }: WithConfig,
  work: (again: boolean) => Promise<T>,
): Promise<{ result: T; again: boolean }> {
  const until = performance.now() + config.lookForWorkMs;
  for (let again = false; ; again = true) {
    try {
      return { result: await work(again), again };
    } catch (error) {
      const fault = databaseFault(error);
      const mayHaveRun = fault === 'lost' || (again && fault !== undefined);
      if (!mayHaveRun || performance.now() >= until) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
