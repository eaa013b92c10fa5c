import type { WithCustody } from '../../keys/vault.ts';
import { type OpenSession, requireStep, sessionFinder } from '../authorization/find-session.ts';
import { registerFan } from '../fan/register-fan.ts';
import { type CheckContext, checkChallenge } from './check-challenge.ts';
import { BY_CODE, numberStopped } from './continuity.ts';
import { recycledBefore } from './recycled-number.ts';
import { ofSignIn } from './send-code.ts';
import { moveSignIn, testUserCode } from './statements.ts';

/** `more` is the code of the test user whose number is under verification; null in production, and where no test user has the number. */
type SessionToCheck = OpenSession & { more: string | null };

/** Finds a session for `checkCode`. */
export const findSessionToCheck = sessionFinder<string | null>(
  `case when c.mode = 'sandbox' then ${testUserCode('h.phone', 'c.partner_id')} end`,
);

/**
 * Checks a code of the hosted login. The right one moves the session to consent, and registers a fan where the number has none. Where the
 * number may have passed from its fan to another person, it moves the session to `continuity`.
 * @returns the step that the session is at
 * @throws DomainError as `checkChallenge`; `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(
  context: CheckContext & WithCustody,
  session: SessionToCheck,
  code: string,
): Promise<'consent' | 'continuity'> {
  requireStep(session, 'code');
  const { pool, now } = context;
  const { mode } = session.client;
  if (session.challenge === null) throw new Error(`session ${session.id} is at code without a number`);
  const { purpose, owner } = ofSignIn(session);
  const { phone } = session.challenge;
  let step: 'consent' | 'continuity' | 'done' | undefined;

  async function advance(): Promise<boolean> {
    const values = [purpose, owner, phone, mode, recycledBefore(context), now(), BY_CODE];
    const [moved] = await moveSignIn(pool, values);
    step = moved?.step;
    return moved !== undefined;
  }

  const challenge = { ...session.challenge, purpose, owner, mode, testCode: session.more };
  await checkChallenge(context, challenge, code, async () => {
    if (await advance()) return true;
    // the number may have no fan yet
    await registerFan(context, mode, phone);
    return advance();
  });
  // thrown only after a right code, because it discloses that the number is a fan's
  if (step !== 'consent' && step !== 'continuity') throw numberStopped();
  return step;
}
