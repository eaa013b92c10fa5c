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
  /** One sentence; for `token` and `request` it is in docs/partner-guide.md. */
  meaning: string;
}

/** Every error code. Codes are stable: partners see them as `X-Error-Code`, the pages as `data.reason`. */
export const ERRORS = {
  invalid_request: { status: 400, kind: 'request', meaning: 'mend the request; the message names the field' },
  access_token_missing: { status: 401, kind: 'token', meaning: 'send the header `Authorization: Bearer <token>`' },
  access_token_malformed: { status: 401, kind: 'token', meaning: 'mend the header or the token' },
  access_token_invalid: { status: 401, kind: 'token', meaning: 'the token is not one of this service: mend it' },
  access_token_expired: { status: 401, kind: 'token', meaning: 'refresh' },
  grant_revoked: {
    status: 401,
    kind: 'token',
    meaning: 'the fan took it back, or a token of yours leaked: sign in again',
  },
  action_not_granted: { status: 401, kind: 'token', meaning: 'the fan did not agree to this action: ask again' },
  scope_missing: { status: 403, kind: 'token', meaning: 'ask for the scope in the authorize request' },
  not_found: { status: 404, kind: 'request', meaning: 'there is no such ticket or listing for you' },
  unknown_route: { status: 404, kind: 'request', meaning: 'there is no such path' },
  method_not_allowed: { status: 405, kind: 'request', meaning: 'see `Allow`' },
  rate_limited: { status: 429, kind: 'request', meaning: 'wait for `Retry-After` seconds' },
  internal: { status: 500, kind: 'request', meaning: 'the fault is ours: tell us the `X-Request-Id`' },
  unavailable: {
    status: 503,
    kind: 'request',
    meaning: 'wait for `Retry-After` seconds, then send the same again',
  },
  cluster_missing: {
    status: 503,
    kind: 'request',
    meaning: 'no `Retry-After`: listings and claims of your client’s mode are not set up here; tell us',
  },

  sign_in_required: { status: 401, kind: 'staff', meaning: 'nobody is signed in' },
  fresh_sign_in_required: { status: 403, kind: 'staff', meaning: 'the sign-in is too old for this action' },
  forbidden: { status: 403, kind: 'staff', meaning: 'the role or the token does not include the right' },
  conflict: { status: 409, kind: 'staff', meaning: 'the current state does not allow the change' },
  stale_edit: { status: 409, kind: 'staff', meaning: 'somebody else has changed the same thing' },
  confirmation_required: { status: 409, kind: 'staff', meaning: 'the change must be confirmed by name' },

  invalid_phone: { status: 400, kind: 'sign_in', meaning: 'the phone number is invalid or not served' },
  wrong_code: { status: 400, kind: 'sign_in', meaning: 'the code is wrong' },
  code_expired: { status: 400, kind: 'sign_in', meaning: 'the code is too old' },
  fan_stopped: { status: 400, kind: 'sign_in', meaning: 'staff have stopped the fan' },
  invalid_selection: { status: 400, kind: 'sign_in', meaning: 'an action or a ticket was not on offer' },
  session_expired: { status: 401, kind: 'sign_in', meaning: 'the sign-in took too long' },
  session_elsewhere: { status: 401, kind: 'sign_in', meaning: 'another browser began the sign-in' },
  session_not_found: { status: 404, kind: 'sign_in', meaning: 'there is no such sign-in' },
  wrong_step: { status: 409, kind: 'sign_in', meaning: 'the sign-in is at another step' },
  resend_too_soon: { status: 429, kind: 'sign_in', meaning: 'the last code was sent a moment ago' },
  too_many_tries: { status: 429, kind: 'sign_in', meaning: 'too many wrong codes: the sign-in has ended' },
  verification_unavailable: { status: 503, kind: 'sign_in', meaning: 'no code can be sent at the moment' },
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
