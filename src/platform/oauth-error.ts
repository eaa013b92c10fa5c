/** Error codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7009 §2.2.1 and OIDC Core §3.1.2.6, each with the partner's fix. */
export const OAUTH_FIXES = {
  invalid_request: 'Correct the parameter that the message names.',
  invalid_client:
    'Send `client_id` in the form, and neither a secret nor an `Authorization` header: clients are public.',
  invalid_grant:
    'Send the fan to sign in again. Keep the newest refresh token only, and refresh with the `client_id` that got it: each one works once.',
  invalid_scope: 'Ask only for scopes that the client is registered for; a refresh may not widen the first request.',
  invalid_token: 'Send a current access token as `Authorization: Bearer <token>`; refresh it where it has expired.',
  unauthorized_client: 'Wait until the client is approved and enabled, or use the sandbox client.',
  unsupported_grant_type: 'Set `grant_type` to `authorization_code` or `refresh_token`.',
  unsupported_response_type: 'Set `response_type` to `code`.',
  access_denied: 'Nothing is wrong: the fan chose not to allow access. Offer to try again.',
  login_required: 'Repeat the authorize request without `prompt=none`: every sign-in asks the fan.',
  request_not_supported: 'Send the parameters in the query, without `request`.',
  request_uri_not_supported: 'Send the parameters in the query, without `request_uri`.',
  temporarily_unavailable: 'Wait for `Retry-After` seconds, then repeat the request.',
} as const;

export type OAuthErrorCode = keyof typeof OAUTH_FIXES;

/** The destination of an authorization error, once client and redirect URI are validated. */
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
