import { type JWTPayload, SignJWT } from 'jose';
import type { WithKeys } from './key-ring.ts';
import { timeSigning } from './time-signing.ts';

/**
 * Signs a payload with the current key, RS256. WebCrypto does it off the event loop.
 * @param typ `at+jwt` for access tokens (RFC 9068), `JWT` for ID tokens, `consent-receipt+jwt` for receipts
 */
export async function signJwt(
  { keys }: WithKeys,
  typ: 'at+jwt' | 'JWT' | 'consent-receipt+jwt',
  payload: JWTPayload,
): Promise<string> {
  const { kid, privateKey } = await keys.current();
  return timeSigning('jwt', () => new SignJWT(payload).setProtectedHeader({ alg: 'RS256', typ, kid }).sign(privateKey));
}
