import { raw } from '@mikro-orm/core';
import { PortalSession } from '../../entities/portal-session.ts';
import { AUTHORIZATION_SESSION_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context } from '../../platform/context.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import type { Mode } from '../../platform/mode.ts';
import { countriesOf, maskPhone, toE164 } from '../../platform/phone-number.ts';
import { after } from '../../platform/time.ts';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { type CodeRequest, countsOfRequest } from '../abuse/count-request.ts';
import { type GiveBack, takeAll } from '../abuse/take-all.ts';
import { sendingStopped } from '../verification/code-refusals.ts';
import { dispatchCode } from '../verification/dispatch-code.ts';
import type { WithVerification } from '../verification/provider.ts';
import {
  CODES_PER_SESSION,
  codeTimes,
  isSendingStopped,
  refuseToReserve,
  requireResendWait,
  type SentCode,
} from '../verification/reserve-code.ts';
import { findPortalChallenge } from './find-portal-session.ts';

type SendContext = Pick<Context, 'em' | 'now' | 'config' | 'log' | 'requestId'> & WithCodeLimiters & WithVerification;

/**
 * Sends a code for the portal. A test user's number is sandbox: nothing is sent, its static code counts. Any other number
 * is production, and a code is sent only where a fan has it, so that unknown numbers can't run up costs. The sending is
 * not awaited: the answer and its time are the same in each case.
 * @param secret from the browser's cookie; a session is created where it names none
 * @param typed the number as typed, with country code
 * @param address of the browser
 * @returns with the `secret` for the browser's cookie
 * @throws DomainError `invalid_phone`, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendPortalCode(
  context: SendContext,
  secret: string | undefined,
  typed: string,
  address: string,
): Promise<SentCode & { secret: string }> {
  const { now } = context;
  const phone = toE164(typed);
  const { mode, isKnown } = await findOwner(context, phone);
  const request = mode === 'production' ? await requestFor(context, phone, address) : undefined;
  const times = codeTimes(now());
  const session = await findPortalChallenge(context, secret);
  requireResendWait(session, phone, now());
  const held = session && secret !== undefined ? secret : newBrowserSecret();
  const challenge = { phone, mode, reference: null, resendAt: times.resendAt, codeExpiresAt: times.expiresAt };
  const reserve = () =>
    session ? reserveCode(context, session, challenge) : createSession(context, hashOf(held), challenge);
  await takeAll(context, [reserve, ...(request ? countsOfRequest(context, request) : [])], async () => {});
  if (request && isKnown) void dispatch(context, hashOf(held), request);
  return { secret: held, phone: maskPhone(phone), ...times };
}

/** Refusals here are the same for unknown numbers. */
async function requestFor(context: SendContext, phone: string, address: string): Promise<CodeRequest> {
  const number = checkNumber(context.config.codeLimits, phone);
  if (await isSendingStopped(context, countriesOf(phone))) throw sendingStopped();
  return { number, address, clientId: undefined, places: {} };
}

async function findOwner({ em }: SendContext, phone: string): Promise<{ mode: Mode; isKnown: boolean }> {
  const owners = await em.execute<{ mode: Mode }[]>(
    `select f.mode from fan f left join test_user u on u.fan_id = f.id
     where f.mode in ('sandbox', 'production') and f.phone = ? and (f.mode = 'production' or u.fan_id is not null)`,
    [phone],
  );
  const mode = owners.some((owner) => owner.mode === 'sandbox') ? 'sandbox' : 'production';
  return { mode, isKnown: owners.length > 0 };
}

interface Challenge {
  phone: string;
  mode: Mode;
  reference: string | null;
  resendAt: Date;
  codeExpiresAt: Date;
}

async function createSession({ em, now }: SendContext, secretHash: string, challenge: Challenge): Promise<GiveBack> {
  const expiresAt = after(now(), AUTHORIZATION_SESSION_LIFETIME);
  await em.insert(PortalSession, { ...challenge, secretHash, step: 'code', codesSent: 1, createdAt: now(), expiresAt });
  return async () => {
    await em.nativeDelete(PortalSession, { secretHash });
  };
}

/** One conditional update, so that parallel calls can't ask for more codes than allowed. */
async function reserveCode({ em, now }: SendContext, session: PortalSession, challenge: Challenge): Promise<GiveBack> {
  const { secretHash, phone, mode, reference = null, resendAt, codeExpiresAt, expiresAt } = session;
  const reserved = await em.nativeUpdate(
    PortalSession,
    {
      secretHash,
      step: 'code',
      // of sandbox fans too: the answers disclose no mode
      codesSent: { $lt: CODES_PER_SESSION.production },
      $or: [{ phone: { $ne: challenge.phone } }, { resendAt: { $lte: now() } }],
    },
    { ...challenge, codesSent: raw<number>('codes_sent + 1'), expiresAt: after(now(), AUTHORIZATION_SESSION_LIFETIME) },
  );
  if (reserved === 0) {
    const found = await em.findOne(PortalSession, { secretHash, step: 'code' }, { refresh: true });
    const exhausted = 'No more codes can be sent for now. Try again in ten minutes.';
    refuseToReserve(found ?? undefined, challenge.phone, now(), exhausted);
  }
  return async () => {
    await em.nativeUpdate(PortalSession, { secretHash }, { codesSent: raw<number>('codes_sent - 1') });
    // the earlier code is valid again, unless another call has asked for one meanwhile
    await em.nativeUpdate(
      PortalSession,
      { secretHash, step: 'code', phone: challenge.phone, resendAt: challenge.resendAt },
      { phone, mode, reference, resendAt, codeExpiresAt, expiresAt },
    );
  };
}

/**
 * Failures are only logged: an answer would disclose that the number is known. For the same reason the session and the
 * portal's count of the number keep this code, as they do for an unknown number. The fan asks for another code.
 */
async function dispatch(context: SendContext, secretHash: string, request: CodeRequest): Promise<void> {
  const { log, requestId } = context;
  try {
    const em = context.em.fork();
    const reference = await dispatchCode({ ...context, em }, request, []);
    const { number, places } = request;
    await em.nativeUpdate(PortalSession, { secretHash, phone: number.phone, step: 'code' }, { reference, places });
  } catch (err) {
    log.error({ err, requestId }, 'a code for the portal was not sent');
  }
}
