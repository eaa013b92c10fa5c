import { raw } from '@mikro-orm/core';
import { type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { fanStopped } from '../entities/stopped.ts';
import { DomainError } from '../errors.ts';
import { registerFan } from '../fan/register-fan.ts';
import { uuidOf } from '../identifier/type-id.ts';
import type { WithCustody } from '../keys/vault.ts';
import { type CheckContext, checkChallenge } from './check-challenge.ts';
import { movedOn } from './code-refusals.ts';

/**
 * Checks a code of the hosted login. The right one moves the session to consent and registers the fan.
 * @throws DomainError as `checkChallenge`; `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(
  context: CheckContext & WithCustody,
  session: OpenSession,
  code: string,
): Promise<void> {
  requireStep(session, 'code');
  const { em, now } = context;
  const { mode, partner } = session.client;
  const { phone, reference, expiresAt } = await em.findOneOrFail(PhoneChallenge, { session: session.id });
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
      async advance(tx, fan) {
        const moved = await tx.nativeUpdate(
          AuthorizationSession,
          { id: session.id, step: 'code', [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [] },
          {
            step: 'consent',
            fan: fan.id,
            authenticatedAt: now(),
            wrongTries: raw<number>('wrong_tries - 1'),
            triesUnderWay: raw<number>('tries_under_way - 1'),
          },
        );
        return moved === 1;
      },
      /** Only a right code gets `fan_stopped`, because that discloses that the number is a fan's. It ends the session. */
      async refuseRightCode(fan) {
        if ((await em.count(KillSwitch, { kind: 'fan', fan: fan.id })) === 0) return movedOn();
        await em.nativeUpdate(AuthorizationSession, { id: session.id, step: 'code' }, { step: 'done' });
        return new DomainError(
          'fan_stopped',
          'Sign-in with this number is stopped. Ask the support of the app that sent you here.',
        );
      },
    },
    code,
  );
}
