/**
 * The errors of the domain and every error code. `OAuthError` (`oauth-error.ts`, whose shape RFC 6749 fixes) and `ChainError`
 * (`chain-error.ts`) are separate; the adapters turn each into an answer.
 *
 * @module
 */

/** What a code means, and how it is answered. */
interface ErrorDescription {
  /** HTTP status; a surface that differs has a small table of its own. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 429 | 500 | 503;
  /** What is refused: an access token, a call of any kind, an action of staff, a step of a fan's sign-in. */
  kind: 'token' | 'request' | 'staff' | 'sign_in';
  /** One sentence; the documentation has those of `token` and `request`. */
  meaning: string;
  /** What the caller should do; the documentation has it too, and the console shows it to support. */
  fix: string;
}

const kindOf =
  (kind: ErrorDescription['kind']) =>
  (status: ErrorDescription['status'], meaning: string, fix: string): ErrorDescription => ({
    status,
    kind,
    meaning,
    fix,
  });
const token = kindOf('token');
const request = kindOf('request');
const staff = kindOf('staff');
const signIn = kindOf('sign_in');

/** Every error code. Codes are stable: partners see them as `X-Error-Code`, the pages as `data.reason`. */
export const ERRORS = {
  invalid_request: request(400, 'The request is invalid.', 'Correct the field that the message names.'),
  access_token_missing: token(401, 'The call has no access token.', 'Send `Authorization: Bearer <token>`.'),
  access_token_malformed: token(
    401,
    'The header or the token in it is malformed.',
    'Send the whole access token, as it was issued, after the word `Bearer` and a space.',
  ),
  access_token_invalid: token(
    401,
    'The token was not issued here, or was changed.',
    'Send the `access_token` of the token response, not the ID token, and check that the issuer is this service.',
  ),
  access_token_expired: token(
    401,
    'The access token has expired.',
    'Refresh it and repeat the call. Refresh before it expires: `expires_in` has its lifetime in seconds.',
  ),
  grant_revoked: token(
    401,
    'The fan or staff ended the access, or one of your tokens leaked.',
    'Send the fan to sign in again.',
  ),
  action_not_granted: token(
    401,
    'The fan has not allowed this action, or has turned it off.',
    'Read `granted_actions` in the token response. To ask again, send the fan to sign in with the scope of the action.',
  ),
  scope_missing: token(
    403,
    'The access token does not have the scope of the operation.',
    'Add the scope to the authorize request, and send the fan to sign in again.',
  ),
  not_found: request(
    404,
    'There is no such ticket or listing for this fan.',
    'Read the tickets again: the ticket may have been sold, given away or left out of the grant.',
  ),
  unknown_route: request(404, 'There is no such path.', 'Compare the path with the API description.'),
  method_not_allowed: request(405, 'The path has other methods.', 'Use a method that `Allow` names.'),
  rate_limited: request(
    429,
    'There were too many calls in a short time.',
    'Wait for `Retry-After` seconds, then repeat the call. Spread calls over time.',
  ),
  internal: request(
    500,
    'The service failed.',
    'Repeat the call later. If it fails again, contact support with the `X-Request-Id`.',
  ),
  unavailable: request(
    503,
    'Part of the service is temporarily down.',
    'Wait for `Retry-After` seconds, then repeat the call.',
  ),
  cluster_missing: request(
    503,
    'Listings and claims are not set up for the client’s mode (no `Retry-After`).',
    'Do not repeat the call. Tell support which client needs them.',
  ),

  sign_in_required: staff(401, 'You are not signed in.', 'Sign in to the console, or send a staff token.'),
  fresh_sign_in_required: staff(
    403,
    'The sign-in is too old for this action.',
    'Sign in again, then repeat the action.',
  ),
  forbidden: staff(
    403,
    'The role or the token does not include the right.',
    'Ask an admin, or use a token with the right.',
  ),
  conflict: staff(
    409,
    'The current state does not allow the change.',
    'Reload it and decide based on its current state.',
  ),
  reason_required: staff(
    400,
    'So many phone numbers in a short time need a reason of their own.',
    'Repeat the call with the reason that the message names. It is added to the audit log.',
  ),
  cursor_ahead: staff(
    410,
    'The cursor is ahead of the feed of tickets: the database was restored to an earlier time.',
    'Take a snapshot, and follow the feed from its cursor.',
  ),
  stale_edit: staff(409, 'Someone else changed it first.', 'Reload it and repeat the edit.'),

  invalid_phone: signIn(
    400,
    'The phone number is invalid, or its country is not served.',
    'Ask the fan to check the country and the digits. In a sandbox, enter the number of a test user.',
  ),
  wrong_code: signIn(
    400,
    'The code is wrong.',
    'Ask the fan to enter the latest code. In a sandbox, enter the code of the test user.',
  ),
  not_a_test_user: signIn(
    400,
    'The number is not a test user of the sandbox.',
    'Enter the number of a test user of the client’s partner. The console lists them.',
  ),
  passkey_refused: signIn(
    400,
    'The passkey was not accepted.',
    'Ask the fan to try again, or to sign in with a code. A passkey that was removed no longer signs anybody in.',
  ),
  passkey_elsewhere: signIn(
    400,
    'The passkey belongs to another account.',
    'Ask the fan to use the passkey of this account, or a code. A sandbox passkey does not work in production.',
  ),
  number_taken: signIn(
    409,
    'The new number has an account of its own.',
    'Ask the fan to use another number. Support can see both accounts in the console.',
  ),
  code_expired: signIn(400, 'The code has expired.', 'Ask the fan to request a new code on the same page.'),
  fan_stopped: signIn(
    400,
    'Staff have stopped the fan.',
    'See the fan’s kill switch in the console. The app can’t change it.',
  ),
  invalid_selection: signIn(
    400,
    'A chosen action or ticket was not available.',
    'Ask the fan to reload the page and choose again.',
  ),
  session_expired: signIn(
    401,
    'The sign-in has expired.',
    'Ask the fan to go back to the app and start again. A sign-in lasts 10 minutes.',
  ),
  session_elsewhere: signIn(
    401,
    'The sign-in was started in another browser.',
    'Finish the sign-in in the browser that started it. Don’t switch from a web view to another browser.',
  ),
  session_not_found: signIn(404, 'There is no such sign-in.', 'Ask the fan to go back to the app and start again.'),
  wrong_step: signIn(
    409,
    'The sign-in is at another step.',
    'Ask the fan to reload the page. It may be open in a second tab.',
  ),
  resend_too_soon: signIn(
    429,
    'The last code was sent a moment ago.',
    'Ask the fan to wait, then request another code.',
  ),
  too_many_tries: signIn(
    429,
    'There were too many wrong codes: the sign-in has ended.',
    'Ask the fan to go back to the app and start again.',
  ),
  verification_unavailable: signIn(
    503,
    'No code can be sent at the moment.',
    'Ask the fan to try again later. See Verification in the console.',
  ),
} satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes that the domain refuses with; the others are for the adapters. */
export type DomainErrorCode = Exclude<ErrorCode, 'unknown_route' | 'method_not_allowed' | 'internal'>;

/** A refusal by a rule of the domain. `message` is for the caller and names what is wrong. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  /** Seconds after which the same call may succeed, where that is known. */
  readonly retryAfter: number | undefined;
  /** For a status of 500 or more: nothing is broken, the caller only has to wait. It is logged below `error`. */
  readonly isExpected: boolean;

  constructor(
    code: DomainErrorCode,
    message: string,
    options: { retryAfter?: number; cause?: unknown; isExpected?: boolean } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.isExpected = options.isExpected ?? false;
  }
}
