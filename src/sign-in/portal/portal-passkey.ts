import { PhoneChallenge } from '../../entities/phone-challenge.ts';
import { PortalSession } from '../../entities/portal-session.ts';
import type { EntityContext, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import type { ChallengeOwner } from '../passkey/challenge.ts';
import {
  type AuthenticationResponseJSON,
  askForPasskey,
  checkPasskey,
  type PasskeyRequest,
} from '../passkey/check-passkey.ts';
import { movedOn } from '../verification/code-refusals.ts';
import { type AtContinuity, proveByPasskey } from '../verification/continuity.ts';
import { endPortalSession, findPortalChallenge, PORTAL_IDLE, signInIsOver } from './find-portal-session.ts';

type PasskeyContext = WriteContext & SqlContext & WithConfig;

/** The owner of a visit's passkey challenges. */
export function portalOwner(secretHash: string): string {
  return `portal ${secretHash}`;
}

/**
 * Asks a visitor for a passkey: to sign in, or at `continuity` to show that the account is theirs.
 * @returns the options for the browser, and the `secret` for its cookie
 */
export async function askAtPortal(
  context: PasskeyContext,
  secret: string | undefined,
): Promise<{ secret: string; options: PasskeyRequest }> {
  const held = secret ?? newBrowserSecret();
  return { secret: held, options: await askForPasskey(context, await challengeOf(context, held)) };
}

/**
 * Opens the portal by a passkey, under a new secret as after a code.
 * @returns the secret for the browser's cookie
 * @throws DomainError `session_not_found`, `passkey_refused`, `passkey_elsewhere`
 */
export async function enterByPasskey(
  context: PasskeyContext,
  secret: string | undefined,
  response: AuthenticationResponseJSON,
): Promise<{ secret: string }> {
  if (secret === undefined) throw signInIsOver();
  const newSecret = newBrowserSecret();
  const challenge = await challengeOf(context, secret);
  if (challenge.purpose === 'continuity') {
    await proveByPasskey(context, await portalAtContinuity(context, secret, newSecret), response);
    return { secret: newSecret };
  }
  const { fan } = await checkPasskey(context, challenge, response);
  await openVisit(context, fan.id, newSecret);
  await endPortalSession(context, secret);
  return { secret: newSecret };
}

async function openVisit({ em, now }: EntityContext, fan: Id<'usr'>, secret: string): Promise<void> {
  const at = now();
  const visit = { fan, authenticatedAt: at, createdAt: at, expiresAt: after(at, PORTAL_IDLE) };
  await em.insert(PortalSession, { ...visit, secretHash: hashOf(secret) });
}

async function challengeOf(context: PasskeyContext, secret: string): Promise<ChallengeOwner> {
  const found = await findPortalChallenge(context, secret);
  const purpose = found?.step === 'continuity' ? 'continuity' : 'sign_in';
  return { owner: portalOwner(hashOf(secret)), purpose };
}

/**
 * A visit whose number is proved, while the number's account may be another person's.
 * @param newSecret for the cookie once the portal is open
 * @throws DomainError `session_not_found`
 */
export async function portalAtContinuity(
  context: PasskeyContext,
  secret: string | undefined,
  newSecret: string,
): Promise<AtContinuity> {
  const found = await findPortalChallenge(context, secret);
  if (found?.step !== 'continuity') throw signInIsOver();
  const { purpose, owner, mode, phone } = found;
  return {
    mode,
    phone,
    owner: portalOwner(owner),
    async open(em, fan) {
      const proved = { purpose, owner, step: 'continuity' } as const;
      if ((await em.nativeUpdate(PhoneChallenge, proved, { step: 'done' })) !== 1) throw movedOn();
      await openVisit({ ...context, em }, fan, newSecret);
    },
  };
}
