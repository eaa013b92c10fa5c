import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { type KillSwitchTarget, rowOf, subjectOf, whereTarget } from './target.ts';

/** @returns whether the target was stopped @throws DomainError `invalid_request`, `not_found` for an unknown client or fan */
export async function liftKillSwitch(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  target: KillSwitchTarget,
  reason: string,
  actor: string,
): Promise<boolean> {
  const details = { kind: target.kind, reason: givenReason(reason) };
  const row = await rowOf(context, target);
  return context.em.transactional(async (em) => {
    const lifted = await em.nativeDelete(KillSwitch, whereTarget(row));
    if (lifted === 0) return false;
    recordAudit({ ...context, em }, { actor, action: 'kill_switch.lifted', subject: subjectOf(row), details });
    return true;
  });
}
