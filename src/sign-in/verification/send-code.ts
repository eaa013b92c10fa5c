import { raw } from '@mikro-orm/core';
import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { smsStopped } from '../../entities/stopped.ts';
import { PHONE_CODE_RESEND_AFTER } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { countriesOf, maskPhone, toE164 } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countsOfRequest } from '../abuse/count-request.ts';
import type { GiveBack } from '../abuse/take-all.ts';
import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import { movedOn, sendingStopped } from './code-refusals.ts';
import { dispatchCode } from './dispatch-code.ts';
import type { WithVerification } from './provider.ts';
import {
  CODES_PER_SESSION,
  codeTimes,
  isSendingStopped,
  refuseToReserve,
  requireResendWait,
  type SentCode,
} from './reserve-code.ts';
import { NO_MORE_CODES, putChallenge, sendTestCode } from './send-test-code.ts';

type SendContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification;

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
  const { em, pool, now, config } = context;
  requireStep(session, 'phone', 'code');
  const phone = toE164(typed);
  const { client } = session;
  if (client.mode === 'sandbox') return sendTestCode(context, session, phone);
  const number = checkNumber(config.codeLimits, phone);
  requireResendWait(await em.findOne(PhoneChallenge, { session: session.id }), phone, now());
  const request = { number, address, clientId: client.id, places: {} };
  // the session's reservation comes before all counts: a double click takes nothing from the number
  const takes = [() => reserveCode(context, session, phone), ...countsOfRequest(context, request)];
  const reference = await dispatchCode(context, request, takes);
  const times = codeTimes(now());
  const sent = [phone, reference, times.resendAt, times.expiresAt, JSON.stringify(request.places)];
  const moved = await moveToCode(pool, [uuidOf('sess', session.id), ...sent]);
  // another tab may have verified its code meanwhile
  if (moved.length === 0) throw movedOn();
  return { phone: maskPhone(phone), ...times };
}

const moveToCode = prepared(`
  with moved as (
    update authorization_session set step = 'code' where id = $1 and step in ('phone', 'code') returning id
  )
  ${putChallenge({ phone: '$2', reference: '$3', resendAt: '$4', expiresAt: '$5', places: '$6::jsonb', from: 'moved' })}
  returning session_id`);

const BEFORE_CONSENT = { step: { $in: ['phone', 'code'] } } as const;

/** One conditional update, so that parallel calls can't send more codes than allowed, nor two to the same number. */
async function reserveCode({ em, now }: SendContext, session: OpenSession, phone: string): Promise<GiveBack> {
  const { id } = session;
  const askedAt = now();
  const countries = countriesOf(phone);
  const reserved = await em.nativeUpdate(
    AuthorizationSession,
    {
      id,
      ...BEFORE_CONSENT,
      codesSent: { $lt: CODES_PER_SESSION.production },
      $or: [
        { askedPhone: null },
        { askedPhone: { $ne: phone } },
        { $not: { askedAt: { $gt: after(askedAt, -PHONE_CODE_RESEND_AFTER) } } },
      ],
      [raw(`not exists (${smsStopped('?')})`, [`{${countries.join()}}`])]: [],
    },
    { codesSent: raw<number>('codes_sent + 1'), askedPhone: phone, askedAt },
  );
  if (reserved === 0) {
    const found = await em.findOneOrFail(AuthorizationSession, { id }, { refresh: true });
    if (found.step !== 'phone' && found.step !== 'code') throw movedOn();
    if (await isSendingStopped({ em }, countries)) throw sendingStopped();
    const last = { phone: found.askedPhone, resendAt: found.askedAt && after(found.askedAt, PHONE_CODE_RESEND_AFTER) };
    refuseToReserve(last, phone, askedAt, NO_MORE_CODES);
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
