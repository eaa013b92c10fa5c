import { givenReason } from '../audit/reason.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { type KillSwitchTarget, rowOf, subjectOf, whereTarget } from './target.ts';

/**
 * Lets go on what was stopped. What is not stopped stays as it is.
 * @returns whether it was stopped
 * @throws DomainError `invalid_request`, or `not_found` for a client or fan that is not there
 */
export async function liftKillSwitch(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  target: KillSwitchTarget,
  reason: string,
  actor: string,
): Promise<boolean> {
  const given = givenReason(reason);
  const row = await rowOf(context, target);
  return context.em.transactional(async (em) => {
    const lifted = await em.nativeDelete(KillSwitch, whereTarget(row));
    if (lifted === 0) return false;
    const details = { kind: row.kind, reason: given };
    recordAudit({ ...context, em }, { actor, action: 'kill_switch.lifted', subject: subjectOf(row), details });
    return true;
  });
}
