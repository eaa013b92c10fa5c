import { KillSwitch } from '../../entities/kill-switch.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/identifier/type-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { type KillSwitchTarget, rowOf, subjectOf, whereTarget } from './target.ts';

/**
 * Stops a client, a fan, all co-signing, or codes to a country, from the next call on. A stopped target keeps its first
 * reason.
 * @throws DomainError `invalid_request`, `not_found` for an unknown client or fan, `conflict` with a concurrent lift
 */
export async function setKillSwitch(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  target: KillSwitchTarget,
  reason: string,
  actor: string,
): Promise<KillSwitch> {
  const given = givenReason(reason);
  const row = await rowOf(context, target);
  return context.em.transactional(async (em) => {
    const added = await em
      .createQueryBuilder(KillSwitch)
      .insert({ id: newId('kill'), ...row, reason: given, setBy: actor, setAt: context.now() })
      .onConflict([])
      .ignore()
      .execute<{ affectedRows: number }>('run');
    if (added.affectedRows === 1) {
      const details = { kind: row.kind, reason: given };
      recordAudit({ ...context, em }, { actor, action: 'kill_switch.set', subject: subjectOf(row), details });
    }
    const stopped = await em.findOne(KillSwitch, whereTarget(row));
    if (!stopped) throw new DomainError('conflict', 'Another person just lifted it. Try again.');
    return stopped;
  });
}

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
