import * as oauth from 'oauth4webapi';
import { CheckError, type CheckName, OAuthError } from './errors.ts';

/**
 * The service always sends `at_hash`, so one without it is refused too: it binds the access token to the ID token.
 * @throws CheckError @see OIDC Core §3.1.3.6
 */
export async function checkAccessTokenHash(given: unknown, accessToken: string): Promise<void> {
  if (given === undefined) throw new CheckError('at_hash', 'The ID token has no at_hash.');
  if (given !== (await accessTokenHash(accessToken))) {
    throw new CheckError('at_hash', 'The at_hash of the ID token is of another access token.');
  }
}

/** The left half of the SHA-256 of the access token, in base64url. */
export async function accessTokenHash(accessToken: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken));
  const bytes = String.fromCharCode(...new Uint8Array(digest, 0, 16));
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Words of the library's messages, and the check that they are about. */
const CHECKS: readonly [RegExp, CheckName][] = [
  [/"state"/, 'state'],
  [/"iss"|"issuer"/, 'iss'],
  [/"nonce"/, 'nonce'],
  [/signature|when selecting a JWT verification key|JWKS/i, 'signature'],
  [/JWT|ID Token|id_token/i, 'id_token'],
];

/** An error of oauth4webapi as one of the SDK; others are returned as they are. */
export function checkErrorOf(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError) {
    return new OAuthError(error.error, error.error_description);
  }
  if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)) {
    return error;
  }
  const [, check = 'answer'] = CHECKS.find(([words]) => words.test(error.message)) ?? [];
  return new CheckError(check, error.message, error);
}
