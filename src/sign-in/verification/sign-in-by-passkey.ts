import { raw } from '@mikro-orm/core';
import { AuthorizationSession, type SESSION_STEPS } from '../../entities/authorization-session.ts';
import { KillSwitch } from '../../entities/kill-switch.ts';
import type { Passkey, PasskeyPurpose } from '../../entities/passkey.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { fanStopped } from '../../entities/stopped.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { type OpenSession, requireStep, SESSION_TRIES, tooManyTries } from '../authorization/find-session.ts';
import type { ChallengeOwner } from '../passkey/challenge.ts';
import { type AuthenticationResponseJSON, checkPasskey } from '../passkey/check-passkey.ts';
import { movedOn } from './code-refusals.ts';
import { type AtContinuity, numberStopped, proveByPasskey } from './continuity.ts';
import { findTestUser } from './find-test-user.ts';
import { moveToHolder } from './recycled-number.ts';

type SignInContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'>;
type Step = (typeof SESSION_STEPS)[number];
type Checked = Awaited<ReturnType<typeof checkPasskey>>;

/** Steps before which nobody is signed in: a passkey may take the place of number and code. */
const SIGN_IN_STEPS: Step[] = ['phone', 'code'];

/**
 * What a passkey is asked for at the step of a sign-in. In place of the phone it is only where the operator says so: spec §5.6 verifies
 * fans by phone.
 * @throws DomainError `wrong_step` once somebody is signed in
 */
export function challengeOf({ config }: Pick<Context, 'config'>, session: OpenSession): ChallengeOwner {
  requireStep(session, ...(config.passkeySignIn ? SIGN_IN_STEPS : []), 'continuity');
  const purpose: PasskeyPurpose = session.step === 'continuity' ? 'continuity' : 'sign_in';
  return { owner: session.id, purpose };
}

/**
 * Signs a fan in by a passkey, without a code; at `continuity`, shows that the number's account is theirs. A refused passkey
 * counts as a wrong code does.
 * @throws DomainError `passkey_refused`, `passkey_elsewhere`, `fan_stopped`, `too_many_tries`, `wrong_step`
 */
export async function signInByPasskey(
  context: SignInContext,
  session: OpenSession,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const { purpose, owner } = challengeOf(context, session);
  await countTry(context, session);
  try {
    if (purpose === 'continuity') await proveByPasskey(context, await atContinuity(context, session), response);
    else await advance(context, session, await checkPasskey(context, { owner, purpose }, response));
  } catch (error) {
    const isWrong = error instanceof DomainError && WRONG.has(error.code);
    await endTry(context, session, isWrong);
    throw error;
  }
  await endTry(context, session, false);
}

const WRONG: ReadonlySet<string> = new Set(['passkey_refused', 'passkey_elsewhere']);

/** Counted before the check, as codes are (D-070). */
async function countTry({ em }: SignInContext, { id, step }: OpenSession): Promise<void> {
  const counted = await em.nativeUpdate(
    AuthorizationSession,
    { id, step, wrongTries: { $lt: SESSION_TRIES } },
    { wrongTries: raw<number>('wrong_tries + 1'), triesUnderWay: raw<number>('tries_under_way + 1') },
  );
  if (counted === 1) return;
  const now = await em.findOneOrFail(AuthorizationSession, { id }, { refresh: true });
  throw now.step === step ? tooManyTries() : movedOn();
}

async function endTry({ em }: SignInContext, { id }: OpenSession, isWrong: boolean): Promise<void> {
  await em.nativeUpdate(
    AuthorizationSession,
    { id },
    {
      triesUnderWay: raw<number>('tries_under_way - 1'),
      ...(!isWrong && { wrongTries: raw<number>('wrong_tries - 1') }),
    },
  );
}

async function advance({ em, now }: SignInContext, session: OpenSession, { fan, amr }: Checked): Promise<void> {
  await requireReach(em, session, fan);
  const moved = await em.nativeUpdate(
    AuthorizationSession,
    {
      id: session.id,
      step: { $in: SIGN_IN_STEPS },
      [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan.id)])]: [],
    },
    { step: 'consent', fan: fan.id, authenticatedAt: now(), amr },
  );
  if (moved === 1) return;
  if ((await em.count(KillSwitch, { kind: 'fan', fan: fan.id })) === 0) throw movedOn();
  await em.nativeUpdate(AuthorizationSession, { id: session.id, step: { $in: SIGN_IN_STEPS } }, { step: 'done' });
  throw numberStopped();
}

/** A passkey opens what its fan's number and code would: the same mode, and in sandbox the partner's own test users. */
async function requireReach(em: Context['em'], { client }: OpenSession, fan: Passkey['fan']): Promise<void> {
  if (fan.mode !== client.mode)
    throw new DomainError('passkey_elsewhere', `This is a passkey of a ${fan.mode} account, not of ${client.mode}.`);
  if (client.mode === 'production') return;
  if (!fan.phone || !(await findTestUser({ em }, fan.phone, client.partner.id)))
    throw new DomainError('passkey_elsewhere', 'This is the passkey of another partner’s test user.');
}

/** A sign-in whose number is proved, but not that its account is this fan's. @throws DomainError `wrong_step` */
export async function atContinuity(context: SignInContext, session: OpenSession): Promise<AtContinuity> {
  requireStep(session, 'continuity');
  const { em } = context;
  const { phone } = await em.findOneOrFail(PhoneChallenge, { session: session.id });
  const proved = { mode: session.client.mode, phone };
  return {
    ...proved,
    owner: session.id,
    async open(tx, amr) {
      const moved = await moveToHolder({ ...context, em: tx }, proved, {
        table: 'authorization_session',
        where: `s.id = ? and s.step = 'continuity'`,
        whereValues: [uuidOf('sess', session.id)],
        opened: 'consent',
        refusesStopped: true,
        changes: ['amr = ?'],
        changeValues: [amr],
      });
      return moved?.isOpen ?? false;
    },
  };
}
