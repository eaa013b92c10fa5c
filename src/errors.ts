/**
 * The errors of the domain. Three classes exist in the product: `DomainError` (this file), `OAuthError`
 * (`oauth/oauth-error.ts`, whose shape RFC 6749 fixes) and `ChainError` (`chain-error.ts`). The adapters turn each into an
 * answer.
 */
interface ErrorDescription {
  /** HTTP status; a surface that differs has a small table of its own. */
  status: 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 503;
  /** What is refused: an access token, a call of any kind, an action of staff, a step of a fan's sign-in. */
  kind: 'token' | 'request' | 'staff' | 'sign_in';
  /** One sentence; docs/partner-guide.md has those of `token` and `request`. */
  meaning: string;
}

/** Every error code. Codes are stable: partners see them as `X-Error-Code`, the pages as `data.reason`. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    kind: 'request',
    meaning: 'The request is invalid; the message names the field to correct.',
  },
  access_token_missing: {
    status: 401,
    kind: 'token',
    meaning: 'There is no access token: send `Authorization: Bearer <token>`.',
  },
  access_token_malformed: {
    status: 401,
    kind: 'token',
    meaning: 'The header or the token in it is malformed: correct it.',
  },
  access_token_invalid: {
    status: 401,
    kind: 'token',
    meaning: 'The token was not issued here, or was changed: correct it.',
  },
  access_token_expired: { status: 401, kind: 'token', meaning: 'The token has expired: refresh it.' },
  grant_revoked: {
    status: 401,
    kind: 'token',
    meaning: 'The fan revoked the grant, or one of your tokens leaked: send the fan to sign in again.',
  },
  action_not_granted: { status: 401, kind: 'token', meaning: 'The fan did not agree to this action: ask again.' },
  scope_missing: { status: 403, kind: 'token', meaning: 'Ask for the scope in the authorize request.' },
  not_found: { status: 404, kind: 'request', meaning: 'There is no such ticket or listing for you.' },
  unknown_route: { status: 404, kind: 'request', meaning: 'There is no such path.' },
  method_not_allowed: { status: 405, kind: 'request', meaning: 'The path has other methods: see `Allow`.' },
  rate_limited: { status: 429, kind: 'request', meaning: 'There were too many calls: wait for `Retry-After` seconds.' },
  internal: { status: 500, kind: 'request', meaning: 'Something failed on our side: tell us the `X-Request-Id`.' },
  unavailable: {
    status: 503,
    kind: 'request',
    meaning: 'Something is down for the moment: wait for `Retry-After` seconds, then send the same again.',
  },
  cluster_missing: {
    status: 503,
    kind: 'request',
    meaning: 'Listings and claims of your client’s mode are not set up here (no `Retry-After`): tell us.',
  },

  sign_in_required: { status: 401, kind: 'staff', meaning: 'Nobody is signed in.' },
  fresh_sign_in_required: { status: 403, kind: 'staff', meaning: 'The sign-in is too old for this action.' },
  forbidden: { status: 403, kind: 'staff', meaning: 'The role or the token does not include the right.' },
  conflict: { status: 409, kind: 'staff', meaning: 'The current state does not allow the change.' },
  stale_edit: { status: 409, kind: 'staff', meaning: 'Somebody else has changed the same thing.' },
  confirmation_required: { status: 409, kind: 'staff', meaning: 'The change must be confirmed.' },

  invalid_phone: {
    status: 400,
    kind: 'sign_in',
    meaning: 'The phone number is invalid, or its country is not served.',
  },
  wrong_code: { status: 400, kind: 'sign_in', meaning: 'The code is wrong.' },
  code_expired: { status: 400, kind: 'sign_in', meaning: 'The code has expired.' },
  fan_stopped: { status: 400, kind: 'sign_in', meaning: 'Staff have stopped the fan.' },
  invalid_selection: { status: 400, kind: 'sign_in', meaning: 'An action or a ticket was not on offer.' },
  session_expired: { status: 401, kind: 'sign_in', meaning: 'The sign-in has expired.' },
  session_elsewhere: { status: 401, kind: 'sign_in', meaning: 'Another browser began the sign-in.' },
  session_not_found: { status: 404, kind: 'sign_in', meaning: 'There is no such sign-in.' },
  wrong_step: { status: 409, kind: 'sign_in', meaning: 'The sign-in is at another step.' },
  resend_too_soon: { status: 429, kind: 'sign_in', meaning: 'The last code was sent a moment ago.' },
  too_many_tries: { status: 429, kind: 'sign_in', meaning: 'There were too many wrong codes: the sign-in has ended.' },
  verification_unavailable: { status: 503, kind: 'sign_in', meaning: 'No code can be sent at the moment.' },
} as const satisfies Record<string, ErrorDescription>;

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
