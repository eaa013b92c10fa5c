import type { AuthorizationSession, SESSION_STEPS } from '../../entities/authorization-session.ts';
import { matchesRedirectUri } from '../../partners/redirect-uri.ts';
import type { SqlContext } from '../../platform/context.ts';
import { type Prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, tryUuidOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

type Client = OpenSession['client'];
type Challenge = NonNullable<OpenSession['challenge']>;

/** A session, its client, and the number that it has under verification, in one row. */
interface SessionRow<More>
  extends Omit<OpenSession, 'id' | 'fan' | 'client' | 'challenge'>,
    Pick<Client, 'mode' | 'scopes' | 'redirectUris' | 'loopbackAnyPort'>,
    Pick<Challenge, 'reference' | 'resendAt'> {
  id: Uuid;
  fanId: Uuid | null;
  clientId: Uuid;
  clientName: string;
  partnerId: Uuid;
  partnerName: string;
  phone: string | null;
  codeExpiresAt: Date;
  more: More;
}

const COLUMNS = `s.id, s.browser_hash as "browserHash", s.redirect_uri as "redirectUri", s.scope, s.state,
  s.code_challenge as "codeChallenge", s.nonce, s.login_hint as "loginHint", s.ui_locales as "uiLocales", s.step,
  coalesce(h.wrong_tries, 0) as "wrongTries", coalesce(h.tries_under_way, 0) as "triesUnderWay", s.code_hash as "codeHash",
  s.authenticated_at as "authenticatedAt", s.expires_at as "expiresAt", s.fan_id as "fanId", s.client_id as "clientId",
  c.name as "clientName", c.mode, c.scopes, c.redirect_uris as "redirectUris", c.loopback_any_port as "loopbackAnyPort",
  c.partner_id as "partnerId", p.name as "partnerName", h.phone, h.reference, h.resend_at as "resendAt",
  h.expires_at as "codeExpiresAt"`;

/**
 * Prepares two reads at the time `$2`: of the session with the `uuid` `$1`, and of the newest session of the browser with the hash `$1`.
 * @param more SQL of one value over `authorization_session s`, `client c`, `phone_challenge h` and `clock.now`
 */
export function readSession<More>(more: string): Record<'byId' | 'newest', Prepared<SessionRow<More>>> {
  const readBy = (condition: string) =>
    preparedWithDates<SessionRow<More>>(`
      select ${COLUMNS}, ${more} as more
      from authorization_session s join client c on c.id = s.client_id join partner p on p.id = c.partner_id
        left join phone_challenge h on h.purpose = 'login' and h.owner = s.id::text
        cross join (select $2::timestamptz as now) clock
      where ${condition}`);
  return {
    byId: readBy('s.id = $1'),
    newest: readBy('s.browser_hash = $1 order by s.created_at desc limit 1'),
  };
}

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
  context: SqlContext,
  browserSecret: string | undefined,
  sessionId: string | undefined,
) => Promise<OpenSession & { more: More }>;

/** Wrong codes and passkeys after which a sign-in is over. */
export const SESSION_TRIES = 5;

/**
 * Prepares the read of a session with one more value that a call needs, in one round trip.
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

/** Finds a session without a further value. */
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

/** Whether the client still has the session's redirect URI and scopes: an edit may have removed them. */
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
      `This sign-in is at the step "${session.step}"; this call needs the step ${steps.join(' or ')}.`,
    );
  }
}
