import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { maskPhone, toE164 } from '../../platform/phone-number.ts';
import { type OpenSession, requireStep } from '../authorization/find-session.ts';
import { movedOn, noMoreCodes, notATestUser } from './code-refusals.ts';
import { type SendContext, sendToPhone } from './dispatch-code.ts';
import { CODES_PER_SESSION, codeTimes, type SentCode } from './reserve-code.ts';
import { askInSandbox, type CodeOwner, putNumberOfSignIn } from './statements.ts';

/** Identifies the number that a sign-in has under verification. */
export function ofSignIn({ id }: Pick<OpenSession, 'id'>): CodeOwner & { purpose: 'login' } {
  return { purpose: 'login', owner: uuidOf('sess', id) };
}

/**
 * Sends a code of the hosted login to a number; the same number can get another one after 30 seconds. The answer never discloses
 * whether the number is known. Sandbox sends nothing, has no wait, and refuses a number that belongs to no test user of the
 * client's partner.
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
  requireStep(session, 'phone', 'code');
  const phone = toE164(typed);
  const { mode, id: clientId } = session.client;
  if (mode === 'sandbox') return sendTestCode(context, session, phone);
  const { sent, values } = await sendToPhone(context, ofSignIn(session), { phone, address, clientId });
  const [moved] = await putNumberOfSignIn(context.pool, values);
  // another tab may have verified its code meanwhile
  if (!moved) throw movedOn();
  return sent;
}

async function sendTestCode({ em, pool, now }: SendContext, session: OpenSession, phone: string): Promise<SentCode> {
  const { id, client } = session;
  const at = now();
  const times = codeTimes(at, 0);
  const partner = uuidOf('ptn', client.partner.id);
  const asked = [uuidOf('sess', id), phone, partner, at, times.expiresAt, CODES_PER_SESSION.sandbox];
  const [answer] = await askInSandbox(pool, asked);
  if (answer?.known) return { phone: maskPhone(phone), ...times };
  if (answer) throw notATestUser(phone, client.partner.name);
  const challenge = await em.findOne(PhoneChallenge, ofSignIn(session), { refresh: true });
  throw challenge?.step === 'phone' || challenge?.step === 'code' ? noMoreCodes('login') : movedOn();
}
