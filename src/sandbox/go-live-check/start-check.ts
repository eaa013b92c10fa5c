import { LockMode } from '@mikro-orm/core';
import { GoLiveAttempt, GoLiveRun } from '../../entities/go-live-check.ts';
import type { EntityContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { CHECKS, checkNamed } from './checks.ts';

/**
 * Turns a check on: sign-ins that begin from now on belong to it. It ends the check that was on.
 * @throws DomainError `not_found` for an unknown check; `conflict` where the run is over
 */
export async function startCheck({ em: given, now }: EntityContext, runId: Id<'chk'>, name: string): Promise<void> {
  const check = checkNamed(name);
  if (!check) {
    const names = CHECKS.map((each) => each.name).join(', ');
    throw new DomainError('not_found', `There is no check ${name.slice(0, 40)}. The checks are: ${names}.`);
  }
  await given.transactional(async (em) => {
    await lockOpenRun({ em, now }, runId);
    await em.nativeUpdate(GoLiveAttempt, { run: runId, endedAt: null }, { endedAt: now() });
    await em.insert(GoLiveAttempt, { run: runId, check: check.name, startedAt: now() });
  });
}

/**
 * Records that the partner's app is done with the check that is on, so that no time of quiet is needed. Later
 * requests still count.
 * @throws DomainError `conflict` where no check is on, or the run is over
 */
export async function endCheck({ em: given, now }: EntityContext, runId: Id<'chk'>): Promise<void> {
  await given.transactional(async (em) => {
    await lockOpenRun({ em, now }, runId);
    const times = { doneAt: now(), endedAt: now() };
    const ended = await em.nativeUpdate(GoLiveAttempt, { run: runId, endedAt: null }, times);
    if (ended === 0) throw new DomainError('conflict', 'No check is on.');
  });
}

/** Of two starts at the same time, the second ends the check of the first. */
async function lockOpenRun({ em, now }: EntityContext, id: Id<'chk'>): Promise<void> {
  const run = await em.findOne(GoLiveRun, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (!run || run.finishedAt || run.expiresAt <= now())
    throw new DomainError('conflict', 'This go-live check is over.');
}
