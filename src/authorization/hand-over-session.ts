import type { Context } from '../context.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { isId } from '../identifier/type-id.ts';

/** A SHA-256 in base64url. */
const HASH = /^[A-Za-z0-9_-]{43}$/;

/**
 * Where the login pages have another host than the issuer, the cookie of the one does not reach the other. So the binding
 * of a session moves once: the host of the login pages gives the browser a cookie of its own and sends it to the issuer's
 * host with the hash of that; the issuer's host, which knows the browser, binds the session to it. A link that was sent to
 * somebody else finds no cookie at the issuer's host, and whoever sent it does not know the hash of the other's cookie.
 * @param browserSecret what the browser's cookie for the issuer's host holds
 * @param to hash of the secret in the browser's cookie for the host of the login pages
 */
export async function handOverSession(
  { em, now }: Pick<Context, 'em' | 'now'>,
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
