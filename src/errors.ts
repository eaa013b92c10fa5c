/**
 * The errors of the domain and every error code. Beside `DomainError` stand `OAuthError` (`oauth/oauth-error.ts`, whose shape RFC
 * 6749 fixes) and `ChainError` (`chain-error.ts`); the adapters turn each into an answer.
 *
 * @module
 */

/** What a code means, and how it is answered. */
interface ErrorDescription {
  /** HTTP status; a surface that differs has a small table of its own. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 503;
  /** What is refused: an access token, a call of any kind, an action of staff, a step of a fan's sign-in. */
  kind: 'token' | 'request' | 'staff' | 'sign_in';
  /** One sentence; docs/partner-guide.md has those of `token` and `request`. */
  meaning: string;
}

const kindOf =
  (kind: ErrorDescription['kind']) =>
  (status: ErrorDescription['status'], meaning: string): ErrorDescription => ({ status, kind, meaning });
const token = kindOf('token');
const request = kindOf('request');
const staff = kindOf('staff');
const signIn = kindOf('sign_in');

/** Every error code. Codes are stable: partners see them as `X-Error-Code`, the pages as `data.reason`. */
export const ERRORS = {
  invalid_request: request(400, 'The request is invalid; the message names the field to correct.'),
  access_token_missing: token(401, 'There is no access token: send `Authorization: Bearer <token>`.'),
  access_token_malformed: token(401, 'The header or the token in it is malformed: correct it.'),
  access_token_invalid: token(401, 'The token was not issued here, or was changed: correct it.'),
  access_token_expired: token(401, 'The token has expired: refresh it.'),
  grant_revoked: token(401, 'The fan revoked the grant, or one of your tokens leaked: send the fan to sign in again.'),
  action_not_granted: token(401, 'The fan did not agree to this action: ask again.'),
  scope_missing: token(403, 'Ask for the scope in the authorize request.'),
  not_found: request(404, 'There is no such ticket or listing for you.'),
  unknown_route: request(404, 'There is no such path.'),
  method_not_allowed: request(405, 'The path has other methods: see `Allow`.'),
  rate_limited: request(429, 'There were too many calls: wait for `Retry-After` seconds.'),
  internal: request(500, 'Something failed on our side: tell us the `X-Request-Id`.'),
  unavailable: request(
    503,
    'Something is down for the moment: wait for `Retry-After` seconds, then repeat the request.',
  ),
  cluster_missing: request(
    503,
    'Listings and claims of your client’s mode are not set up here (no `Retry-After`): tell us.',
  ),

  sign_in_required: staff(401, 'Nobody is signed in.'),
  fresh_sign_in_required: staff(403, 'The sign-in is too old for this action.'),
  forbidden: staff(403, 'The role or the token does not include the right.'),
  conflict: staff(409, 'The current state does not allow the change.'),
  stale_edit: staff(409, 'Somebody else has changed the same thing.'),
  confirmation_required: staff(409, 'The change must be confirmed.'),

  invalid_phone: signIn(400, 'The phone number is invalid, or its country is not served.'),
  wrong_code: signIn(400, 'The code is wrong.'),
  code_expired: signIn(400, 'The code has expired.'),
  fan_stopped: signIn(400, 'Staff have stopped the fan.'),
  invalid_selection: signIn(400, 'An action or a ticket was not on offer.'),
  session_expired: signIn(401, 'The sign-in has expired.'),
  session_elsewhere: signIn(401, 'Another browser began the sign-in.'),
  session_not_found: signIn(404, 'There is no such sign-in.'),
  wrong_step: signIn(409, 'The sign-in is at another step.'),
  resend_too_soon: signIn(429, 'The last code was sent a moment ago.'),
  too_many_tries: signIn(429, 'There were too many wrong codes: the sign-in has ended.'),
  verification_unavailable: signIn(503, 'No code can be sent at the moment.'),
} satisfies Record<string, ErrorDescription>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes that the domain refuses with; the others are for the adapters. */
export type DomainErrorCode = Exclude<ErrorCode, 'unknown_route' | 'method_not_allowed' | 'internal'>;

/** A refusal by a rule of the domain. `message` is for the caller and names what is wrong. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  /** Seconds after which the same call may succeed, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: DomainErrorCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DomainError';
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}
