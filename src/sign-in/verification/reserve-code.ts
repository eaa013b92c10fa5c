import { KillSwitch } from '../../entities/kill-switch.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { PHONE_CODE_LIFETIME, PHONE_CODE_RESEND_AFTER } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';
import { countriesOf } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import type { GiveBack } from '../abuse/take-all.ts';
import { movedOn, noMoreCodes, resendTooSoon, sendingStopped } from './code-refusals.ts';
import { type CodeOwner, giveCodeBack, reserve } from './statements.ts';

/** The most codes of a session, for all numbers together. Sandbox allows more: it sends nothing, and developers mistype numbers. */
export const CODES_PER_SESSION: Record<Mode, number> = { production: 5, sandbox: 20 };

/** The answer to a call that asks for a code. */
export interface SentCode {
  /** Masked. */
  phone: string;
  resendAt: Date;
  expiresAt: Date;
}

/** @param pause seconds until the same number may have another code */
export function codeTimes(sentAt: Date, pause: number = PHONE_CODE_RESEND_AFTER): Omit<SentCode, 'phone'> {
  return { resendAt: after(sentAt, pause), expiresAt: after(sentAt, PHONE_CODE_LIFETIME) };
}

/**
 * Takes one of the codes that the owner may have, and makes the same number wait 30 s for the next. It runs before all counts of
 * address and number, so that a double click counts for neither.
 * @param mode of the number. Both modes have the limit of production here, so that the portal's answers do not disclose the mode
 * @returns a function that gives the code back where it was not sent
 * @throws DomainError `wrong_step`, `verification_unavailable`, `resend_too_soon`, `rate_limited`
 */
export async function reserveCode(
  { em, pool, now }: Pick<Context, 'em' | 'pool' | 'now'>,
  { purpose, owner }: CodeOwner,
  { mode, phone }: { mode: Mode; phone: string },
): Promise<GiveBack> {
  const at = now();
  const countries = mode === 'production' ? countriesOf(phone) : [];
  const [reserved] = await reserve(pool, [
    ...[purpose, owner, mode, phone, at, after(at, -PHONE_CODE_RESEND_AFTER), CODES_PER_SESSION.production],
    ...[countries, after(at, PHONE_CODE_LIFETIME)],
  ]);
  if (reserved) return async () => void (await giveCodeBack(pool, [purpose, owner, phone, at]));
  if ((await em.count(KillSwitch, { kind: 'sms_country', country: { $in: countries } })) > 0) throw sendingStopped();
  const found = await em.findOne(PhoneChallenge, { purpose, owner }, { refresh: true });
  if (found?.step !== 'phone' && found?.step !== 'code') throw movedOn();
  const waits = [
    found.phone === phone && found.resendAt,
    found.askedPhone === phone && found.askedAt && after(found.askedAt, PHONE_CODE_RESEND_AFTER),
  ];
  const [longest] = waits.filter((wait) => wait instanceof Date).sort((a, b) => b.getTime() - a.getTime());
  throw longest && longest > at ? resendTooSoon(longest, at) : noMoreCodes(purpose);
}
