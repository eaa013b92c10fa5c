import { raw } from '@mikro-orm/core';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { type CodeRequest, countsOfRequest } from '../abuse/count-request.ts';
import type { GiveBack } from '../abuse/take-all.ts';
import { movedOn, type OpenSession, requireStep } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { smsStopped } from '../entities/stopped.ts';
import { DomainError } from '../errors.ts';
import { after, PHONE_CODE_LIFETIME, PHONE_CODE_RESEND_AFTER } from '../oauth/lifetimes.ts';
import { dispatchCode } from './dispatch-code.ts';
import { countriesOf, maskPhone, toE164 } from './phone-number.ts';
import type { WithVerification } from './provider.ts';

/**
 * Verification: proving that the person at the browser holds a phone number. Production sends a code through the
 * provider port; sandbox sends nothing and knows only test users. Whether a number is known never shows in an answer.
 */
export interface SentCode {
  /** Masked. */
  phone: string;
  resendAt: Date;
  expiresAt: Date;
}

/** Codes per session, across numbers. */
const CODES_PER_SESSION = 5;

type SendContext = Pick<Context, 'em' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification;

/**
 * Sends a code to a number, or again to the same one after 30 seconds. Changing the number needs no wait.
 * @param typed the number as typed, with country code
 * @param address of the browser
 * @throws DomainError `wrong_step`, `invalid_phone`, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendCode(
  context: SendContext,
  session: OpenSession,
  typed: string,
  address: string,
): Promise<SentCode> {
  const { em, now } = context;
  requireStep(session, 'phone', 'code');
  const phone = toE164(typed);
  const request = requestFor(context, session, phone, address);
  const earlier = await em.findOne(PhoneChallenge, { session: session.id });
  if (earlier?.phone === phone && earlier.resendAt > now()) throw resendTooSoon(earlier.resendAt, now());
  const reference = await send(context, session, phone, request);
  const sentAt = now();
  const sent = { resendAt: after(sentAt, PHONE_CODE_RESEND_AFTER), expiresAt: after(sentAt, PHONE_CODE_LIFETIME) };
  await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(AuthorizationSession, { id: session.id, ...BEFORE_CONSENT }, { step: 'code' });
    // another tab may have verified its code meanwhile
    if (moved === 0) throw movedOn();
    await tx.upsert(PhoneChallenge, { session: session.id, phone, reference, ...sent });
  });
  return { phone: maskPhone(phone), ...sent };
}

/**
 * The session's own place comes before all counts: a double click, or whoever holds one session, takes nothing from the
 * number.
 * @returns the provider's reference
 */
async function send(
  context: SendContext,
  session: OpenSession,
  phone: string,
  request: CodeRequest | undefined,
): Promise<string | null> {
  const reserve = () => reserveCode(context, session, phone);
  if (request) return dispatchCode(context, request, [reserve, ...countsOfRequest(context, request)]);
  await reserve();
  return null;
}

/** Undefined in sandbox, where nothing is sent. */
function requestFor(
  { config }: SendContext,
  { client }: OpenSession,
  phone: string,
  address: string,
): CodeRequest | undefined {
  if (client.mode === 'sandbox') return undefined;
  return { number: checkNumber(config.codeLimits, phone), address, clientId: client.id };
}

const BEFORE_CONSENT = { step: { $in: ['phone', 'code'] } } as const;

/** One conditional update, so that parallel calls can't send more codes than allowed, nor two to the same number. */
async function reserveCode(context: SendContext, session: OpenSession, phone: string): Promise<GiveBack> {
  const { em, now } = context;
  const askedAt = now();
  const lately = { $gt: after(askedAt, -PHONE_CODE_RESEND_AFTER) };
  // sandbox sends nothing that could be stopped
  const countries = session.client.mode === 'production' ? countriesOf(phone) : [];
  const reserved = await em.nativeUpdate(
    AuthorizationSession,
    {
      id: session.id,
      ...BEFORE_CONSENT,
      codesSent: { $lt: CODES_PER_SESSION },
      $or: [{ askedPhone: null }, { askedPhone: { $ne: phone } }, { $not: { askedAt: lately } }],
      [raw(`not exists (${smsStopped('?')})`, [`{${countries.join()}}`])]: [],
    },
    { codesSent: raw('codes_sent + 1'), askedPhone: phone, askedAt },
  );
  if (reserved === 0) throw await refusalToReserve(context, session, phone, countries, askedAt);
  return async () => {
    await em.nativeUpdate(
      AuthorizationSession,
      { id: session.id },
      {
        codesSent: raw('codes_sent - 1'),
        // a later call for the same number goes on waiting
        askedPhone: raw('case when asked_phone = ? and asked_at = ? then null else asked_phone end', [phone, askedAt]),
      },
    );
  };
}

async function refusalToReserve(
  { em }: SendContext,
  session: OpenSession,
  phone: string,
  countries: string[],
  at: Date,
): Promise<DomainError> {
  const found = await em.findOneOrFail(AuthorizationSession, { id: session.id }, { refresh: true });
  if (found.step !== 'phone' && found.step !== 'code') return movedOn();
  if (await em.count(KillSwitch, { kind: 'sms_country', country: { $in: countries } })) return smsIsStopped();
  const resendAt = found.askedAt && after(found.askedAt, PHONE_CODE_RESEND_AFTER);
  if (found.askedPhone === phone && resendAt && resendAt > at) return resendTooSoon(resendAt, at);
  return new DomainError(
    'rate_limited',
    'No more codes can be sent for this sign-in. Go back to the app and start again.',
  );
}

/** The refusal while staff have stopped the sending to a country. */
export function smsIsStopped(): DomainError {
  return new DomainError(
    'verification_unavailable',
    'Codes are not sent to numbers of this country for the moment. Try again later.',
  );
}

/** The refusal of a code that was asked for again too soon. */
export function resendTooSoon(resendAt: Date, now: Date): DomainError {
  const seconds = Math.max(1, Math.ceil((resendAt.getTime() - now.getTime()) / 1000));
  return new DomainError('resend_too_soon', `A new code can be sent in ${seconds} s.`, { retryAfter: seconds });
}
