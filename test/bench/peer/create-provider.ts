import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';
import type { Pool } from 'pg';
import { postgresAdapter } from './postgres-adapter.ts';

export const CLIENT_ID = 'bench';
export const REDIRECT_URI = 'http://localhost:4000/callback';
export const ACCOUNT = 'usr_1';
export const SCOPE = 'openid profile offline_access';
/** Of the API, as the fan grants them. */
export const API_SCOPE = 'fan:tickets:read fan:listings:write';
/** The API that access tokens are for. */
export const RESOURCE = 'https://api.example.com';

const LIFETIME_SECONDS = 3600;

/** Its people. */
export const ACCOUNTS = `create table account as select '${ACCOUNT}' as id; alter table account add primary key (id)`;

/** The client is in the database, as in our service: it can be registered, changed and disabled at any time. */
export const CLIENT = {
  client_id: CLIENT_ID,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [REDIRECT_URI],
  application_type: 'native',
};

/**
 * The peer, set up as our service works: a public client with PKCE, RS256 with a key of 2,048 bits, refresh tokens that rotate, client
 * and person read from the database. Access tokens are JWTs for an API, so an exchange signs two, as ours does. Its userinfo endpoint takes
 * opaque ones only, of grants without that API.
 */
export function createProvider(issuer: string, pool: Pool): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
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
        getResourceServerInfo: () => ({
          scope: API_SCOPE,
          audience: RESOURCE,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    async findAccount(_ctx: unknown, sub: string) {
      const read = { name: 'account', text: 'select id from account where id = $1', values: [sub] };
      const { rowCount } = await pool.query(read);
      return rowCount === 0 ? undefined : { accountId: sub, claims: () => ({ sub }) };
    },
    rotateRefreshToken: true,
    ttl: { AccessToken: LIFETIME_SECONDS, AuthorizationCode: 600, Grant: 86_400, IdToken: 3600, RefreshToken: 86_400 },
  });
}
