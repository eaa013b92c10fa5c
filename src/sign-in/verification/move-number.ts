import { LockMode, raw } from '@mikro-orm/core';
import { Fan } from '../../entities/fan.ts';
import type { FormerNumberReason } from '../../entities/former-number.ts';
import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import type { WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import type { AuditDetails } from '../../record/audit/audit-actions.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { noteFormerNumber } from './continuity.ts';

/** The change of a production fan's number. */
export interface NumberMove {
  fan: Id<'usr'>;
  /** E.164; null where the fan had none. */
  from: string | null;
  /** E.164. */
  to: string;
  reason: FormerNumberReason;
}

/**
 * Changes a fan's number to `to`, if it is still `from`. Another account that has `to` loses it, unless it holds something: accounts are
 * never merged. The fan keeps grants, tickets, wallet and passkeys. Of several moves at the same time one succeeds.
 * @param context with the `em` of a transaction
 * @returns false where another account that holds something has the number; nothing has changed then
 * @throws DomainError `conflict` where the fan has another number by now
 */
export async function moveNumber(
  context: WriteContext,
  { fan, from, to, reason }: NumberMove,
  { actor, details }: { actor: string; details: AuditDetails['fan.number_changed'] },
): Promise<boolean> {
  const { em, now } = context;
  // locked in one order, so that two fans who exchange numbers do not wait for each other
  const inTurn = { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  await em.find(Fan, { mode: 'production', $or: [{ id: fan }, { phone: to }] }, inTurn);
  const others = { mode: 'production', phone: to, id: { $ne: fan } } as const;
  const holder = await em.findOne(Fan, others, { refresh: true });
  if (holder && (await em.count(Fan, { id: holder.id, [raw(holdsSomething)]: [] })) > 0) return false;
  if (holder) {
    await em.nativeUpdate(Fan, { id: holder.id }, { phone: null });
    noteFormerNumber(context, holder.id, to, reason, actor);
  }
  const before = { id: fan, mode: 'production', phone: from } as const;
  if ((await em.nativeUpdate(Fan, before, { phone: to, numberProvedAt: now() })) === 0)
    throw new DomainError('conflict', 'The fan’s number has changed meanwhile.');
  if (from !== null) noteFormerNumber(context, fan, from, reason, actor);
  recordAudit(context, { actor, action: 'fan.number_changed', subject: fan, details });
  await em.flush();
  return true;
}

/** SQL: whether an account holds something that would be lost with its number. @param f alias of the fan */
const holdsSomething = (f: string) => `(exists (select from ticket t where t.owner_id = ${f}.id)
  or exists (select from passkey p where p.fan_id = ${f}.id)
  or exists (select from kill_switch k where k.fan_id = ${f}.id)
  or exists (select from consent_grant g join client c on c.id = g.client_id where g.fan_id = ${f}.id and ${LIVE_GRANT}))`;

export function numberTaken(): DomainError {
  return new DomainError(
    'number_taken',
    'This number has an account of its own, with tickets or apps. Accounts are not merged.',
  );
}
