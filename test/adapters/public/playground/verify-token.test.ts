import { accessTokenHash } from '@fan-api/sdk';
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { decodeToken } from '../../../../adapters/public/playground/ui/src/tokens/decode-token.ts';
import { verifyToken } from '../../../../adapters/public/playground/ui/src/tokens/verify-token.ts';

const ISSUER = 'https://auth.example';
let keys: JSONWebKeySet;
let privateKey: CryptoKey;
beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  privateKey = pair.privateKey;
  keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] };
});

const signed = (claims: object, header: object = {}) =>
  new SignJWT({ iss: ISSUER, aud: 'client_1', iat: now(), exp: now() + 60, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header })
    .sign(privateKey);
const now = () => Math.floor(Date.now() / 1_000);

async function failures(token: string, more: object = {}, set = keys) {
  const expected = { kind: 'id', issuer: ISSUER, clientId: 'client_1', ...more } as const;
  return (await verifyToken(token, set, expected)).filter(({ passed }) => !passed).map(({ name }) => name);
}

test('OIDC Core §3.1.3.7: a right ID token passes every check', async () => {
  const token = await signed({ nonce: 'n1', at_hash: await accessTokenHash('token') });
  expect(await failures(token, { nonce: 'n1', accessToken: 'token' })).toEqual([]);
});

test.each([
  ['iss is the issuer', { iss: 'https://evil.example', nonce: 'n1' }],
  ['aud is your client_id', { aud: ['client_1', 'client_2'], nonce: 'n1' }],
  ['It has not expired', { iat: now() - 100, exp: now() - 10, nonce: 'n1' }],
  ['nonce is the one that was sent', { nonce: 'n2' }],
  ['nonce is the one that was sent', {}],
])('OIDC Core §3.1.3.7: "%s" fails alone for %o', async (name, claims) => {
  expect(await failures(await signed(claims), { nonce: 'n1' })).toEqual([name]);
});

test('OIDC Core §3.1.3.6: at_hash of another access token fails', async () => {
  const token = await signed({ at_hash: await accessTokenHash('token') });
  expect(await failures(token, { accessToken: 'another' })).toEqual(['at_hash belongs to the access token']);
});

test('a changed signature, and a key that is not published, fail', async () => {
  const token = await signed({});
  const place = token.lastIndexOf('.') + 20;
  const changed = `${token.slice(0, place)}${token[place] === 'A' ? 'B' : 'A'}${token.slice(place + 1)}`;
  expect(await failures(changed)).toEqual(['The signature is of a published key']);
  expect(await failures(token, {}, { keys: [] })).toEqual(['The signature is of a published key']);
});

test('RFC 9068 §4: an access token must have its typ and your client_id', async () => {
  const token = await signed({ client_id: 'client_2' }, { typ: 'JWT' });
  expect(await failures(token, { kind: 'access' })).toEqual(['typ says what it is', 'client_id is yours']);
});

test('a text that is no token is not decoded', async () => {
  expect(decodeToken('rt_opaque')).toBeUndefined();
  expect(await failures('rt_opaque')).toEqual(['It is a signed token (JWS)']);
});
