import { raw } from '@mikro-orm/core';
import { PhoneTries } from '../../entities/code-limits.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { toE164 } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import { type CheckContext, checkChallenge } from '../verification/check-challenge.ts';
import { codeExpired } from '../verification/code-refusals.ts';
import { type SendContext, sendToPhone } from '../verification/dispatch-code.ts';
import { moveNumber, numberTaken } from '../verification/move-number.ts';
import type { SentCode } from '../verification/reserve-code.ts';
import { putNumber } from '../verification/statements.ts';
import type { PortalFan } from './find-portal-session.ts';

/** Seconds after a sign-in, by a code to the old number or a passkey, in which the fan can change the number, get a copy of all data, or leave. */
export const NUMBER_CHANGE_WINDOW = 600;

const ofVisit = ({ secretHash }: PortalFan) => ({ purpose: 'number_change', owner: secretHash }) as const;

/**
 * Sends a code to the number that a fan wants to have from now on. The fan learns whether another fan has it only after proving it.
 * @throws DomainError `fresh_sign_in_required`, `conflict` for a test user, `invalid_phone` also for the number that
 * the fan has, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendNewNumberCode(
  context: SendContext,
  fan: PortalFan,
  typed: string,
  address: string,
): Promise<SentCode> {
  requireMayChange(context, fan);
  const phone = toE164(typed);
  if (phone === fan.phone) throw new DomainError('invalid_phone', 'This is the number that you have.');
  const { sent, values } = await sendToPhone(context, ofVisit(fan), { phone, address, clientId: undefined });
  await putNumber(context.pool, values);
  return sent;
}

/**
 * Checks the code of the new number. The right one gives the number to the fan, who keeps everything else; the old one stays
 * with the fan as a former number, and every other visit of the fan to the portal ends.
 * @throws DomainError as `checkChallenge`; `fresh_sign_in_required`; `number_taken` where another account that holds something
 * has the number
 */
export async function changeNumber(
  context: CheckContext & Pick<Context, 'requestId'>,
  fan: PortalFan,
  code: string,
): Promise<void> {
  requireMayChange(context, fan);
  const { em } = context;
  const { mode, secretHash } = fan;
  const found = await em.findOne(PhoneChallenge, { ...ofVisit(fan), step: 'code' }, { refresh: true });
  if (!found?.phone) throw codeExpired();
  const { phone, expiresAt } = found;
  let isTaken = false;
  // a test user keeps its number, so the code is never a test user's
  const challenge = { ...ofVisit(fan), mode, phone, reference: found.reference ?? null, expiresAt, testCode: null };
  await checkChallenge(context, challenge, code, () =>
    em.transactional(async (tx) => {
      const proved = await tx.nativeUpdate(
        PhoneChallenge,
        { ...ofVisit(fan), step: 'code', phone },
        // the fan may try another number
        {
          step: 'phone',
          wrongTries: raw<number>('wrong_tries - 1'),
          triesUnderWay: raw<number>('tries_under_way - 1'),
        },
      );
      if (proved !== 1) return false;
      await tx.nativeDelete(PhoneTries, { mode, phone });
      const request = { fan: fan.id, from: fan.phone, to: phone, reason: 'changed_by_fan' } as const;
      const by = { actor: `fan:${fan.id}`, details: { by: 'fan' } } as const;
      isTaken = !(await moveNumber({ ...context, em: tx }, request, by));
      if (!isTaken) await tx.nativeDelete(PortalSession, { fan: fan.id, secretHash: { $ne: secretHash } });
      return true;
    }),
  );
  if (isTaken) throw numberTaken();
}

/** Numbers of test users are fixed (spec §5.6). */
function requireMayChange({ now }: Pick<Context, 'now'>, fan: PortalFan): void {
  if (fan.mode === 'sandbox') throw new DomainError('conflict', 'A test user keeps its number.');
  requireFreshSignIn({ now }, fan, 'to change your number');
}

/** @param purpose for the sentence @throws DomainError `fresh_sign_in_required` where the fan signed in longer ago than `NUMBER_CHANGE_WINDOW` */
export function requireFreshSignIn({ now }: Pick<Context, 'now'>, fan: PortalFan, purpose: string): void {
  if (after(fan.authenticatedAt, NUMBER_CHANGE_WINDOW) > now()) return;
  throw new DomainError('fresh_sign_in_required', `Sign in again ${purpose}.`);
}
