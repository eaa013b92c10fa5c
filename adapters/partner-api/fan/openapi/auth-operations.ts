import { z } from 'zod';
import { OAUTH_FIXES } from '../../../../src/platform/oauth-error.ts';
import { identifier } from '../wire.ts';
import { EVERY, FORM_ERRORS, json, oauthError, PAGES, page, TOO_MANY, WITH_FORM, WITH_TOKEN } from './auth-answers.ts';
import {
  AUTHORIZE_EXAMPLE,
  DISCOVERY,
  JWT,
  REDIRECT_URI,
  REFRESH_TOKEN,
  TOKENS,
  USERINFO,
  VERIFIER,
} from './auth-examples.ts';
import { AuthorizeParameters } from './auth-shapes.ts';
import { IDS } from './example-values.ts';
import { type Answer, type Operation, schemaOf } from './operation.ts';

const FORM = 'application/x-www-form-urlencoded';
/** Errors that go back to the redirect URI. @see RFC 6749 §4.1.2.1 */
const REDIRECTED = [
  'invalid_request',
  'unsupported_response_type',
  'request_not_supported',
  'request_uri_not_supported',
  'invalid_scope',
  'unauthorized_client',
  'login_required',
  'access_denied',
] as const satisfies (keyof typeof OAUTH_FIXES)[];

const AUTHORIZE_DESCRIPTION = `A top-level navigation of the browser, never a call of a script. Once \`client_id\` and \`redirect_uri\` are verified, every answer is a redirect: to the hosted sign-in, or to \`redirect_uri\` with \`error\`, \`error_description\` and \`state\`. After the sign-in the browser comes back with \`code\` and \`state\`.

| \`error\` | What to do |
|---|---|
${REDIRECTED.map((error) => `| \`${error}\` | ${OAUTH_FIXES[error]} |`).join('\n')}`;

const REDIRECT: Answer = {
  description: 'To the hosted sign-in, or back to `redirect_uri` with an error.',
  headers: ['Location'],
  links: {
    exchange: {
      operationId: 'requestTokens',
      description: 'Exchanges the `code` that comes back to `redirect_uri`, after `state` was compared.',
    },
  },
};

/** An operation of the authorization server; it requires no token where it has no `scopes`. */
type AuthOperation = Omit<Operation, 'scopes'> & Partial<Pick<Operation, 'scopes'>>;

const OPERATIONS: AuthOperation[] = [
  {
    id: 'authorize',
    method: 'get',
    path: '/oauth2/authorize',
    summary: 'Sends the fan to sign in and to grant access',
    description: AUTHORIZE_DESCRIPTION,
    parameters: {
      in: 'query',
      shape: AuthorizeParameters,
      descriptions: {
        response_type: 'Must be `code`.',
        client_id: 'The identifier of the client.',
        redirect_uri: 'One of the redirect URIs of the client, exactly.',
        scope: 'Scopes with spaces between them; each must be allowed on the client.',
        state: 'Comes back unchanged. Compare it before the code is exchanged. At most 4 KiB.',
        code_challenge: 'BASE64URL(SHA256(code_verifier)).',
        code_challenge_method: 'Must be `S256`.',
        nonce: 'Comes back in the ID token.',
        mode: 'The registration of the client decides the mode of its tokens.',
        prompt: '`none` is answered with `login_required`: every sign-in asks the fan. Other values change nothing.',
        response_mode: 'Only `query`.',
        login_hint: 'A phone number to begin with. A longer one is ignored.',
        ui_locales: 'Languages of the pages, the preferred first (BCP 47).',
      },
    },
    answers: { 302: REDIRECT, ...PAGES },
  },
  {
    id: 'authorizeByForm',
    method: 'post',
    path: '/oauth2/authorize',
    beside: true,
    summary: 'As GET, by a form of the browser',
    description: 'For parameters that are too long for a URL. The query of the URL is ignored.',
    body: {
      type: FORM,
      schema: schemaOf('AuthorizeParameters'),
      examples: { usual: { summary: 'A listing partner', value: AUTHORIZE_EXAMPLE } },
    },
    answers: {
      302: REDIRECT,
      303: {
        description: 'To the same request by GET, which carries the cookie of the browser.',
        headers: ['Location'],
      },
      ...PAGES,
      408: page('The request did not arrive in time.'),
      413: page('The body is larger than 64 KiB.'),
      415: page(`The body is not \`${FORM}\`, or has a \`Content-Encoding\`.`),
    },
  },
  {
    id: 'requestTokens',
    method: 'post',
    path: '/oauth2/token',
    summary: 'Exchanges a code, or refreshes',
    description:
      'A code works once, within 60 seconds; a second use revokes the tokens of the first. A refresh token works once, and the answer has the next one. Clients are public: send no secret.',
    body: {
      type: FORM,
      schema: {
        oneOf: [schemaOf('AuthorizationCodeRequest'), schemaOf('RefreshRequest')],
        discriminator: {
          propertyName: 'grant_type',
          mapping: {
            authorization_code: '#/components/schemas/AuthorizationCodeRequest',
            refresh_token: '#/components/schemas/RefreshRequest',
          },
        },
      },
      examples: {
        code: {
          summary: 'A code',
          value: {
            grant_type: 'authorization_code',
            client_id: IDS.client,
            code: 'ac_5Xq2s7nVYb1xgJd0QkqzXq3m6uF8e5wTz2cHs4pLaRy',
            redirect_uri: REDIRECT_URI,
            code_verifier: VERIFIER,
          },
        },
        refresh: {
          summary: 'A refresh token',
          value: { grant_type: 'refresh_token', client_id: IDS.client, refresh_token: REFRESH_TOKEN },
        },
      },
    },
    answers: {
      200: json(
        'The tokens.',
        'TokenResponse',
        { usual: { summary: 'A listing partner', value: TOKENS } },
        {
          headers: ['Cache-Control'],
          links: {
            userinfo: { operationId: 'readUserinfo', description: 'With `access_token` as bearer token.' },
            tickets: { operationId: 'fetchTickets', description: 'With `access_token` as bearer token.' },
            receipt: {
              operationId: 'readReceipt',
              description: 'The signed consent receipt of the grant, with `access_token` as bearer token.',
              parameters: { grant: '$response.body#/grant_id' },
            },
            refresh: {
              operationId: 'requestTokens',
              description: 'The next tokens: `refresh_token` is that of this answer.',
            },
            revoke: {
              operationId: 'revokeToken',
              description: 'Ends the access: `token` is the `refresh_token` of this answer.',
            },
          },
        },
      ),
      ...WITH_FORM,
      400: FORM_ERRORS,
      429: TOO_MANY,
    },
  },
  {
    id: 'revokeToken',
    method: 'post',
    path: '/oauth2/revoke',
    beside: true,
    summary: 'Revokes a token and ends its grant',
    description: 'For the sign-out of your app (RFC 7009). An unknown token is answered in the same way.',
    body: {
      type: FORM,
      schema: schemaOf('RevokeRequest'),
      examples: { refresh: { summary: 'A refresh token', value: { client_id: IDS.client, token: REFRESH_TOKEN } } },
    },
    answers: {
      200: { description: 'The token works no more. The body is empty.', headers: ['Cache-Control'] },
      ...WITH_FORM,
      400: oauthError('A field of the form is missing, repeated or wrong.', [['invalid_request', 'token is required']]),
    },
  },
  ...(['get', 'post'] as const).map(
    (method): AuthOperation => ({
      id: method === 'get' ? 'readUserinfo' : 'readUserinfoByPost',
      method,
      path: '/oauth2/userinfo',
      ...(method === 'post' && { beside: true as const }),
      scopes: [],
      summary: method === 'get' ? 'Whose token it is' : 'As GET',
      description: 'Needs no scope. `granted_actions` are those that the fan has not turned off meanwhile.',
      answers: { 200: USERINFO, ...WITH_TOKEN },
    }),
  ),
  {
    id: 'readReceipt',
    method: 'get',
    path: '/oauth2/grants/{grant}/receipt',
    beside: true,
    scopes: [],
    summary: 'The signed consent receipt of a grant',
    description: 'A JWS of type `consent-receipt+jwt`, signed by the published keys. It has no `exp`.',
    parameters: {
      in: 'path',
      shape: z.object({ grant: identifier('grant') }),
      descriptions: { grant: '`grant_id` of the token response.' },
    },
    answers: {
      200: {
        description: 'The receipt.',
        headers: ['Cache-Control'],
        content: {
          type: 'application/jwt',
          schema: { type: 'string', pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
          examples: { receipt: { value: JWT } },
        },
      },
      ...WITH_TOKEN,
      404: oauthError('The grant is not the one of the token.', [['invalid_request', 'There is no such grant.']]),
    },
  },
  {
    id: 'readMetadata',
    method: 'get',
    path: '/.well-known/openid-configuration',
    summary: 'Discovery metadata',
    description: 'OpenID Connect Discovery 1.0. Give a library this issuer, and it finds the rest.',
    answers: { 200: DISCOVERY, ...EVERY },
  },
  {
    id: 'readOAuthMetadata',
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    server: 'origin',
    beside: true,
    summary: 'The same metadata for OAuth clients',
    description: 'RFC 8414. Where the issuer has a path, it follows this one.',
    answers: { 200: DISCOVERY, ...EVERY },
  },
  {
    id: 'readKeys',
    method: 'get',
    path: '/.well-known/jwks.json',
    summary: 'Signing keys',
    description: 'Keys rotate; fetch the set again where a token names a `kid` that you do not know.',
    answers: {
      200: json(
        'The public keys.',
        'JwkSet',
        {
          one: {
            value: {
              keys: [
                { kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'key_2026-11-22', n: 'sXchDaQebSXKcvL0vwlG', e: 'AQAB' },
              ],
            },
          },
        },
        { headers: ['Cache-Control'] },
      ),
      ...EVERY,
    },
  },
];

/** The operations of the authorization server. @see spec §4.2 */
export const AUTH_OPERATIONS = OPERATIONS.map(
  (operation): Operation => ({ server: 'auth', scopes: 'none', ...operation }),
);
