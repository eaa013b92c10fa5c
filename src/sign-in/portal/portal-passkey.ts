import { PortalSession } from '../../entities/portal-session.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import { after } from '../../platform/time.ts';
import type { ChallengeOwner } from '../passkey/challenge.ts';
import {
  type AuthenticationResponseJSON,
  askForPasskey,
  checkPasskey,
  type PasskeyRequest,
} from '../passkey/check-passkey.ts';
import { type AtContinuity, proveByPasskey } from '../verification/continuity.ts';
import { moveToHolder } from '../verification/recycled-number.ts';
import { endPortalSession, findPortalContinuity, numberUnderCheck, PORTAL_IDLE } from './find-portal-session.ts';

type PasskeyContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'>;

/** Names a visit in challenges. */
export function portalOwner(secretHash: string): string {
  return `portal ${secretHash}`;
}

/**
 * Asks a visitor for a passkey: to sign in, or at `continuity` to show that the account is theirs.
 * @returns with the `secret` for the browser's cookie
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
  if (secret === undefined) throw new DomainError('session_not_found', 'This sign-in is over. Begin again.');
  const newSecret = newBrowserSecret();
  const challenge = await challengeOf(context, secret);
  if (challenge.purpose === 'continuity') {
    await proveByPasskey(context, await portalAtContinuity(context, secret, newSecret), response);
    return { secret: newSecret };
  }
  const { fan } = await checkPasskey(context, challenge, response);
  const { em, now } = context;
  await em.insert(PortalSession, {
    secretHash: hashOf(newSecret),
    step: 'open',
    phone: null,
    mode: fan.mode,
    resendAt: now(),
    codeExpiresAt: now(),
    fan: fan.id,
    authenticatedAt: now(),
    createdAt: now(),
    expiresAt: after(now(), PORTAL_IDLE),
  });
  await endPortalSession(context, secret);
  return { secret: newSecret };
}

async function challengeOf(context: PasskeyContext, secret: string): Promise<ChallengeOwner> {
  const purpose = (await findPortalContinuity(context, secret)) ? 'continuity' : 'sign_in';
  return { owner: portalOwner(hashOf(secret)), purpose };
}

/**
 * A visit whose number is proved, but not that its account is this fan's.
 * @param newSecret for the cookie once the portal is open
 * @throws DomainError `session_not_found`
 */
export async function portalAtContinuity(
  context: PasskeyContext,
  secret: string | undefined,
  newSecret: string,
): Promise<AtContinuity> {
  const visit = await findPortalContinuity(context, secret);
  if (!visit) throw new DomainError('session_not_found', 'This sign-in is over. Begin again with your number.');
  const { secretHash, mode } = visit;
  const proved = { mode, phone: numberUnderCheck(visit) };
  return {
    ...proved,
    owner: portalOwner(secretHash),
    async open(tx) {
      const moved = await moveToHolder({ ...context, em: tx }, proved, {
        table: 'portal_session',
        where: `s.secret_hash = ? and s.step = 'continuity'`,
        whereValues: [secretHash],
        opened: 'open',
        refusesStopped: false,
        changes: ['secret_hash = ?', 'expires_at = ?'],
        changeValues: [hashOf(newSecret), after(context.now(), PORTAL_IDLE)],
      });
      return moved?.isOpen ?? false;
    },
  };
}
