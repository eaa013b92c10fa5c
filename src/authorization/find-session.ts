import type { Loaded } from '@mikro-orm/core';
import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { DomainError } from '../errors.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { isId } from '../identifier/type-id.ts';
import { matchesRedirectUri } from '../oauth/redirect-uri.ts';

/** A live session with its client. */
export type OpenSession = Loaded<AuthorizationSession, 'client'>;

/** Wrong codes after which a session is over. */
export const SESSION_TRIES = 5;

/**
 * A session of this browser.
 * @param sessionId undefined: the browser's newest
 * @throws DomainError `session_not_found`, `session_elsewhere` (of another browser), `session_expired` (also where its client
 * has lost the redirect URI or a scope since), `too_many_tries`
 */
export async function findSession(
  { em, now }: Pick<Context, 'em' | 'now'>,
  browserSecret: string | undefined,
  sessionId: string | undefined,
): Promise<OpenSession> {
  const browserHash = browserSecret === undefined ? undefined : hashOf(browserSecret);
  const session =
    sessionId === undefined
      ? browserHash &&
        (await em.findOne(
          AuthorizationSession,
          { browserHash },
          { populate: ['client'], orderBy: { createdAt: 'desc' } },
        ))
      : isId('sess', sessionId) &&
        (await em.findOne(AuthorizationSession, { id: sessionId }, { populate: ['client'] }));
  if (!session)
    throw new DomainError('session_not_found', 'This sign-in does not exist. Go back to the app and start again.');
  if (session.browserHash !== browserHash) {
    throw new DomainError(
      'session_elsewhere',
      'This sign-in was started in another browser. Go back to the app and start again here.',
    );
  }
  if (session.expiresAt <= now()) {
    throw new DomainError(
      'session_expired',
      'This sign-in took too long and has expired. Go back to the app and start again.',
    );
  }
  if (!isStillRegistered(session)) {
    throw new DomainError(
      'session_expired',
      'The app has changed since you started. Go back to the app and start again.',
    );
  }
  // a code that is being checked may be the right one
  if (session.wrongTries >= SESSION_TRIES && session.triesUnderWay === 0) throw tooManyTries();
  return session;
}

/** Whether the client may still be sent where the session leads, and ask for its scopes: an edit may have removed them. */
function isStillRegistered({ client, redirectUri, scope }: OpenSession): boolean {
  return matchesRedirectUri(redirectUri, client) && scope.split(' ').every((each) => client.scopes.includes(each));
}

export function tooManyTries(): DomainError {
  return new DomainError('too_many_tries', 'Too many wrong codes. Go back to the app and start again.');
}

/** @throws DomainError `wrong_step` */
export function requireStep(
  session: Pick<AuthorizationSession, 'step'>,
  ...steps: AuthorizationSession['step'][]
): void {
  if (!steps.includes(session.step)) {
    throw new DomainError(
      'wrong_step',
      `This sign-in is at the step "${session.step}"; the call belongs to ${steps.join(' or ')}.`,
    );
  }
}
