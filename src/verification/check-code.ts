import { timingSafeEqual } from 'node:crypto';
import { raw } from '@mikro-orm/core';
import { type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { Fan } from '../entities/fan.ts';
import { KillSwitch } from '../entities/kill-switch.ts';
import type { Mode } from '../entities/mode.ts';
import { PhoneChallenge } from '../entities/phone-challenge.ts';
import { PhoneTries } from '../entities/phone-tries.ts';
import { TestUser } from '../entities/test-user.ts';
import { DomainError } from '../errors.ts';
import { registerFan } from '../fan/register-fan.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { idOf, uuidOf } from '../identifier/type-id.ts';
import { fanStopped } from '../kill-switch/stopped.ts';
import { after, PHONE_CODE_LIFETIME } from '../oauth/lifetimes.ts';

type CheckContext = Pick<Context, 'em' | 'now' | 'verification' | 'secrets' | 'requestId'>;

/**
 * Wrong codes per number within one code's lifetime, over all sessions, so that opening sessions buys no guesses. A
 * sandbox code guards test data and is shared by a partner's test runs, which try wrong codes on purpose.
 */
const TRIES_PER_NUMBER: Record<Mode, number> = { production: 5, sandbox: 1000 };

/**
 * Checks the code that the fan typed; the right one moves the session on to consent. A try is counted before the code is
 * looked at, and given back when it was right: parallel guesses can't outrun the count.
 * @throws DomainError `wrong_step`, `wrong_code`, `code_expired`, `too_many_tries`, `verification_unavailable`;
 * `fan_stopped` where the code was right but staff have stopped the fan
 */
export async function checkCode(context: CheckContext, session: OpenSession, code: string): Promise<void> {
  const { em, now } = context;
  requireStep(session, 'code');
  const challenge = await em.findOneOrFail(PhoneChallenge, { session: session.id });
  if (challenge.expiresAt <= now()) throw new DomainError('code_expired', 'This code has expired. Ask for a new one.');
  const triesLeft = await takeTry(context, session, challenge.phone);
  const fan = await verifiedFan(context, session.client.mode, challenge, code).catch(async (error: unknown) => {
    await giveBackTry(context, session, challenge.phone);
    throw error;
  });
  if (!fan) {
    if (triesLeft <= 0) throw tooManyTries();
    throw new DomainError(
      'wrong_code',
      `This code is wrong. ${triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`} left.`,
    );
  }
  const signedIn = await em.transactional(async (tx) => {
    const moved = await tx.nativeUpdate(
      AuthorizationSession,
      { id: session.id, step: 'code', [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [] },
      { step: 'consent', fan: fan.id, authenticatedAt: now(), wrongTries: raw('wrong_tries - 1') },
    );
    if (moved !== 1) return false;
    await tx.nativeDelete(PhoneTries, { mode: session.client.mode, phone: challenge.phone });
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

/** Counts a try against the session and the number. @returns how many more the session has */
async function takeTry({ em, now }: CheckContext, session: OpenSession, phone: string): Promise<number> {
  const { mode } = session.client;
  const counted = await em.execute<{ tries: number }[]>(
    `insert into phone_tries (mode, phone, tries, window_ends_at) values (?, ?, 1, ?)
     on conflict (mode, phone) do update set
       tries = case when phone_tries.window_ends_at <= ? then 1 else phone_tries.tries + 1 end,
       window_ends_at = case when phone_tries.window_ends_at <= ? then excluded.window_ends_at else phone_tries.window_ends_at end
     where phone_tries.window_ends_at <= ? or phone_tries.tries < ?
     returning tries`,
    [mode, phone, after(now(), PHONE_CODE_LIFETIME), now(), now(), now(), TRIES_PER_NUMBER[mode]],
  );
  if (counted.length === 0) throw tooManyTries();
  const [taken] = await em.execute<{ wrong_tries: number }[]>(
    `update authorization_session set wrong_tries = wrong_tries + 1
     where id = ? and step = 'code' and wrong_tries < ? returning wrong_tries`,
    [uuidOf('sess', session.id), SESSION_TRIES],
  );
  if (!taken) throw tooManyTries();
  return SESSION_TRIES - taken.wrong_tries;
}

/** A code that nobody looked at was no try: the provider could not be asked. */
async function giveBackTry({ em }: CheckContext, session: OpenSession, phone: string): Promise<void> {
  await em.nativeUpdate(
    PhoneTries,
    { mode: session.client.mode, phone, tries: { $gt: 0 } },
    { tries: raw('tries - 1') },
  );
  await em.nativeUpdate(AuthorizationSession, { id: session.id }, { wrongTries: raw('wrong_tries - 1') });
}

/** The fan whose phone this is, if the code is right. */
async function verifiedFan(
  context: CheckContext,
  mode: Mode,
  challenge: PhoneChallenge,
  code: string,
): Promise<Fan | undefined> {
  const { em, verification } = context;
  if (mode === 'sandbox') {
    const fan = await em.findOne(Fan, { mode, phone: challenge.phone });
    const testUser = await em.findOne(TestUser, { fan: fan?.id ?? NOBODY });
    // compared in either case, so that an unknown number takes the same time
    const right = sameCode(testUser?.code ?? 'no such user', code);
    return fan && testUser && right ? fan : undefined;
  }
  if (challenge.reference === null || challenge.reference === undefined) return undefined;
  const right = await verification.check(challenge.phone, challenge.reference, code);
  return right ? registerFan(context, mode, challenge.phone) : undefined;
}

/** An identifier that nobody has: the look-up takes place for unknown numbers too. */
const NOBODY = idOf('usr', '00000000-0000-7000-8000-000000000000');

function sameCode(expected: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(expected)), Buffer.from(hashOf(given)));
}
