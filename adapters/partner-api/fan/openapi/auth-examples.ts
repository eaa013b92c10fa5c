import { json } from './auth-answers.ts';
import { IDS } from './example-values.ts';
import type { Answer } from './operation.ts';

/** Example requests and answers of the authorization server. */

const ISSUER = 'http://localhost:3000';
export const REDIRECT_URI = 'http://localhost:4000/callback';
const SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write';
const ACTIONS = ['fan:tickets:read', 'fan:listings:write'];
export const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c3JfMDEifQ.c2lnbmF0dXJl';
export const REFRESH_TOKEN = 'rt_7nVYb1xgJd0QkqzXq3m6uF8e5wTz2cHs4pLaRyVtOiE';
export const VERIFIER = 'dBjftJeZ4CVP-mBoVDVYqhVn-3MPXMXKmFpaUIuSqyk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const AUTHORIZE_EXAMPLE = {
  response_type: 'code',
  client_id: IDS.client,
  redirect_uri: REDIRECT_URI,
  scope: SCOPE,
  state: 'af0ifjsldkj',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

export const TOKENS = {
  token_type: 'Bearer',
  expires_in: 60,
  scope: SCOPE,
  granted_actions: ACTIONS,
  grant_id: IDS.grant,
  grant_mode: 'all_current_future',
  mode: 'sandbox',
  access_token: JWT,
  id_token: JWT,
  refresh_token: REFRESH_TOKEN,
  refresh_token_expires_in: 2592000,
};

export const USERINFO: Answer = json(
  'Whose token it is, and what it permits now.',
  'UserinfoResponse',
  {
    usual: {
      value: {
        sub: IDS.fan,
        scope: SCOPE,
        granted_actions: ACTIONS,
        grant_id: IDS.grant,
        iss: ISSUER,
        aud: 'svc-api',
      },
    },
  },
  {
    headers: ['Cache-Control'],
    links: {
      receipt: {
        operationId: 'readReceipt',
        description: 'The signed consent receipt of the grant.',
        parameters: { grant: '$response.body#/grant_id' },
      },
    },
  },
);

export const DISCOVERY: Answer = json(
  'The metadata.',
  'DiscoveryDocument',
  {
    metadata: {
      value: {
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/oauth2/authorize`,
        token_endpoint: `${ISSUER}/oauth2/token`,
        userinfo_endpoint: `${ISSUER}/oauth2/userinfo`,
        jwks_uri: `${ISSUER}/.well-known/jwks.json`,
        revocation_endpoint: `${ISSUER}/oauth2/revoke`,
        scopes_supported: SCOPE.split(' '),
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    },
  },
  {
    headers: ['Cache-Control'],
    links: { keys: { operationId: 'readKeys', description: 'The keys at `jwks_uri`.' } },
  },
);
