import type { WithChains } from '../../chain/chains.ts';
import { jwksUrl } from '../../oauth/metadata.ts';
import type { Context } from '../../platform/context.ts';

/** Where the service is, for a partner's settings. */
export interface ServiceAddresses {
  issuer: string;
  discoveryUrl: string;
  jwksUrl: string;
  apiUrl: string;
  openapiUrl: string;
  loginUrl: string;
  /** Null where no test network can be reached. */
  sandboxRpcUrl: string | null;
}

export function serviceAddresses({ config, chains }: Pick<Context, 'config'> & WithChains): ServiceAddresses {
  const { authUrl, apiUrl, loginUrl } = config;
  return {
    issuer: authUrl,
    discoveryUrl: `${authUrl}/.well-known/openid-configuration`,
    jwksUrl: jwksUrl(authUrl),
    apiUrl,
    openapiUrl: `${apiUrl}/openapi.json`,
    loginUrl,
    sandboxRpcUrl: chains.sandbox?.publicRpcUrl ?? null,
  };
}
