import { createHash } from 'node:crypto';

/** Proof Key for Code Exchange, S256 only. @see RFC 7636 */

/** 32 bytes in base64url: 43 characters, the last of which carries only four bits. */
const CHALLENGE = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
/** @see RFC 7636 §4.1 */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Whether a `code_challenge` is the base64url of a SHA-256 digest. @see RFC 7636 §4.2 */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text);
}

/** Whether a `code_verifier` has 43 to 128 unreserved characters. @see RFC 7636 §4.1 */
export function isCodeVerifier(text: string): boolean {
  return VERIFIER.test(text);
}

/** The challenge of a verifier: BASE64URL(SHA256(verifier)). @see RFC 7636 §4.6 */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
