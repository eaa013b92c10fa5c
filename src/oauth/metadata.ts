import { ALL_SCOPES } from '../partners/scopes.ts';

/** The part of a context that names the languages of the hosted pages. */
export interface WithUiLocales {
  /** BCP 47; English first. */
  readonly uiLocales: readonly string[];
}

/**
 * The discovery document.
 * @param issuer `AUTH_URL`, without a trailing slash
 * @param uiLocales languages of the hosted pages (BCP 47)
 * @see OIDC Discovery 1.0 §3, RFC 8414 §2, spec §5.2
 */
export function discoveryDocument(issuer: string, uiLocales: readonly string[]): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    jwks_uri: jwksUrl(issuer),
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    scopes_supported: ALL_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'amr', 'nonce', 'at_hash'],
    ui_locales_supported: uiLocales,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

/** The URL of the document for OAuth clients, with the well-known path before the issuer's path. @see RFC 8414 §3.1 */
export function authServerMetadataUrl(issuer: string): string {
  const { origin, pathname } = new URL(issuer);
  return `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
}

export function jwksUrl(issuer: string): string {
  return `${issuer}/.well-known/jwks.json`;
}
