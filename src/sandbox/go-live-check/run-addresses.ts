import type { Config } from '../../platform/config/config.ts';

/** Where the runs are: below the authorization server, so that a proxy needs no new rule. */
export function checksUrl({ authUrl }: Pick<Config, 'authUrl'>): string {
  return `${authUrl}/check`;
}

/** The addresses that a partner sets in its test deployment. */
export interface RunAddresses {
  issuer: string;
  discoveryUrl: string;
  /** In the place of the Fan API's address. */
  apiUrl: string;
  /** In the place of the RPC address of the sandbox cluster, for the check of listings. */
  rpcUrl: string;
  /** The checks and their state for programs, JSON. */
  checksUrl: string;
}

/** The addresses of a run. @param id `chk_…` */
export function runAddresses(config: Pick<Config, 'authUrl'>, id: string): RunAddresses {
  const issuer = `${checksUrl(config)}/${id}`;
  return {
    issuer,
    discoveryUrl: `${issuer}/.well-known/openid-configuration`,
    apiUrl: `${issuer}/fan`,
    rpcUrl: `${issuer}/rpc`,
    checksUrl: `${issuer}/checks`,
  };
}

/**
 * The discovery document of a run.
 * @see OIDC Discovery 1.0 §3, RFC 9207 §3
 */
export function runDiscovery(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}
