/** Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7009 §2.2.1 and OIDC Core §3.1.2.6. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_token'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'temporarily_unavailable';

/** Where an authorization error is sent, once client and redirect URI are validated. */
export interface ErrorRedirect {
  redirectUri: string;
  /** Undefined where the request had no valid one. */
  state: string | undefined;
}

/**
 * An OAuth error. The message is its `error_description`, which is stable.
 * @see RFC 6749 §5.2
 */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode;
  readonly redirect: ErrorRedirect | undefined;

  constructor(error: OAuthErrorCode, description: string, redirect?: ErrorRedirect) {
    super(description);
    this.name = 'OAuthError';
    this.error = error;
    this.redirect = redirect;
  }
}
