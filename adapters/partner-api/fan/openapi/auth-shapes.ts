import { z } from 'zod';
import { ACTION_SCOPES } from '../../../../src/partners/scopes.ts';
import { OAUTH_FIXES } from '../../../../src/platform/oauth-error.ts';
import { identifier } from '../wire.ts';

/**
 * Requests and answers of the authorization server, for the description only: its code checks in the order that the standards
 * require, with the errors of the standards. A test compares both.
 */

const MODE = z.enum(['sandbox', 'production']);
const SCOPE = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/);
const JWT = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);
const ACTIONS = z.array(z.enum(ACTION_SCOPES));
/** Without a NUL, which is refused. */
const TEXT = z.string().meta({ minLength: 1, pattern: '^[^\\u0000]+$' });
const SHORT = z.string().min(1).max(512);

/** @see spec §5.4 */
export const AuthorizeParameters = z.object({
  response_type: z.literal('code'),
  client_id: identifier('client'),
  redirect_uri: TEXT,
  scope: SCOPE,
  // U+FFFD stands for bytes that are not UTF-8
  state: z.string().max(4096).meta({ minLength: 1, pattern: '^[^\\u0000\\uFFFD]+$' }),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/),
  code_challenge_method: z.literal('S256'),
  nonce: z.string().max(1024).meta({ pattern: '^[^\\u0000]*$' }).optional(),
  mode: MODE.optional(),
  prompt: z.string().optional(),
  response_mode: z.literal('query').optional(),
  login_hint: SHORT.optional(),
  ui_locales: SHORT.optional(),
});

/** @see spec §5.8 */
const AuthorizationCodeRequest = z.object({
  grant_type: z.literal('authorization_code'),
  client_id: identifier('client'),
  code: TEXT,
  redirect_uri: TEXT.describe('The one of the authorize request, exactly'),
  code_verifier: z.string().regex(/^[A-Za-z0-9\-._~]{43,128}$/),
});

/** @see spec §5.10 */
const RefreshRequest = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: identifier('client'),
  refresh_token: TEXT,
  scope: SCOPE.optional().describe('May narrow the original scope'),
});

/** @see RFC 7009 §2.1 */
const RevokeRequest = z.object({
  client_id: TEXT.describe('The client that the token was issued to'),
  token: TEXT.describe('A refresh token or an access token'),
  token_type_hint: z.string().optional().describe('Ignored: the token shows what it is'),
});

/** @see spec §5.9 */
const TokenResponse = z.object({
  token_type: z.literal('Bearer'),
  expires_in: z.int().min(1).describe('Seconds'),
  scope: z.string().describe('Scopes that were requested and are allowed, with spaces between them'),
  granted_actions: ACTIONS,
  grant_id: identifier('grant'),
  grant_mode: z.enum(['all_current_future', 'selected']),
  mode: MODE,
  access_token: JWT,
  id_token: JWT.optional().describe(
    'Where `openid` was requested. Claims: `iss`, `sub`, `aud`, `iat`, `exp`, `auth_time`, `amr`, `at_hash`; at the exchange `nonce`',
  ),
  refresh_token: z.string().optional().describe('Where `offline_access` was requested. It works once'),
  refresh_token_expires_in: z.int().min(0).optional().describe('Seconds, from the sign-in'),
});

/** @see spec §5.12 */
const UserinfoResponse = z.object({
  sub: identifier('usr'),
  scope: z.string(),
  granted_actions: ACTIONS,
  grant_id: identifier('grant'),
  iss: z.url(),
  aud: z.string(),
});

/** @see RFC 6749 §5.2 */
const OAuthError = z.object({
  error: z.enum([...(Object.keys(OAUTH_FIXES) as [string, ...string[]]), 'server_error']),
  error_description: z.string(),
});

/** @see RFC 7517 §5 */
const JwkSet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('RSA'),
      use: z.literal('sig'),
      alg: z.literal('RS256'),
      kid: z.string(),
      n: z.string().regex(/^[\w-]+$/),
      e: z.string().regex(/^[\w-]+$/),
    }),
  ),
});

/** @see spec §5.2, RFC 8414 §2 */
const DiscoveryDocument = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  jwks_uri: z.url(),
  revocation_endpoint: z.url(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.literal('code')),
  grant_types_supported: z.array(z.enum(['authorization_code', 'refresh_token'])),
  code_challenge_methods_supported: z.array(z.literal('S256')),
  token_endpoint_auth_methods_supported: z.array(z.literal('none')),
});

export const AUTH_SHAPES = {
  AuthorizeParameters,
  AuthorizationCodeRequest,
  RefreshRequest,
  RevokeRequest,
  TokenResponse,
  UserinfoResponse,
  OAuthError,
  JwkSet,
  DiscoveryDocument,
};
