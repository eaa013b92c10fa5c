import type { KeyObject } from 'node:crypto';
import {
  base64url,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { postForm, signIn, type Tokens } from './partner.ts';
import type { TestApp } from './start-app.ts';

/**
 * Every kind of access token that must be refused, one row each, for the endpoints that take bearer tokens. A row makes
 * the value of the `Authorization` header (undefined: none is sent) from a sign-in whose own token is good. A row that
 * spoils one claim is signed by the server's real key, so that nothing but the named fault can be the reason.
 */
export interface BadToken {
  /** Reads as the end of a title: `refuses …`. */
  rule: string;
  /** The code of the refusal: `X-Error-Code` of the Fan API. */
  code:
    | 'access_token_missing'
    | 'access_token_malformed'
    | 'access_token_invalid'
    | 'access_token_expired'
    | 'grant_revoked';
  authorization(app: TestApp, good: Tokens): Promise<string | undefined>;
}

/** Claims, and members of the header, that no good token has. */
const SPOILED: [rule: string, claims: Record<string, unknown>, header?: Record<string, unknown>][] = [
  ['a token that names no expiry', { exp: undefined }],
  ['a foreign issuer', { iss: 'https://issuer.example.com' }],
  ['a wrong audience', { aud: 'another-api' }],
  ['a token without an audience', { aud: undefined }],
  ['typ JWT with the payload of an access token', {}, { typ: 'JWT' }],
  ['a token without typ', {}, { typ: undefined }],
  ['a token without kid', {}, { kid: undefined }],
  ['a claim that no access token has', { admin: true }],
  ['a token without granted_actions', { granted_actions: undefined }],
  ['a grant_id that is none', { grant_id: 'grant_x' }],
];

export const BAD_TOKENS: BadToken[] = [
  row('a request without an Authorization header', 'access_token_missing', async () => undefined),
  row('another scheme than Bearer', 'access_token_malformed', async (_, good) => `Basic ${good.access_token}`),
  row('the scheme alone', 'access_token_malformed', async () => 'Bearer'),
  row('a token without the scheme', 'access_token_malformed', async (_, good) => good.access_token),
  row('two tokens in one header', 'access_token_malformed', async (_, good) => bearer(`${good.access_token} x`)),
  row('a quoted token', 'access_token_malformed', async (_, good) => bearer(`"${good.access_token}"`)),
  row('a text that is no JWT', 'access_token_malformed', async () => bearer('not-a-jwt')),
  row('a JWT whose header is no JSON', 'access_token_malformed', async (_, good) =>
    bearer(`AAAA.${good.access_token.split('.').slice(1).join('.')}`),
  ),
  row('a refresh token', 'access_token_malformed', async (_, good) => bearer(good.refresh_token)),
  row('an ID token', 'access_token_invalid', async (_, good) => bearer(good.id_token)),
  row('alg none', 'access_token_invalid', async (_, good) => bearer(unsigned(good, 'none'))),
  row('alg None, in another case', 'access_token_invalid', async (_, good) => bearer(unsigned(good, 'None'))),
  row('HS256 signed with the public key', 'access_token_invalid', async (app, good) => bearer(await hmac(app, good))),
  row('an expired token', 'access_token_expired', (app, good) =>
    resigned(app, good, { iat: seconds(app) - 120, exp: seconds(app) - 1 }),
  ),
  ...SPOILED.map(([rule, claims, header]) =>
    row(rule, 'access_token_invalid', (app, good) => resigned(app, good, claims, header)),
  ),
  row('our issuer with a trailing slash', 'access_token_invalid', (app, good) =>
    resigned(app, good, { iss: `${app.config.authUrl}/` }),
  ),
  row('the client as audience, as in an ID token', 'access_token_invalid', (app, good) =>
    resigned(app, good, { aud: app.kit.client_id }),
  ),
  row('a foreign key under the kid of ours', 'access_token_invalid', async (_, good) => {
    const { privateKey } = await generateKeyPair('RS256');
    return bearer(await sign(decodeJwt(good.access_token), decodeProtectedHeader(good.access_token), privateKey));
  }),
  row('an unknown kid', 'access_token_invalid', async (_, good) => {
    const { privateKey } = await generateKeyPair('RS256');
    const header = { ...decodeProtectedHeader(good.access_token), kid: 'A'.repeat(43) };
    return bearer(await sign(decodeJwt(good.access_token), header, privateKey));
  }),
  row('a foreign key that the header brings along', 'access_token_invalid', async (_, good) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const header = { ...decodeProtectedHeader(good.access_token), jwk: await exportJWK(publicKey) };
    return bearer(await sign(decodeJwt(good.access_token), header, privateKey));
  }),
  row('a payload changed after signing', 'access_token_invalid', async (_, good) => {
    const [header, , signature] = good.access_token.split('.');
    const payload = { ...decodeJwt(good.access_token), sub: 'usr_00000000000000000000000000' };
    return bearer(`${header}.${base64url.encode(JSON.stringify(payload))}.${signature}`);
  }),
  row('a changed signature', 'access_token_invalid', async (_, good) =>
    bearer(`${withoutSignature(good)}${'A'.repeat(342)}`),
  ),
  row('a signature that was cut off', 'access_token_invalid', async (_, good) => bearer(withoutSignature(good))),
  row('a token of a revoked grant', 'grant_revoked', async (app) => {
    const tokens = await signIn(app);
    await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: tokens.refresh_token });
    return bearer(tokens.access_token);
  }),
];

function row(rule: string, code: BadToken['code'], authorization: BadToken['authorization']): BadToken {
  return { rule, code, authorization };
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}

function seconds(app: TestApp): number {
  return Math.floor(app.runtime.now().getTime() / 1000);
}

function withoutSignature(good: Tokens): string {
  return good.access_token.slice(0, good.access_token.lastIndexOf('.') + 1);
}

/** The good token with some claims or header members changed or (undefined) left out, signed by the server's own key. */
export async function resigned(
  app: TestApp,
  good: Tokens,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { privateKey } = await app.runtime.keys.current();
  const payload = { ...decodeJwt(good.access_token), ...claims };
  return bearer(await sign(payload, { ...decodeProtectedHeader(good.access_token), ...header }, privateKey));
}

function sign(payload: JWTPayload, header: Record<string, unknown>, key: CryptoKey | KeyObject): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ ...header, alg: 'RS256' }).sign(key);
}

function unsigned(good: Tokens, alg: string): string {
  const header = { ...decodeProtectedHeader(good.access_token), alg };
  return `${base64url.encode(JSON.stringify(header))}.${good.access_token.split('.')[1]}.`;
}

/** The classic confusion: the published key used as the secret of a symmetric algorithm. */
async function hmac(app: TestApp, good: Tokens): Promise<string> {
  const header = decodeProtectedHeader(good.access_token);
  const [jwk] = (await app.runtime.keys.published()).keys;
  if (!jwk) throw new Error('the server publishes no key');
  const pem = await exportSPKI((await importJWK(jwk, 'RS256', { extractable: true })) as CryptoKey);
  return new SignJWT(decodeJwt(good.access_token))
    .setProtectedHeader({ ...header, alg: 'HS256' })
    .sign(new TextEncoder().encode(pem));
}
