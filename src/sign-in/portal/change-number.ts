import { raw } from '@mikro-orm/core';
import { Fan } from '../../entities/fan.ts';
import { NumberChange } from '../../entities/number-change.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { countriesOf, maskPhone, toE164 } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countsOfRequest } from '../abuse/count-request.ts';
import type { GiveBack } from '../abuse/take-all.ts';
import { type CheckContext, checkChallenge } from '../verification/check-challenge.ts';
import { movedOn, sendingStopped } from '../verification/code-refusals.ts';
import { FORGET_PHONE_TRIES } from '../verification/code-tries.ts';
import { dispatchCode } from '../verification/dispatch-code.ts';
import { moveNumber, numberTaken } from '../verification/move-number.ts';
import type { WithVerification } from '../verification/provider.ts';
import {
  CODES_PER_SESSION,
  codeTimes,
  isSendingStopped,
  refuseToReserve,
  requireResendWait,
  type SentCode,
} from '../verification/reserve-code.ts';
import { PORTAL_TRIES, type PortalFan } from './find-portal-session.ts';

/** Seconds after a sign-in in which the number can be changed: the sign-in proves the old number, or a passkey. */
export const NUMBER_CHANGE_WINDOW = 600;

type SendContext = Pick<Context, 'em' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification;

/**
 * Sends a code to the number that a fan wants to have from now on. Whether it is another fan's is told only once it is proved.
 * @throws DomainError `fresh_sign_in_required`, `conflict` for a test user, `invalid_phone` also for the number that
 * the fan has,
 * `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendNewNumberCode(
  context: SendContext,
  fan: PortalFan,
  typed: string,
  address: string,
): Promise<SentCode> {
  requireMayChange(context, fan);
  const { em, now, config } = context;
  const phone = toE164(typed);
  if (phone === fan.phone) throw new DomainError('invalid_phone', 'This is the number that you have.');
  const number = checkNumber(config.codeLimits, phone);
  if (await isSendingStopped(context, countriesOf(phone))) throw sendingStopped();
  const last = await findNumberChange(context, fan);
  requireResendWait(last, phone, now());
  const times = codeTimes(now());
  const change = { phone, reference: null, resendAt: times.resendAt, codeExpiresAt: times.expiresAt };
  const request = { number, address, clientId: undefined, places: {} };
  const takes = [() => reserveCode(context, fan, change), ...countsOfRequest(context, request)];
  const reference = await dispatchCode(context, request, takes);
  const { places } = request;
  await em.nativeUpdate(NumberChange, { session: fan.secretHash, phone, step: 'code' }, { reference, places });
  return { phone: maskPhone(phone), ...times };
}

/** The number under way in a visit; undefined where there is none, or its code has expired. */
export async function findNumberChange(
  { em, now }: Pick<Context, 'em' | 'now'>,
  { secretHash }: Pick<PortalFan, 'secretHash'>,
): Promise<NumberChange | undefined> {
  const where = { session: secretHash, step: 'code', codeExpiresAt: { $gt: now() } } as const;
  return (await em.findOne(NumberChange, where, { refresh: true })) ?? undefined;
}

type Change = Pick<NumberChange, 'phone' | 'resendAt' | 'codeExpiresAt'> & { reference: null };

/** One statement, so that parallel calls can't ask for more codes than allowed. */
async function reserveCode({ em, now }: SendContext, { secretHash }: PortalFan, change: Change): Promise<GiveBack> {
  const { phone, resendAt, codeExpiresAt } = change;
  const reserved = await em.execute<unknown[]>(
    `insert into number_change as c (session_secret_hash, phone, resend_at, code_expires_at, codes_sent) values (?, ?, ?, ?, 1)
     on conflict (session_secret_hash) do update set phone = excluded.phone, reference = null, step = 'code',
       resend_at = excluded.resend_at, code_expires_at = excluded.code_expires_at, codes_sent = c.codes_sent + 1
     where c.codes_sent < ? and (c.phone <> excluded.phone or c.resend_at <= ?) returning phone`,
    [secretHash, phone, resendAt, codeExpiresAt, CODES_PER_SESSION.production, now()],
  );
  if (reserved.length === 0) {
    const found = await em.findOne(NumberChange, { session: secretHash }, { refresh: true });
    refuseToReserve(found ?? undefined, phone, now(), 'No more codes can be sent for now. Sign in again later.');
  }
  return async () => {
    await em.nativeUpdate(
      NumberChange,
      { session: secretHash, phone, resendAt },
      { codesSent: raw<number>('codes_sent - 1'), codeExpiresAt: now(), resendAt: now() },
    );
  };
}

/**
 * Checks the code of the new number. The right one gives the number to the fan, who keeps everything else; the old one stays
 * with the fan as a former number, and every other visit of the fan to the portal ends.
 * @throws DomainError as `checkChallenge`; `fresh_sign_in_required`; `number_taken` where it is the number of another account
 * that holds something; `session_not_found` without a code to check
 */
export async function changeNumber(
  context: CheckContext & Pick<Context, 'requestId'>,
  fan: PortalFan,
  code: string,
): Promise<void> {
  requireMayChange(context, fan);
  const { em } = context;
  const change = await findNumberChange(context, fan);
  if (!change) throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  const { secretHash } = fan;
  const { phone, reference, codeExpiresAt } = change;
  let isTaken = false;
  await checkChallenge(
    context,
    {
      table: 'number_change',
      key: secretHash,
      limit: PORTAL_TRIES,
      mode: fan.mode,
      // a test user keeps its number
      findTestCode: async () => undefined,
      phone,
      reference,
      expiresAt: codeExpiresAt,
      hidesProvider: false,
      findFan: () => em.findOne(Fan, { id: fan.id }),
      async advance(tx) {
        const taken = await tx.nativeUpdate(
          NumberChange,
          { session: secretHash, step: 'code', phone },
          {
            step: 'done',
            wrongTries: raw<number>('wrong_tries - 1'),
            triesUnderWay: raw<number>('tries_under_way - 1'),
          },
        );
        if (taken !== 1) return false;
        await tx.execute(FORGET_PHONE_TRIES, [fan.mode, phone]);
        const inTransaction = { ...context, em: tx };
        const request = { fan: fan.id, from: fan.phone, to: phone, reason: 'changed_by_fan' } as const;
        isTaken = !(await moveNumber(inTransaction, request, { actor: `fan:${fan.id}`, details: { by: 'fan' } }));
        if (isTaken) return true;
        await tx.nativeDelete(PortalSession, { fan: fan.id, secretHash: { $ne: secretHash } });
        return true;
      },
      refuseRightCode: async () => movedOn(),
      tooManyTries: () =>
        new DomainError('too_many_tries', 'Too many wrong codes. Sign in again to change your number.'),
    },
    code,
  );
  if (isTaken) throw numberTaken();
}

/** Numbers of test users are fixed (spec §5.6). */
function requireMayChange({ now }: Pick<Context, 'now'>, fan: PortalFan): void {
  if (fan.mode === 'sandbox') throw new DomainError('conflict', 'A test user keeps its number.');
  if (after(fan.authenticatedAt, NUMBER_CHANGE_WINDOW) <= now())
    throw new DomainError('fresh_sign_in_required', 'Sign in again to change your number.');
}
