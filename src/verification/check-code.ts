import { raw } from '@mikro-orm/core';
import { recordVerified } from '../abuse/record-verified.ts';
import { type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
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
import { isRightCode } from './is-right-code.ts';
import { forgetPhoneTries, givePhoneTryBack, takePhoneTry } from './phone-tries.ts';
import type { WithVerification } from './provider.ts';

type CheckContext = Pick<Context, 'em' | 'now' | 'config' | 'log' | 'requestId'> & WithVerification & WithSecrets;

/**
 * Checks the code that the fan typed; the right one moves the session on to consent. A try is counted before the code is
 * looked at, and given back when it was right: parallel guesses can't outrun the count.
 * @throws DomainError `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`;
 * `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(context: CheckContext, session: OpenSession, code: string): Promise<void> {
  const { em, now } = context;
  const { mode } = session.client;
  requireStep(session, 'code');
  const challenge = await em.findOneOrFail(PhoneChallenge, { session: session.id });
  if (challenge.expiresAt <= now()) throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  const triesLeft = await takeTry(context, session, challenge.phone);
  const fan = await verifiedFan(context, session, challenge, code).catch(async (error: unknown) => {
    await giveBackTry(context, session, challenge.phone);
    throw error;
  });
  if (!fan) {
    if (triesLeft <= 0) throw tooManyTries();
    throw wrongCode(triesLeft);
  }
  const signedIn = await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(
      AuthorizationSession,
      { id: session.id, step: 'code', [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [] },
      { step: 'consent', fan: fan.id, authenticatedAt: now(), wrongTries: raw('wrong_tries - 1') },
    );
    if (moved !== 1) return false;
    await forgetPhoneTries({ em: tx }, mode, challenge.phone);
    if (mode === 'production') {
      await recordVerified({ ...context, em: tx }, challenge.phone, after(challenge.expiresAt, -PHONE_CODE_LIFETIME));
    }
    return true;
  });
  if (!signedIn) throw await refusalOfRightCode(context, session, fan);
}

/** Told only to who had the right code: it gives away that the number is a fan's. The session ends with it. */
async function refusalOfRightCode({ em }: CheckContext, session: OpenSession, fan: Fan): Promise<DomainError> {
  if ((await em.count(KillSwitch, { kind: 'fan', fan: fan.id })) === 0) {
    return new DomainError('wrong_step', 'This sign-in has moved on already.');
  }
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

/** Counts a try against the session and the number. @returns how many more the session has */
async function takeTry(context: CheckContext, session: OpenSession, phone: string): Promise<number> {
  if (!(await takePhoneTry(context, session.client.mode, phone))) throw tooManyTries();
  const [taken] = await context.em.execute<{ wrong_tries: number }[]>(
    `update authorization_session set wrong_tries = wrong_tries + 1
     where id = ? and step = 'code' and wrong_tries < ? returning wrong_tries`,
    [uuidOf('sess', session.id), SESSION_TRIES],
  );
  if (!taken) throw tooManyTries();
  return SESSION_TRIES - taken.wrong_tries;
}

/** A code that nobody looked at was no try: the provider could not be asked. */
async function giveBackTry(context: CheckContext, session: OpenSession, phone: string): Promise<void> {
  await givePhoneTryBack(context, session.client.mode, phone);
  await context.em.nativeUpdate(AuthorizationSession, { id: session.id }, { wrongTries: raw('wrong_tries - 1') });
}

/** The fan whose phone this is, if the code is right. */
async function verifiedFan(
  context: CheckContext,
  session: OpenSession,
  { phone, reference }: PhoneChallenge,
  code: string,
): Promise<Fan | undefined> {
  const { mode } = session.client;
  return (await isRightCode(context, { mode, phone, reference }, code)) ? registerFan(context, mode, phone) : undefined;
}
