import { raw } from '@mikro-orm/core';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countsOfRequest } from '../abuse/count-request.ts';
import type { GiveBack } from '../abuse/take-all.ts';
import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { Partner } from '../entities/partner.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { smsStopped } from '../entities/stopped.ts';
import { after, PHONE_CODE_RESEND_AFTER } from '../oauth/lifetimes.ts';
import { movedOn, notATestUser, sendingStopped } from './code-refusals.ts';
import { dispatchCode } from './dispatch-code.ts';
import { findTestUser } from './find-test-user.ts';
import { countriesOf, maskPhone, toE164 } from './phone-number.ts';
import type { WithVerification } from './provider.ts';
import {
  CODES_PER_SESSION,
  codeTimes,
  isSendingStopped,
  refuseToReserve,
  requireResendWait,
  type SentCode,
} from './reserve-code.ts';

type SendContext = Pick<Context, 'em' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification;

/**
 * Sends a code of the hosted login to a number, or again to the same one after 30 seconds. The answer never discloses
 * whether the number is known. In sandbox nothing is sent, nothing has to be waited for, and a number that is no test user
 * of the client's partner is refused.
 * @param typed the number as typed, with country code
 * @param address of the browser
 * @throws DomainError `wrong_step`, `invalid_phone`, `not_a_test_user`, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendCode(
  context: SendContext,
  session: OpenSession,
  typed: string,
  address: string,
): Promise<SentCode> {
  const { em, now, config } = context;
  requireStep(session, 'phone', 'code');
  const phone = toE164(typed);
  const { client } = session;
  const number = client.mode === 'production' ? checkNumber(config.codeLimits, phone) : undefined;
  if (number) requireResendWait(await em.findOne(PhoneChallenge, { session: session.id }), phone, now());
  let reference: string | null = null;
  if (number) {
    const request = { number, address, clientId: client.id };
    // the session's reservation comes before all counts: a double click takes nothing from the number
    const takes = [() => reserveCode(context, session, phone), ...countsOfRequest(context, request)];
    reference = await dispatchCode(context, request, takes);
  } else {
    // reserved first: guessing numbers uses up the session
    await reserveCode(context, session, phone);
    await requireTestUser(context, session, phone);
  }
  const times = codeTimes(now(), pauseOf(session));
  await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(AuthorizationSession, { id: session.id, ...BEFORE_CONSENT }, { step: 'code' });
    // another tab may have verified its code meanwhile
    if (moved === 0) throw movedOn();
    await tx.upsert(PhoneChallenge, { session: session.id, phone, reference, ...times });
  });
  return { phone: maskPhone(phone), ...times };
}

const BEFORE_CONSENT = { step: { $in: ['phone', 'code'] } } as const;

/** Seconds between two codes to one number. */
function pauseOf({ client }: OpenSession): number {
  return client.mode === 'production' ? PHONE_CODE_RESEND_AFTER : 0;
}

async function requireTestUser({ em }: SendContext, { client }: OpenSession, phone: string): Promise<void> {
  if (await findTestUser({ em }, phone, client.partner.id)) return;
  const { name } = await em.findOneOrFail(Partner, client.partner.id);
  throw notATestUser(phone, name);
}

/** One conditional update, so that parallel calls can't send more codes than allowed, nor two to the same number. */
async function reserveCode({ em, now }: SendContext, session: OpenSession, phone: string): Promise<GiveBack> {
  const { id, client } = session;
  const askedAt = now();
  const pause = pauseOf(session);
  // sandbox sends nothing that could be stopped
  const countries = client.mode === 'production' ? countriesOf(phone) : [];
  const reserved = await em.nativeUpdate(
    AuthorizationSession,
    {
      id,
      ...BEFORE_CONSENT,
      codesSent: { $lt: CODES_PER_SESSION[client.mode] },
      ...(pause > 0 && {
        $or: [
          { askedPhone: null },
          { askedPhone: { $ne: phone } },
          { $not: { askedAt: { $gt: after(askedAt, -pause) } } },
        ],
      }),
      [raw(`not exists (${smsStopped('?')})`, [`{${countries.join()}}`])]: [],
    },
    { codesSent: raw<number>('codes_sent + 1'), askedPhone: phone, askedAt },
  );
  if (reserved === 0) {
    const found = await em.findOneOrFail(AuthorizationSession, { id }, { refresh: true });
    if (found.step !== 'phone' && found.step !== 'code') throw movedOn();
    if (await isSendingStopped({ em }, countries)) throw sendingStopped();
    // without a pause there is nothing to wait for, also after a call that came a moment later than this one
    const resendAt = pause === 0 ? null : found.askedAt && after(found.askedAt, pause);
    const last = { phone: found.askedPhone, resendAt };
    refuseToReserve(
      last,
      phone,
      askedAt,
      'No more codes can be sent for this sign-in. Go back to the app and start again.',
    );
  }
  return async () => {
    await em.nativeUpdate(
      AuthorizationSession,
      { id },
      {
        codesSent: raw<number>('codes_sent - 1'),
        // a later call for the same number still has to wait
        askedPhone: raw<string>('case when asked_phone = ? and asked_at = ? then null else asked_phone end', [
          phone,
          askedAt,
        ]),
      },
    );
  };
}
