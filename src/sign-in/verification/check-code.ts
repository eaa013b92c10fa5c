import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { KillSwitch } from '../../entities/kill-switch.ts';
import type { WithCustody } from '../../keys/vault.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import {
  type OpenSession,
  requireStep,
  SESSION_TRIES,
  sessionFinder,
  tooManyTries,
} from '../authorization/find-session.ts';
import { registerFan } from '../fan/register-fan.ts';
import { type CheckContext, checkChallenge } from './check-challenge.ts';
import { movedOn } from './code-refusals.ts';
import { numberStopped } from './continuity.ts';
import { testUserCode } from './find-test-user.ts';
import { BY_CODE, moveToHolder } from './recycled-number.ts';

/** A session with the code of the test user whose number is under verification; null in production, and where nobody has it. */
type SessionToCheck = OpenSession & { more: string | null };

/** Finds a session for `checkCode`. */
export const findSessionToCheck = sessionFinder<string | null>(
  `case when c.mode = 'sandbox' then ${testUserCode('h.phone', 'c.partner_id')} end`,
);

/**
 * Checks a code of the hosted login. The right one registers the fan and moves the session to consent; or to `continuity`,
 * where the number may be another person's than its fan's.
 * @returns the step that the session is at
 * @throws DomainError as `checkChallenge`; `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(
  context: CheckContext & WithCustody,
  session: SessionToCheck,
  code: string,
): Promise<'consent' | 'continuity'> {
  requireStep(session, 'code');
  const { em } = context;
  const { mode } = session.client;
  if (session.challenge === null) throw new Error(`session ${session.id} is at code without a number`);
  const { phone, reference, expiresAt } = session.challenge;
  let isOpen = false;
  await checkChallenge(
    context,
    {
      table: 'authorization_session',
      key: uuidOf('sess', session.id),
      limit: SESSION_TRIES,
      mode,
      findTestCode: async () => session.more ?? undefined,
      phone,
      reference,
      expiresAt,
      hidesProvider: false,
      tooManyTries,
      findFan: () => registerFan(context, mode, phone),
      async advance(tx) {
        const moved = await moveToHolder(
          { ...context, em: tx },
          { mode, phone },
          {
            table: 'authorization_session',
            where: `s.id = ? and s.step = 'code'`,
            whereValues: [uuidOf('sess', session.id)],
            opened: 'consent',
            refusesStopped: true,
            changes: ['wrong_tries = s.wrong_tries - 1', 'tries_under_way = s.tries_under_way - 1', 'amr = ?'],
            changeValues: [BY_CODE],
            forgetsTries: true,
          },
        );
        isOpen = moved?.isOpen ?? false;
        return moved !== undefined;
      },
      /** Only a right code gets `fan_stopped`, because that discloses that the number is a fan's. It ends the session. */
      async refuseRightCode(fan) {
        if ((await em.count(KillSwitch, { kind: 'fan', fan: fan.id })) === 0) return movedOn();
        await em.nativeUpdate(AuthorizationSession, { id: session.id, step: 'code' }, { step: 'done' });
        return numberStopped();
      },
    },
    code,
  );
  return isOpen ? 'consent' : 'continuity';
}
