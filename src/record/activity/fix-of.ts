import { CHAIN_FIXES } from '../../platform/chain-error.ts';
import { ERRORS } from '../../platform/errors.ts';
import { OAUTH_FIXES } from '../../platform/oauth-error.ts';
import { OK } from './operations.ts';

/** Fixes of `invalid_request`, by the beginning of its message: only the message names the fault (spec §7). */
const BY_MESSAGE: Readonly<Record<string, string>> = {
  'code is invalid or expired':
    'Exchange the code within 60 seconds, exactly as received in the callback. For a new code, send the fan to sign in again.',
  'code has been used already':
    'Exchange each code once. Look for a retry, or a callback page that is loaded twice. The tokens of this code are revoked; send the fan to sign in again.',
  'code was revoked': 'The access has ended since the fan allowed it. Send the fan to sign in again.',
  'redirect_uri does not match the authorize request':
    'Send the redirect_uri of the authorize request, character for character, and send the fan to sign in again.',
  'Invalid PKCE code_verifier':
    'Send the verifier that this sign-in’s code_challenge was made from. Keep one verifier per sign-in, and send the fan to sign in again.',
  'client_id does not match the authorize request':
    'Use one client_id for the authorize request and the exchange. Check that sandbox and production are not mixed.',
  'The redirect_uri of the link is not one that this app has registered. It must match exactly.':
    'Send one of the registered redirect URIs, character for character, or add this one to the registration.',
  'client_id is unknown': 'Copy the client_id from the registration: it is case-sensitive and starts with client_.',
};

/** Messages with a fix of their own; a test looks for each of them in the code. */
export const MESSAGES_WITH_FIX = Object.keys(BY_MESSAGE);

/** RFC 6749 §4.1.2.1 has its own code for an error of the server. */
const SERVER_ERROR = { server_error: ERRORS.internal.fix };
const FIXES = Object.fromEntries(Object.entries(ERRORS).map(([code, { fix }]) => [code, fix]));
/** Both kinds of codes have `invalid_request`: the fixes of the endpoint that answered come first. */
const OF_OAUTH: Fixes = new Map(Object.entries({ ...FIXES, ...SERVER_ERROR, ...OAUTH_FIXES }));
const OF_API: Fixes = new Map(Object.entries({ ...OAUTH_FIXES, ...CHAIN_FIXES, ...FIXES, ...SERVER_ERROR }));
type Fixes = ReadonlyMap<string, string>;

/** What the caller should do about a refused request; undefined for an unknown code. */
export function fixOf({ operation, outcome, message }: { operation: string; outcome: string; message: string | null }) {
  if (outcome === OK) return undefined;
  const known = MESSAGES_WITH_FIX.find((beginning) => message?.startsWith(beginning));
  if (known !== undefined) return BY_MESSAGE[known];
  return (/^(authorize|token|userinfo|receipts|metadata)\./.test(operation) ? OF_OAUTH : OF_API).get(outcome);
}
