import { raw } from '@mikro-orm/core';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { type CodeRequest, countsOfRequest } from '../abuse/count-request.ts';
import { type GiveBack, takeAll } from '../abuse/take-all.ts';
import { movedOn } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import type { Mode } from '../entities/mode.ts';
import { PortalSession } from '../entities/portal-session.ts';
import { DomainError } from '../errors.ts';
import { hashOf, newBrowserSecret } from '../identifier/secret-value.ts';
import {
  AUTHORIZATION_SESSION_LIFETIME,
  after,
  PHONE_CODE_LIFETIME,
  PHONE_CODE_RESEND_AFTER,
} from '../oauth/lifetimes.ts';
import { dispatchCode } from '../verification/dispatch-code.ts';
import { countriesOf, maskPhone, toE164 } from '../verification/phone-number.ts';
import type { WithVerification } from '../verification/provider.ts';
import { resendTooSoon, type SentCode, smsIsStopped } from '../verification/send-code.ts';
import { findPortalChallenge } from './find-portal-session.ts';

type SendContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log' | 'requestId'> &
  WithCodeLimiters &
  WithVerification;

/** The answer, and what the browser's cookie must hold from now on. */
export interface SentPortalCode extends SentCode {
  secret: string;
}

/** Codes per visit, across numbers. */
const CODES_PER_VISIT = 5;

/**
 * Asks for a code for the portal. A test user's number is sandbox: nothing is sent, its static code counts. Any other
 * number is production, and a code is sent only where a fan has it: nobody else has anything to see here, and numbers
 * that nobody has can't be used to run up costs. The sending is not waited for, so that the answer and its time are the
 * same in each case.
 * @param secret what the browser's cookie holds; a visit begins where it names none
 * @param typed the number as typed, with country code
 * @param address of the browser
 * @throws DomainError `invalid_phone`, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendPortalCode(
  context: SendContext,
  secret: string | undefined,
  typed: string,
  address: string,
): Promise<SentPortalCode> {
  const phone = toE164(typed);
  const { mode, known } = await ownerOf(context, phone);
  const request = mode === 'production' ? await requestFor(context, phone, address) : undefined;
  const sent = {
    resendAt: after(context.now(), PHONE_CODE_RESEND_AFTER),
    expiresAt: after(context.now(), PHONE_CODE_LIFETIME),
  };
  const visit = await findPortalChallenge(context, secret);
  if (visit?.phone === phone && visit.resendAt > context.now()) throw resendTooSoon(visit.resendAt, context.now());
  const held = visit && secret !== undefined ? secret : newBrowserSecret();
  const challenge = { phone, mode, reference: null, resendAt: sent.resendAt, codeExpiresAt: sent.expiresAt };
  const reserve = () => (visit ? askAgain(context, visit, challenge) : begin(context, held, challenge));
  await takeAll(context, [reserve, ...(request ? countsOfRequest(context, request) : [])], async () => {});
  if (request && known) void send(context, hashOf(held), request);
  return { secret: held, phone: maskPhone(phone), ...sent };
}

/** What is refused here is refused for numbers that nobody has, too. */
async function requestFor({ em, config }: SendContext, phone: string, address: string): Promise<CodeRequest> {
  const number = checkNumber(config.codeLimits, phone);
  const stopped = await em.count(KillSwitch, { kind: 'sms_country', country: { $in: countriesOf(phone) } });
  if (stopped > 0) throw smsIsStopped();
  return { number, address, clientId: undefined };
}

type Challenge = Pick<PortalSession, 'phone' | 'mode' | 'reference' | 'resendAt' | 'codeExpiresAt'>;

async function ownerOf({ em }: SendContext, phone: string): Promise<{ mode: Mode; known: boolean }> {
  const owners = await em.execute<{ mode: Mode }[]>(
    `select f.mode from fan f left join test_user u on u.fan_id = f.id
     where f.mode in ('sandbox', 'production') and f.phone = ? and (f.mode = 'production' or u.fan_id is not null)`,
    [phone],
  );
  const mode = owners.some((owner) => owner.mode === 'sandbox') ? 'sandbox' : 'production';
  return { mode, known: owners.length > 0 };
}

async function begin({ em, now }: SendContext, secret: string, challenge: Challenge): Promise<GiveBack> {
  const secretHash = hashOf(secret);
  await em.insert(PortalSession, {
    ...challenge,
    secretHash,
    step: 'code',
    codesSent: 1,
    createdAt: now(),
    expiresAt: after(now(), AUTHORIZATION_SESSION_LIFETIME),
  });
  return async () => {
    await em.nativeDelete(PortalSession, { secretHash });
  };
}

/** One conditional update, so that parallel calls can't ask for more codes than allowed. */
async function askAgain({ em, now }: SendContext, visit: PortalSession, challenge: Challenge): Promise<GiveBack> {
  const { secretHash } = visit;
  const { phone, mode, reference, resendAt, codeExpiresAt, expiresAt } = visit;
  const reserved = await em.nativeUpdate(
    PortalSession,
    {
      secretHash,
      step: 'code',
      codesSent: { $lt: CODES_PER_VISIT },
      $or: [{ phone: { $ne: challenge.phone } }, { resendAt: { $lte: now() } }],
    },
    { ...challenge, codesSent: raw('codes_sent + 1'), expiresAt: after(now(), AUTHORIZATION_SESSION_LIFETIME) },
  );
  if (reserved === 0) throw await refusalToAskAgain({ em, now }, secretHash, challenge.phone);
  return async () => {
    await em.nativeUpdate(PortalSession, { secretHash }, { codesSent: raw('codes_sent - 1') });
    // the code of before is good again, unless another call has asked for one meanwhile
    await em.nativeUpdate(
      PortalSession,
      { secretHash, step: 'code', phone: challenge.phone, resendAt: challenge.resendAt },
      { phone, mode, reference, resendAt, codeExpiresAt, expiresAt },
    );
  };
}

async function refusalToAskAgain(
  { em, now }: Pick<SendContext, 'em' | 'now'>,
  secretHash: string,
  phone: string,
): Promise<DomainError> {
  const found = await em.findOne(PortalSession, { secretHash, step: 'code' }, { refresh: true });
  if (!found) return movedOn();
  if (found.phone === phone && found.resendAt > now()) return resendTooSoon(found.resendAt, now());
  return new DomainError('rate_limited', 'No more codes can be sent for now. Try again in ten minutes.');
}

/**
 * What goes wrong here is for the log: an answer would tell that the number is known. The fan asks for another code.
 * For the same reason the visit and the portal's count of the number keep it, as they do for a number that nobody has
 * and nothing is sent to.
 */
async function send(context: SendContext, secretHash: string, request: CodeRequest): Promise<void> {
  const { log, requestId } = context;
  const { phone } = request.number;
  try {
    const em = context.em.fork();
    const reference = await dispatchCode({ ...context, em }, request, []);
    await em.nativeUpdate(PortalSession, { secretHash, phone, step: 'code' }, { reference });
  } catch (err) {
    log.error({ err, requestId }, 'a code for the portal was not sent');
  }
}
