import { AuthorizationSession } from '../../entities/authorization-session.ts';
import { Client } from '../../entities/client.ts';
import { AUTHORIZATION_SESSION_LIFETIME } from '../../oauth/lifetimes.ts';
import { withParameters } from '../../partners/redirect-uri.ts';
import type { Context, EntityContext, WithConfig } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashOf, newBrowserSecret } from '../../platform/identifier/secret-value.ts';
import { type Id, isId, newId } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { checkAuthorizeRequest, requestedClientId } from './authorize-request.ts';

export interface StartedAuthorization {
  /** The hosted login: `{login_url}?session_id=…&client_name=…` (spec §5.3). */
  redirectTo: string;
  /** For the browser's cookie. */
  browserSecret: string;
  sessionId: Id<'sess'>;
  redirectUri: string;
  state: string;
}

/**
 * Checks an authorization request and opens a session for it.
 * @param browserSecret from the browser's cookie; reused, so that several tabs share it
 * @throws DomainError, shown as a page, or OAuthError with a redirect (see `checkAuthorizeRequest`)
 */
export async function startAuthorization(
  context: EntityContext & WithConfig,
  parameters: URLSearchParams,
  browserSecret: string | undefined,
): Promise<StartedAuthorization> {
  const { em, now, config } = context;
  const client = await findClient(em, requestedClientId(parameters));
  const request = checkAuthorizeRequest(parameters, client);
  const secret = browserSecret !== undefined && BROWSER_SECRET.test(browserSecret) ? browserSecret : newBrowserSecret();
  const id = newId('sess');
  // one statement needs no transaction
  await em.insert(AuthorizationSession, {
    ...request,
    id,
    client: client.id,
    browserHash: hashOf(secret),
    createdAt: now(),
    expiresAt: after(now(), AUTHORIZATION_SESSION_LIFETIME),
  });
  return {
    redirectTo: withParameters(config.loginUrl, { session_id: id, client_name: client.name }),
    browserSecret: secret,
    sessionId: id,
    redirectUri: request.redirectUri,
    state: request.state,
  };
}

const BROWSER_SECRET = /^br_[A-Za-z0-9_-]{43}$/;

async function findClient(em: Context['em'], id: string): Promise<Client> {
  const client = isId('client', id) ? await em.findOne(Client, { id }, { populate: ['stopped'] }) : null;
  if (!client)
    throw new DomainError('invalid_request', 'The app that sent you here is not known: its client_id is wrong.');
  return client;
}

/** A SHA-256 in base64url. */
const HASH = /^[A-Za-z0-9_-]{43}$/;

/**
 * Binds a session, once, to the browser's cookie for the login host, where that is another host than the issuer's. The login host
 * sets that cookie and redirects to the issuer with the hash of the cookie's secret. The issuer recognises the browser by its first
 * cookie and binds the session to that hash. A forged link fails: a browser that follows it has no cookie for the session.
 * @param browserSecret from the first cookie, that for the issuer's host
 * @param to hash of the secret in the cookie for the login host
 */
export async function handOverSession(
  { em, now }: EntityContext,
  sessionId: string,
  browserSecret: string | undefined,
  to: string,
): Promise<void> {
  if (browserSecret === undefined || !isId('sess', sessionId) || !HASH.test(to)) return;
  await em.nativeUpdate(
    AuthorizationSession,
    { id: sessionId, browserHash: hashOf(browserSecret), step: 'phone', expiresAt: { $gt: now() } },
    { browserHash: to },
  );
}
