import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

/** Pauses between tries, together far less than `DEAD_AFTER`: a database that restarts takes a few seconds. */
const PAUSES_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Does work that may be done twice, again after a pause where a service was down.
 * @throws the last error; immediately an `ImportStop`, or a `DomainError` other than `unavailable`
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

/** Why an import can't go on for now; the message is for its caller. What was done stays done. */
export class ImportStop extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ImportStop';
  }
}
