import { AuthorizationSession } from '../../entities/authorization-session.ts';
import type { Context } from '../../platform/context.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { isId } from '../../platform/identifier/type-id.ts';

/** A SHA-256 in base64url. */
const HASH = /^[A-Za-z0-9_-]{43}$/;

/**
 * Moves the browser binding of a session, once, to the cookie of the login host, where that is another host than the
 * issuer's: the login host sets its own cookie and redirects to the issuer with the cookie's hash; the issuer, which has the
 * browser's first cookie, binds the session to the hash. A forged link fails: its recipient has no cookie for the session.
 * @param browserSecret from the cookie for the issuer's host
 * @param to hash of the secret in the cookie for the login host
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
