import type { AuthorizationSession, SESSION_STEPS } from '../../entities/authorization-session.ts';
import { matchesRedirectUri } from '../../partners/redirect-uri.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, tryUuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { readSession, type SessionRow } from './statements.ts';

/** A live session, its client, and the number that it has under verification. */
export interface OpenSession extends AuthorizeRequest {
  id: Id<'sess'>;
  browserHash: string;
  step: (typeof SESSION_STEPS)[number];
  wrongTries: number;
  triesUnderWay: number;
  codeHash: string | null;
  expiresAt: Date;
  authenticatedAt: Date | null;
  fan: { id: Id<'usr'> } | null;
  client: {
    id: Id<'client'>;
    name: string;
    mode: Mode;
    scopes: string[];
    redirectUris: string[];
    loopbackAnyPort: boolean;
    partner: { id: Id<'ptn'>; name: string };
  };
  challenge: { phone: string; reference: string | null; resendAt: Date; expiresAt: Date } | null;
}

/**
 * Finds a session of this browser.
 * @param sessionId undefined: the browser's newest
 * @throws DomainError `session_not_found`, `session_elsewhere` (of another browser), `session_expired` (also where its client
 * has lost the redirect URI or a scope since), `too_many_tries`
 */
export type FindSession<More> = (
  context: Pick<Context, 'pool' | 'now'>,
  browserSecret: string | undefined,
  sessionId: string | undefined,
) => Promise<OpenSession & { more: More }>;

/** Wrong codes and passkeys after which a sign-in is over. */
export const SESSION_TRIES = 5;

/**
 * Prepares the read of a session with what a call needs beside it, in one round trip.
 * @param more as for `readSession`
 */
export function sessionFinder<More>(more: string): FindSession<More> {
  const { byId, newest } = readSession<More>(more);
  return async ({ pool, now }, browserSecret, sessionId) => {
    const browserHash = browserSecret === undefined ? undefined : hashOf(browserSecret);
    const uuid = sessionId === undefined ? undefined : tryUuidOf('sess', sessionId);
    let rows: SessionRow<More>[] = [];
    if (uuid !== undefined) rows = await byId(pool, [uuid, now()]);
    else if (sessionId === undefined && browserHash !== undefined) rows = await newest(pool, [browserHash, now()]);
    const [row] = rows;
    return { ...requireOpen(row && sessionOf(row), browserHash, now()), more: row?.more as More };
  };
}

/** A session with nothing beside it. */
export const findSession = sessionFinder<null>('null');

function sessionOf(row: SessionRow<unknown>): OpenSession {
  const { fanId, clientId, clientName, mode, scopes, redirectUris, loopbackAnyPort, partnerId, partnerName } = row;
  const { phone, reference, resendAt, codeExpiresAt: expiresAt } = row;
  const partner = { id: idOf('ptn', partnerId), name: partnerName };
  return {
    ...row,
    id: idOf('sess', row.id),
    fan: fanId === null ? null : { id: idOf('usr', fanId) },
    client: { id: idOf('client', clientId), name: clientName, mode, scopes, redirectUris, loopbackAnyPort, partner },
    challenge: phone === null ? null : { phone, reference, resendAt, expiresAt },
  };
}

function requireOpen(session: OpenSession | undefined, browserHash: string | undefined, now: Date): OpenSession {
  if (!session)
    throw new DomainError('session_not_found', 'This sign-in does not exist. Go back to the app and start again.');
  if (session.browserHash !== browserHash) {
    throw new DomainError(
      'session_elsewhere',
      'This sign-in was started in another browser. Go back to the app and start again here.',
    );
  }
  if (session.expiresAt <= now) {
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

/** @param next what the fan can do */
export function tooManyTries(next = 'Go back to the app and start again.'): DomainError {
  return new DomainError('too_many_tries', `Too many wrong codes. ${next}`);
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
