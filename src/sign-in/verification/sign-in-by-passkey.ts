import { raw } from '@mikro-orm/core';
import { AuthorizationSession, type SESSION_STEPS } from '../../entities/authorization-session.ts';
import { KillSwitch } from '../../entities/kill-switch.ts';
import type { Passkey, PasskeyPurpose } from '../../entities/passkey.ts';
import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { fanStopped } from '../../entities/stopped.ts';
import { PHONE_CODE_LIFETIME } from '../../oauth/lifetimes.ts';
import type { Context, EntityContext, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { type OpenSession, requireStep, tooManyTries } from '../authorization/find-session.ts';
import type { ChallengeOwner } from '../passkey/challenge.ts';
import { type AuthenticationResponseJSON, checkPasskey } from '../passkey/check-passkey.ts';
import { movedOn } from './code-refusals.ts';
import { type AtContinuity, numberStopped, proveByPasskey } from './continuity.ts';
import { ofSignIn } from './send-code.ts';
import { endTry, giveTryBack, readTestCode, takePasskeyTry } from './statements.ts';

type SignInContext = WriteContext & SqlContext & WithConfig;
type Step = (typeof SESSION_STEPS)[number];

/** Steps at which nobody is signed in yet: a passkey may replace number and code. */
const SIGN_IN_STEPS: Step[] = ['phone', 'code'];

/**
 * Identifies the passkey challenge of a sign-in at its step. At `phone` and `code` a passkey is accepted only if the operator has
 * configured that, because spec §5.6 verifies fans by phone.
 * @throws DomainError `wrong_step` where the step accepts no passkey
 */
export function challengeOf({ config }: WithConfig, session: OpenSession): ChallengeOwner {
  requireStep(session, ...(config.passkeySignIn ? SIGN_IN_STEPS : []), 'continuity');
  const purpose: PasskeyPurpose = session.step === 'continuity' ? 'continuity' : 'sign_in';
  return { owner: session.id, purpose };
}

/**
 * Signs a fan in by a passkey instead of a code; at `continuity`, the passkey shows that the number's account is the fan's. A
 * refused passkey counts as a wrong code.
 * @throws DomainError `passkey_refused`, `passkey_elsewhere`, `fan_stopped`, `too_many_tries`, `wrong_step`
 */
export async function signInByPasskey(
  context: SignInContext,
  session: OpenSession,
  response: AuthenticationResponseJSON,
): Promise<void> {
  const { pool, now } = context;
  const { purpose, owner } = challengeOf(context, session);
  const of = ofSignIn(session);
  const tried = [of.purpose, of.owner];
  // counted before the check, as codes are (D-070)
  const [counted] = await takePasskeyTry(pool, [...tried, session.client.mode, after(now(), PHONE_CODE_LIFETIME)]);
  if (!counted) throw tooManyTries();
  try {
    if (purpose === 'continuity') await proveByPasskey(context, atContinuity(context, session), response);
    else {
      const { fan, amr } = await checkPasskey(context, { owner, purpose }, response);
      await requireReach(pool, session, fan);
      await signIn(context, session, { fan: fan.id, amr, from: SIGN_IN_STEPS });
    }
  } catch (error) {
    const isWrong = error instanceof DomainError && WRONG.has(error.code);
    await (isWrong ? endTry : giveTryBack)(pool, tried);
    throw error;
  }
  await giveTryBack(pool, tried);
}

const WRONG: ReadonlySet<string> = new Set(['passkey_refused', 'passkey_elsewhere']);

interface Arrival {
  fan: Id<'usr'>;
  amr: string;
  /** Steps at which the sign-in may be. */
  from: Step[];
}

/** Moves a sign-in to consent, by one conditional update. @throws DomainError `wrong_step`, `fan_stopped` */
async function signIn({ em, now }: EntityContext, session: OpenSession, { fan, amr, from }: Arrival): Promise<void> {
  const at = { id: session.id, step: { $in: from } };
  const moved = await em.nativeUpdate(
    AuthorizationSession,
    { ...at, [raw(`not exists (${fanStopped('?')})`, [uuidOf('usr', fan)])]: [] },
    { step: 'consent', fan, authenticatedAt: now(), amr },
  );
  if (moved === 1) {
    await em.nativeUpdate(PhoneChallenge, ofSignIn(session), { step: 'done' });
    return;
  }
  if ((await em.count(KillSwitch, { kind: 'fan', fan })) === 0) throw movedOn();
  await em.nativeUpdate(AuthorizationSession, at, { step: 'done' });
  throw numberStopped();
}

/** Requires a fan whom a code could sign in here too: of the client's mode, and in sandbox a test user for the client's partner. */
async function requireReach(pool: Context['pool'], { client }: OpenSession, fan: Passkey['fan']): Promise<void> {
  if (fan.mode !== client.mode)
    throw new DomainError('passkey_elsewhere', `This is a passkey of a ${fan.mode} account, not of ${client.mode}.`);
  if (client.mode === 'production') return;
  const [known] = fan.phone ? await readTestCode(pool, [fan.phone, uuidOf('ptn', client.partner.id)]) : [];
  if (!known?.code) throw new DomainError('passkey_elsewhere', 'This is the passkey of another partner’s test user.');
}

/** A sign-in whose number is proved, while the number's account may be another person's. @throws DomainError `wrong_step` */
export function atContinuity(context: Pick<Context, 'now'>, session: OpenSession): AtContinuity {
  requireStep(session, 'continuity');
  if (!session.challenge) throw new Error(`session ${session.id} is at continuity without a number`);
  return {
    mode: session.client.mode,
    phone: session.challenge.phone,
    owner: session.id,
    open: (em, fan, amr) => signIn({ ...context, em }, session, { fan, amr, from: ['continuity'] }),
  };
}
