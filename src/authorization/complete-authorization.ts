import type { Context } from '../context.ts';
import { AuthorizationCode } from '../entities/authorization-code.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import type { ConsentGrant } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import { hashOf, newAuthorizationCode } from '../identifier/secret-value.ts';
import type { Id } from '../identifier/type-id.ts';
import { AUTHORIZATION_CODE_LIFETIME, after } from '../oauth/lifetimes.ts';
import { withParameters } from '../oauth/redirect-uri.ts';
import type { OpenSession } from './find-session.ts';

/**
 * Ends a session with a code for the grant that `makeGrant` creates, in the caller's transaction. Locks the session's row
 * before any row that `makeGrant` locks, in the same order as a sandbox reset.
 * @returns the redirect URI with `code` and `state`
 * @throws DomainError `wrong_step` where the session has ended
 */
export async function completeAuthorization(
  { em, now }: Pick<Context, 'em' | 'now'>,
  session: OpenSession,
  makeGrant: (fanId: Id<'usr'>) => Promise<ConsentGrant>,
): Promise<string> {
  // single use: of two concurrent consents one ends the session; and none after another fan has signed in to it
  await endSession(em, session, { step: 'consent', fan: session.fan?.id ?? null });
  const { fan, authenticatedAt } = session;
  if (!fan || !authenticatedAt) throw new Error(`session ${session.id} reached consent without a verified fan`);
  const code = newAuthorizationCode();
  em.create(AuthorizationCode, {
    hash: hashOf(code),
    client: session.client.id,
    grant: await makeGrant(fan.id),
    redirectUri: session.redirectUri,
    codeChallenge: session.codeChallenge,
    nonce: session.nonce ?? null,
    authenticatedAt,
    expiresAt: after(now(), AUTHORIZATION_CODE_LIFETIME),
  });
  return withParameters(session.redirectUri, { code, state: session.state });
}

/**
 * Ends a session that the fan cancelled, at any step.
 * @returns the redirect URI with `error=access_denied`
 * @see RFC 6749 §4.1.2.1
 */
export async function denyAuthorization({ em }: Pick<Context, 'em'>, session: OpenSession): Promise<string> {
  await endSession(em, session, { step: { $ne: 'done' } });
  return withParameters(session.redirectUri, {
    error: 'access_denied',
    error_description: 'The user denied the request',
    state: session.state,
  });
}

async function endSession(
  em: Context['em'],
  { id }: OpenSession,
  where: { step: 'consent'; fan: Id<'usr'> | null } | { step: { $ne: 'done' } },
): Promise<void> {
  const ended = await em.nativeUpdate(AuthorizationSession, { id, ...where }, { step: 'done' });
  if (ended !== 1) throw new DomainError('wrong_step', 'This sign-in has been completed already.');
}
