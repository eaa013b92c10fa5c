import { AuthorizationSession } from '../../entities/authorization-session.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { maskPhone } from '../../platform/phone-number.ts';
import type { OpenSession } from '../authorization/find-session.ts';
import { movedOn, notATestUser } from './code-refusals.ts';
import { testUserCode } from './find-test-user.ts';
import { CODES_PER_SESSION, codeTimes, type SentCode } from './reserve-code.ts';

/** SQL of the columns of a number under verification. */
interface NewChallenge {
  phone: string;
  reference: string;
  resendAt: string;
  expiresAt: string;
  places: string;
  /** The relation with the session's `id`. */
  from: string;
}

/** SQL that puts a number under verification in a session, in the place of the one before. */
export function putChallenge({ phone, reference, resendAt, expiresAt, places, from }: NewChallenge): string {
  return `insert into phone_challenge (session_id, phone, reference, resend_at, expires_at, places)
    select id, ${phone}, ${reference}, ${resendAt}, ${expiresAt}, ${places} from ${from}
    on conflict (session_id) do update set phone = excluded.phone, reference = excluded.reference,
      resend_at = excluded.resend_at, expires_at = excluded.expires_at, places = excluded.places`;
}

/** Every call counts: guessing numbers uses up the session. Only a test user's number moves it on. */
const askForCode = prepared<{ known: boolean }>(`
  with known as (
    select ${testUserCode('$2', '$3')} is not null as known
  ), asked as (
    update authorization_session s set codes_sent = s.codes_sent + 1, asked_phone = $2, asked_at = $4,
      step = case when known then 'code' else s.step end
    from known where s.id = $1 and s.step in ('phone', 'code') and s.codes_sent < $5
    returning s.id, known
  ), challenge as (
    ${putChallenge({ phone: '$2', reference: 'null', resendAt: '$6', expiresAt: '$7', places: 'null', from: 'asked where known' })}
  )
  select known from asked`);

export const NO_MORE_CODES = 'No more codes can be sent for this sign-in. Go back to the app and start again.';

/**
 * As `sendCode`, in sandbox: nothing is sent, nothing has to be waited for, and a number that is no test user of the client's
 * partner is refused.
 * @param phone E.164
 * @throws DomainError `wrong_step`, `not_a_test_user`, `rate_limited`
 */
export async function sendTestCode(
  { em, pool, now }: Pick<Context, 'em' | 'pool' | 'now'>,
  session: OpenSession,
  phone: string,
): Promise<SentCode> {
  const { id, client } = session;
  const at = now();
  const times = codeTimes(at, 0);
  const [asked] = await askForCode(pool, [
    ...[uuidOf('sess', id), phone, uuidOf('ptn', client.partner.id), at, CODES_PER_SESSION.sandbox],
    ...[times.resendAt, times.expiresAt],
  ]);
  if (asked?.known) return { phone: maskPhone(phone), ...times };
  if (asked) throw notATestUser(phone, client.partner.name);
  const { step } = await em.findOneOrFail(AuthorizationSession, { id }, { refresh: true });
  if (step !== 'phone' && step !== 'code') throw movedOn();
  throw new DomainError('rate_limited', NO_MORE_CODES);
}
