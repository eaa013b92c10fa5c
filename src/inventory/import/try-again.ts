import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { ImportStop } from './import-stop.ts';

/** Pauses between tries, together far less than `DEAD_AFTER`: a database that restarts takes a few seconds. */
const PAUSES_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Does something that may be done twice, again after a pause where something was down.
 * @throws the last error; at once an `ImportStop`, or a `DomainError` other than `unavailable`
 */
export async function tryAgain<Result>({ log }: Pick<Context, 'log'>, work: () => Promise<Result>): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (err) {
      if (err instanceof ImportStop || (err instanceof DomainError && err.code !== 'unavailable')) throw err;
      log.warn({ err }, 'a step of an import is tried again');
    }
    await sleep(pause);
  }
  return work();
}
