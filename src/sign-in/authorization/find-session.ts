import type { AuthorizationSession, SESSION_STEPS } from '../../entities/authorization-session.ts';
import { matchesRedirectUri } from '../../partners/redirect-uri.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

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

interface SessionRow<More> extends Pick<OpenSession, 'scope' | 'state' | 'nonce' | 'step'> {
  id: Uuid;
  browser_hash: string;
  redirect_uri: string;
  code_challenge: string;
  login_hint: string | null;
  ui_locales: string | null;
  wrong_tries: number;
  tries_under_way: number;
  code_hash: string | null;
  authenticated_at: Date | null;
  expires_at: Date;
  fan_id: Uuid | null;
  client_id: Uuid;
  client_name: string;
  mode: Mode;
  scopes: string[];
  redirect_uris: string[];
  loopback_any_port: boolean;
  partner_id: Uuid;
  partner_name: string;
  phone: string | null;
  reference: string | null;
  resend_at: Date;
  code_expires_at: Date;
  more: More;
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

const COLUMNS = `s.id, s.browser_hash, s.redirect_uri, s.scope, s.state, s.code_challenge, s.nonce, s.login_hint, s.ui_locales,
  s.step, coalesce(h.wrong_tries, 0) as wrong_tries, coalesce(h.tries_under_way, 0) as tries_under_way, s.code_hash, s.authenticated_at, s.expires_at, s.fan_id,
  s.client_id, c.name as client_name, c.mode, c.scopes, c.redirect_uris, c.loopback_any_port, c.partner_id, p.name as partner_name,
  h.phone, h.reference, h.resend_at, h.expires_at as code_expires_at`;

/**
 * Prepares the read of a session with what a call needs beside it, in one round trip.
 * @param more SQL of one value over `authorization_session s`, `client c`, `phone_challenge h` and `clock.now`
 */
export function sessionFinder<More>(more: string): FindSession<More> {
  const readBy = (condition: string) =>
    preparedWithDates<SessionRow<More>>(`
      select ${COLUMNS}, ${more} as more
      from authorization_session s join client c on c.id = s.client_id join partner p on p.id = c.partner_id
        left join phone_challenge h on h.purpose = 'login' and h.owner = s.id::text
        cross join (select $2::timestamptz as now) clock
      where ${condition}`);
  const readById = readBy('s.id = $1');
  const readNewest = readBy('s.browser_hash = $1 order by s.created_at desc limit 1');
  return async ({ pool, now }, browserSecret, sessionId) => {
    const browserHash = browserSecret === undefined ? undefined : hashOf(browserSecret);
    const uuid = sessionId === undefined ? undefined : tryUuidOf('sess', sessionId);
    let rows: SessionRow<More>[] = [];
    if (uuid !== undefined) rows = await readById(pool, [uuid, now()]);
    else if (sessionId === undefined && browserHash !== undefined) rows = await readNewest(pool, [browserHash, now()]);
    const [row] = rows;
    return { ...requireOpen(row && sessionOf(row), browserHash, now()), more: row?.more as More };
  };
}

/** A session with nothing beside it. */
export const findSession = sessionFinder<null>('null');

function sessionOf(row: SessionRow<unknown>): OpenSession {
  const { scope, state, nonce, step, mode, scopes, phone, reference } = row;
  return {
    id: idOf('sess', row.id),
    browserHash: row.browser_hash,
    redirectUri: row.redirect_uri,
    scope,
    state,
    codeChallenge: row.code_challenge,
    nonce,
    loginHint: row.login_hint,
    uiLocales: row.ui_locales,
    step,
    wrongTries: row.wrong_tries,
    triesUnderWay: row.tries_under_way,
    codeHash: row.code_hash,
    expiresAt: row.expires_at,
    authenticatedAt: row.authenticated_at,
    fan: row.fan_id === null ? null : { id: idOf('usr', row.fan_id) },
    client: {
      id: idOf('client', row.client_id),
      name: row.client_name,
      mode,
      scopes,
      redirectUris: row.redirect_uris,
      loopbackAnyPort: row.loopback_any_port,
      partner: { id: idOf('ptn', row.partner_id), name: row.partner_name },
    },
    challenge: phone === null ? null : { phone, reference, resendAt: row.resend_at, expiresAt: row.code_expires_at },
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
