import { setTimeout as sleep } from 'node:timers/promises';
import type { Doubts, WithDoubts } from './doubts.ts';
import { databaseFault } from './lost-answer.ts';

/** A call that does something that can be done once. What it writes names it, so that it knows its own work again. */
export interface OnceCall {
  id: string;
  process: Doubts['process'];
  /** Whether the answer to an earlier attempt was lost. */
  again: boolean;
}

const PAUSE_MS = 50;

/**
 * Does work that may be done once, and where the database's answer is lost, does it again over new connections until the outcome is
 * known. So the work must recognise what it did itself (D-226). Where the outcome stays unknown, the call is left in doubt.
 * @returns `again`: whether the work was done more than once, so that finding it done proves nothing about others
 */
export async function untilKnown<T>(
  { doubts }: WithDoubts,
  id: string,
  work: (call: OnceCall) => Promise<T>,
): Promise<{ result: T; again: boolean }> {
  const until = performance.now() + doubts.patience.lookMs;
  doubts.begin(id);
  for (let again = false; ; again = true) {
    try {
      const result = await work({ id, process: doubts.process, again });
      doubts.settle(id);
      return { result, again };
    } catch (error) {
      const fault = databaseFault(error);
      if (fault === undefined || (!again && fault !== 'lost')) {
        doubts.settle(id);
        throw error;
      }
      if (performance.now() >= until) {
        doubts.leave(id);
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
}
