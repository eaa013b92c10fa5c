/**
 * The errors of the domain. Three classes exist in the product: `DomainError` (this file), `OAuthError`
 * (`oauth/oauth-error.ts`, whose shape RFC 6749 fixes) and `ChainError` (`chain/chain-error.ts`). The adapters turn
 * each into an answer; nothing else is thrown on purpose.
 */

/** Every way in which the domain refuses. Stable: partners see it as `X-Error-Code`, the login page as `data.reason`. */
export type DomainErrorCode =
  // the Fan API's bearer check
  | 'access_token_missing'
  | 'access_token_malformed'
  | 'access_token_invalid'
  | 'access_token_expired'
  | 'grant_revoked'
  | 'scope_missing'
  | 'action_not_granted'
  // requests
  | 'invalid_request'
  | 'not_found'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'cluster_missing'
  // staff
  | 'sign_in_required'
  | 'fresh_sign_in_required'
  | 'forbidden'
  | 'stale_edit'
  | 'confirmation_required'
  // the login session
  | 'session_not_found'
  | 'session_expired'
  | 'session_elsewhere'
  | 'wrong_step'
  | 'invalid_phone'
  | 'resend_too_soon'
  | 'wrong_code'
  | 'code_expired'
  | 'too_many_tries'
  | 'fan_stopped'
  | 'invalid_selection'
  | 'verification_unavailable';

/** A refusal by a rule of the domain. `message` is written for the person who made the call and names what is wrong. */
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
