import { GoLiveAttempt, GoLiveRun } from '../../entities/go-live-check.ts';
import type { EntityContext, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { closedSheet, countVerdict, readSheet } from './read-sheet.ts';

/**
 * Ends a run: its addresses no longer answer, its keys are deleted, and the sheet stays as it is now.
 * @throws DomainError `conflict` where it was finished before
 */
export async function finishRun(context: WriteContext, id: Id<'chk'>, actor: string): Promise<GoLiveRun> {
  const { now } = context;
  return context.em.transactional(async (em) => {
    const finished = await em.nativeUpdate(GoLiveRun, { id, finishedAt: null }, { finishedAt: now(), keys: null });
    if (finished === 0) throw new DomainError('conflict', 'This go-live check is finished already.');
    await em.nativeUpdate(GoLiveAttempt, { run: id, endedAt: null }, { endedAt: now() });
    const sheet = closedSheet(await readSheet({ em, now }, { id, sheet: null }));
    await em.nativeUpdate(GoLiveRun, { id }, { sheet });
    const details = { passed: countVerdict(sheet, 'passed'), failed: countVerdict(sheet, 'failed') };
    recordAudit({ ...context, em }, { actor, action: 'go_live_check.finished', subject: id, details });
    return em.findOneOrFail(GoLiveRun, { id }, { refresh: true });
  });
}

/**
 * Finishes the runs that have expired. A run that can't be finished holds up no other.
 * @param limit ends the work between two steps @throws the first error, when the rest is done
 */
export async function endGoLiveChecks(context: EntityContext, limit?: AbortSignal): Promise<void> {
  const { em, now } = context;
  const expired = await em.find(GoLiveRun, { finishedAt: null, expiresAt: { $lte: now() } }, { limit: 100 });
  const errors: unknown[] = [];
  for (const { id } of expired) {
    if (limit?.aborted) return;
    await finishRun({ em: em.fork(), now, requestId: null }, id, 'system').catch((error: unknown) => {
      // somebody finished it a moment ago
      if (!(error instanceof DomainError && error.code === 'conflict')) errors.push(error);
    });
  }
  if (errors.length > 0) throw errors[0];
}
