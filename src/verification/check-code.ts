import { type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { registerFan } from '../fan/register-fan.ts';
import { uuidOf } from '../identifier/type-id.ts';
import type { WithCustody } from '../keys/vault.ts';
import { type CheckContext, checkChallenge } from './check-challenge.ts';
import { movedOn } from './code-refusals.ts';
import { numberStopped } from './continuity.ts';
import { moveToHolder } from './recycled-number.ts';

/**
 * Checks a code of the hosted login. The right one registers the fan and moves the session to consent; or to `continuity`,
 * where the number may be another person's than its fan's.
 * @returns the step that the session is at
 * @throws DomainError as `checkChallenge`; `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(
  context: CheckContext & WithCustody,
  session: OpenSession,
  code: string,
): Promise<'consent' | 'continuity'> {
  requireStep(session, 'code');
  const { em } = context;
  const { mode, partner } = session.client;
  const { phone, reference, expiresAt } = await em.findOneOrFail(PhoneChallenge, { session: session.id });
  let isOpen = false;
  await checkChallenge(
    context,
    {
      table: 'authorization_session',
      key: uuidOf('sess', session.id),
      limit: SESSION_TRIES,
      mode,
      sandbox: partner.id,
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
            changes: ['wrong_tries = s.wrong_tries - 1', 'tries_under_way = s.tries_under_way - 1'],
            changeValues: [],
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
