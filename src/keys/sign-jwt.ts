import { type KeyObject, sign } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { WithKeys } from './key-ring.ts';
import { timeSigning } from './time-signing.ts';

/**
 * Signs a payload with the current key, RS256, in the compact form. Without jose: both sign off the event loop, but building a JWT costs
 * 0.06 ms of it with jose and 0.03 ms here, and a code exchange of 0.85 ms builds two.
 * @param typ `at+jwt` for access tokens (RFC 9068), `JWT` for ID tokens, `consent-receipt+jwt` for receipts, `cosign-policy+jwt` for the
 * published policy, `secevent+jwt` for notifications (RFC 8417 §2.3)
 * @see RFC 7515 §3.1, RFC 7518 §3.3
 */
export async function signJwt(
  { keys }: WithKeys,
  typ: 'at+jwt' | 'JWT' | 'consent-receipt+jwt' | 'cosign-policy+jwt' | 'secevent+jwt',
  payload: JWTPayload,
): Promise<string> {
  const { kid, privateKey } = await keys.current();
  const signed = `${base64url({ alg: 'RS256', typ, kid })}.${base64url(payload)}`;
  const signature = await timeSigning('jwt', () => signOffLoop(Buffer.from(signed, 'latin1'), privateKey));
  return `${signed}.${signature.toString('base64url')}`;
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** RSASSA-PKCS1-v1_5 with SHA-256, in libuv's pool. */
function signOffLoop(data: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}
