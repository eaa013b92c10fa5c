import { createHash, randomBytes } from 'node:crypto';
import type Provider from 'oidc-provider';
import { bearer, FORM, type Load } from '../load.ts';
import type { PathName } from '../paths/all.ts';
import { ACCOUNT, API_SCOPE, CLIENT_ID, REDIRECT_URI, RESOURCE, SCOPE } from './create-provider.ts';

type Prepare = (provider: Provider, count: number) => Promise<Load>;

const AT_ONCE = 16;
const ACCESS_TOKENS = 100;

/** The paths that the peer has too, with requests made by its own models. */
export const PREPARE: Partial<Record<PathName, Prepare>> = {
  async exchange(provider, count) {
    const bodies = await many(count, async () => {
      const verifier = randomBytes(32).toString('base64url');
      const code = await new provider.AuthorizationCode({
        ...(await apiTokenOf(provider)),
        codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
        codeChallengeMethod: 'S256',
        redirectUri: REDIRECT_URI,
        nonce: randomBytes(16).toString('base64url'),
      }).save();
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
      return formOf(form);
    });
    return tokenRequests(bodies);
  },
  async refresh(provider, count) {
    const bodies = await many(count, async () => {
      const token = await new provider.RefreshToken({ ...(await apiTokenOf(provider)), rotations: 0 }).save();
      return formOf({ grant_type: 'refresh_token', refresh_token: token });
    });
    return tokenRequests(bodies);
  },
  async userinfo(provider) {
    const tokens = await many(ACCESS_TOKENS, async () => {
      return new provider.AccessToken(await tokenOf(provider)).save();
    });
    return { method: 'GET', path: '/me', requests: tokens.map((token) => ({ headers: bearer(token) })) };
  },
};

/** What codes and refresh tokens have: the access tokens made of them are JWTs for the API. */
async function apiTokenOf(provider: Provider) {
  return { ...(await tokenOf(provider)), scope: `${SCOPE} ${API_SCOPE}`, resource: RESOURCE };
}

/** What every code and token has, with a grant of its own. */
async function tokenOf(provider: Provider) {
  const client = await provider.Client.find(CLIENT_ID);
  const grant = new provider.Grant({ accountId: ACCOUNT, clientId: CLIENT_ID });
  grant.addOIDCScope(SCOPE);
  grant.addResourceScope(RESOURCE, API_SCOPE);
  const authTime = Math.floor(Date.now() / 1000);
  return {
    accountId: ACCOUNT,
    client,
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope: SCOPE,
    authTime,
  };
}

function formOf(form: Record<string, string>): string {
  return new URLSearchParams({ client_id: CLIENT_ID, ...form }).toString();
}

function tokenRequests(bodies: readonly string[]): Load {
  return { method: 'POST', path: '/token', requests: bodies.map((body) => ({ headers: FORM, body })) };
}

async function many<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  while (made.length < count) {
    made.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made.length) }, make))));
  }
  return made;
}
