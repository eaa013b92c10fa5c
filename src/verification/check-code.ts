import { raw } from '@mikro-orm/core';
import { recordVerified } from '../abuse/record-verified.ts';
import { movedOn, type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import type { Fan } from '../entities/fan.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { fanStopped } from '../entities/stopped.ts';
import { DomainError } from '../errors.ts';
import { registerFan } from '../fan/register-fan.ts';
import { uuidOf } from '../identifier/type-id.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';
import { endTry, giveTryBack, hasMovedOn, type Tried, takeTry } from './code-tries.ts';
import { isRightCode } from './is-right-code.ts';
import { forgetPhoneTries } from './phone-tries.ts';
import type { WithVerification } from './provider.ts';

type CheckContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log' | 'requestId'> &
  WithVerification &
  WithSecrets;

/**
 * Checks the code that the fan typed; the right one moves the session on to consent. Of several right ones at once the
 * first does so, and the others are told that the sign-in has moved on.
 * @throws DomainError `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`;
 * `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(context: CheckContext, session: OpenSession, code: string): Promise<void> {
  requireStep(session, 'code');
  const challenge = await context.em.findOneOrFail(PhoneChallenge, { session: session.id });
  if (challenge.expiresAt <= context.now()) {
    throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  }
  const tried: Tried = {
    table: 'authorization_session',
    key: uuidOf('sess', session.id),
    limit: SESSION_TRIES,
    mode: session.client.mode,
    phone: challenge.phone,
  };
  const one = await takeTry(context, tried);
  if (!one) throw (await hasMovedOn(context, tried)) ? movedOn() : tooManyTries();
  const { fan, isFirst } = await verify(context, session, challenge, code).catch(async (error: unknown) => {
    await giveTryBack(context, tried, one);
    // a provider that has just approved a code knows nothing of it any more
    throw (await hasMovedOn(context, tried)) ? movedOn() : error;
  });
  if (!fan) {
    await endTry(context, tried);
    throw one.left <= 0 ? tooManyTries() : wrongCode(one.left);
  }
  if (isFirst) return;
  await giveTryBack(context, tried, one);
  throw await refusalOfRightCode(context, session, fan);
}

/** @returns whose code it was, if it was right, and whether it was the one that moved the session on */
async function verify(
  context: CheckContext,
  session: OpenSession,
  { phone, reference, expiresAt }: PhoneChallenge,
  code: string,
): Promise<{ fan?: Fan; isFirst: boolean }> {
  const { mode } = session.client;
  if (!(await isRightCode(context, { mode, phone, reference }, code))) return { isFirst: false };
  const fan = await registerFan(context, mode, phone);
  const isFirst = await context.em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(
      AuthorizationSession,
      { id: session.id, step: 'code', [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [] },
      {
        step: 'consent',
        fan: fan.id,
        authenticatedAt: context.now(),
        wrongTries: raw('wrong_tries - 1'),
        triesUnderWay: raw('tries_under_way - 1'),
      },
    );
    if (moved !== 1) return false;
    await forgetPhoneTries({ em: tx }, mode, phone);
    if (mode === 'production') {
      await recordVerified({ ...context, em: tx }, phone, after(expiresAt, -PHONE_CODE_LIFETIME));
    }
    return true;
  });
  return { fan, isFirst };
}

/**
 * The refusal of a right code that did not move the session on: another right one did, or staff have stopped the fan.
 * That is told only to who had the right code, because it gives away that the number is a fan's. The session ends with
 * it.
 */
async function refusalOfRightCode({ em }: CheckContext, session: OpenSession, fan: Fan): Promise<DomainError> {
  if ((await em.count(KillSwitch, { kind: 'fan', fan: fan.id })) === 0) return movedOn();
  await em.nativeUpdate(AuthorizationSession, { id: session.id, step: 'code' }, { step: 'done' });
  return new DomainError(
    'fan_stopped',
    'Sign-in with this number is stopped. Ask the support of the app that sent you here.',
  );
}

/** The refusal of a code while there are tries left. */
export function wrongCode(triesLeft: number): DomainError {
  return new DomainError(
    'wrong_code',
    `This code is wrong. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left.`,
  );
}
