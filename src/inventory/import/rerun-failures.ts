import type { ImportRun } from '../../entities/import-run.ts';
import type { ImportContext } from './apply-batch.ts';
import { toldOf } from './import-rows.ts';
import { takeSlot } from './import-slots.ts';
import { retryFailures } from './retry-failures.ts';
import { endRun, type LeasedRun, takeRun } from './run-record.ts';

/**
 * Applies the failed rows of a run once more, in the background. The run is `running` meanwhile, and then what it was: a run whose
 * file has not come to its end stays `interrupted`.
 * @returns once it has begun; `done` settles at the end and never rejects
 * @throws DomainError `not_found`, `conflict` where the run is under way, `rate_limited` where too many are
 */
export async function rerunFailures(
  context: ImportContext,
  runId: ImportRun['id'] | string,
  actor: string,
): Promise<{ run: LeasedRun; done: Promise<void> }> {
  const giveBack = takeSlot(context);
  try {
    const run = await takeRun(context, runId, actor, 'import_run.rerun');
    return { run, done: finish(context, run, actor).finally(giveBack) };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function finish(context: ImportContext, run: LeasedRun, actor: string): Promise<void> {
  try {
    let message: string | undefined;
    try {
      await retryFailures(context, run, actor, 'all');
    } catch (error) {
      message = toldOf(context, error);
    }
    if (!run.receivedAll) message ??= 'The end of the file has not been reached.';
    const isFinished = message === undefined;
    await endRun(context, run, { actor, isFinished, ...(message !== undefined && { message }) });
  } catch (err) {
    // the run is found dead later
    context.log.error({ err, run: run.id }, 'the end of an import was not stored');
  }
}
