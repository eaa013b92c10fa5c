import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';
import type { Pool } from 'pg';
import { postgresAdapter } from './postgres-adapter.ts';

export const CLIENT_ID = 'bench';
export const REDIRECT_URI = 'http://localhost:4000/callback';
export const RESOURCE = 'urn:fan-api';
export const SCOPE = 'openid profile offline_access tickets:read listings:write';

const RESOURCE_SCOPE = 'tickets:read listings:write';
const LIFETIME_SECONDS = 3600;

/** The client is in the database, as in our service: it can be registered, changed and disabled at any time. */
export const CLIENT = {
  client_id: CLIENT_ID,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT_URI],
  application_type: 'native',
};

/**
 * The peer, set up as our service works: a public client with PKCE, RS256 with a key of 2,048 bits, access tokens that are JWTs for a
 * resource server, refresh tokens that rotate.
 */
export function createProvider(issuer: string, pool: Pool): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const resourceServer = {
    scope: RESOURCE_SCOPE,
    audience: RESOURCE,
    accessTokenTTL: LIFETIME_SECONDS,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  };
  return new Provider(issuer, {
    adapter: postgresAdapter(pool),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], profile: ['name'] },
    cookies: { keys: ['a key of the bench'] },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => resourceServer,
      },
    },
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    rotateRefreshToken: true,
    ttl: { AccessToken: LIFETIME_SECONDS, AuthorizationCode: 600, Grant: 86_400, IdToken: 3600, RefreshToken: 86_400 },
  });
}
