import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import type { Mode } from '../../platform/mode.ts';
import { maskPhone, toE164 } from '../../platform/phone-number.ts';
import { checkNumber } from '../abuse/check-number.ts';
import { type CodeRequest, countsOfRequest } from '../abuse/count-request.ts';
import { takeAll } from '../abuse/take-all.ts';
import { dispatchCode, type SendContext } from '../verification/dispatch-code.ts';
import { codeTimes, reserveCode, type SentCode } from '../verification/reserve-code.ts';
import { type CodeOwner, putNumber } from '../verification/statements.ts';
import { findPortalChallenge } from './find-portal-session.ts';

type PortalContext = SendContext & Pick<Context, 'requestId'>;

/**
 * Sends a code for the portal. For a test user's number (sandbox) nothing is sent: the user has a static code. For any other number
 * a code is sent only where a production fan has it, so that unknown numbers can't run up costs. Does not wait for the sending, so
 * that the answer and its time are the same for all numbers.
 * @param secret from the browser's cookie; a new one replaces it unless a code may be typed with it
 * @param typed the number as typed, with country code
 * @param address of the browser
 * @returns the answer, and the `secret` for the browser's cookie
 * @throws DomainError `invalid_phone`, `resend_too_soon`, `rate_limited`, `verification_unavailable`
 */
export async function sendPortalCode(
  context: PortalContext,
  secret: string | undefined,
  typed: string,
  address: string,
): Promise<SentCode & { secret: string }> {
  const { pool, now, config } = context;
  const phone = toE164(typed);
  const owners = await ownersOf(pool, [phone]);
  const mode: Mode = owners.some((fan) => fan.mode === 'sandbox') ? 'sandbox' : 'production';
  const request: CodeRequest | undefined =
    mode === 'production'
      ? { number: checkNumber(config.codeLimits, phone), address, clientId: undefined, places: {} }
      : undefined;
  const times = codeTimes(now());
  const found = await findPortalChallenge(context, secret);
  const held = found?.step === 'code' && secret !== undefined ? secret : newBrowserSecret();
  const owned: CodeOwner = { purpose: 'portal', owner: hashOf(held) };
  const takes = [
    () => reserveCode(context, owned, { mode, phone }),
    ...(request ? countsOfRequest(context, request) : []),
  ];
  await takeAll(context, takes, () =>
    putNumber(pool, [owned.purpose, owned.owner, mode, phone, times.resendAt, times.expiresAt, null, null]),
  );
  if (request && owners.length > 0) void dispatch(context, owned, request);
  return { secret: held, phone: maskPhone(phone), ...times };
}

/** Test users and production fans with a number. */
const ownersOf = prepared<{ mode: Mode }>(`
  select f.mode from fan f left join test_user u on u.fan_id = f.id
  where f.mode in ('sandbox', 'production') and f.phone = $1 and (f.mode = 'production' or u.fan_id is not null)`);

/**
 * A failure is only logged: an answer would disclose that the number is known. For the same reason the code stays counted, in the
 * visit and for the number at the portal, as one for an unknown number does. The fan asks for another code.
 */
async function dispatch(context: PortalContext, owned: CodeOwner, request: CodeRequest): Promise<void> {
  const { log, requestId } = context;
  try {
    const em = context.em.fork();
    const reference = await dispatchCode(context, request, []);
    const { number, places } = request;
    const sent = { ...owned, phone: number.phone, step: 'code' } as const;
    await em.nativeUpdate(PhoneChallenge, sent, { reference, places });
  } catch (err) {
    log.error({ err, requestId }, 'a code for the portal was not sent');
  }
}
