import { accessTokenHash, codeChallengeOf } from '@fan-api/sdk';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  sentParameters,
  startingPieces,
  toggleScope,
  withValues,
} from '../../../../adapters/public/playground/ui/src/sign-in/authorize-url.ts';
import { checkCallback } from '../../../../adapters/public/playground/ui/src/sign-in/check-callback.ts';
import { withNewSecrets } from '../../../../adapters/public/playground/ui/src/sign-in/make-secrets.ts';
import { decodeToken } from '../../../../adapters/public/playground/ui/src/tokens/decode-token.ts';
import { verifyToken } from '../../../../adapters/public/playground/ui/src/tokens/verify-token.ts';

const ENDPOINT = 'https://auth.example/oauth2/authorize';

describe('the authorize request of the playground', () => {
  test('has the pieces that are sent, in order, each value encoded so that it arrives as typed', () => {
    const pieces = withValues(startingPieces(), { state: 'a b&c=d+é', client_id: 'client_1' });
    const url = new URL(authorizeUrl(ENDPOINT, pieces));
    expect(url.searchParams.get('state')).toBe('a b&c=d+é');
    expect(url.search).toContain('openid%20profile');
    expect([...url.searchParams.keys()]).toEqual(sentParameters(pieces).map(([name]) => name));
    expect(url.searchParams.has('prompt')).toBe(false);
  });

  test('takes invalid pieces as they are, and leaves out what is not sent', () => {
    const pieces = withValues(startingPieces(), { response_type: 'token', scope: '', code_challenge: undefined });
    const { searchParams } = new URL(authorizeUrl(ENDPOINT, pieces));
    expect(searchParams.get('response_type')).toBe('token');
    expect(searchParams.get('scope')).toBe('');
    expect(searchParams.has('code_challenge')).toBe(false);
  });

  test('a scope is added at the end, and taken out wherever it stands', () => {
    expect(toggleScope('openid  profile', 'fan:claims:write')).toBe('openid profile fan:claims:write');
    expect(toggleScope('openid profile', 'openid')).toBe('profile');
  });
});

test('RFC 7636 §4.1: every attempt has a new verifier, its challenge, a new state and a new nonce', async () => {
  const [first, second] = [await withNewSecrets(startingPieces()), await withNewSecrets(startingPieces())];
  for (const { verifier, parameters } of [first, second]) {
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    expect(parameters.code_challenge.value).toBe(await codeChallengeOf(verifier));
  }
  expect(first.verifier).not.toBe(second.verifier);
  for (const name of ['state', 'nonce'] as const) {
    expect(first.parameters[name].value).not.toBe(second.parameters[name].value);
  }
});

const ISSUER = 'https://auth.example';
const RIGHT = Object.entries({ code: 'ac_1', state: 's1' });

function failuresOf(parameters: [string, string][], { sendsIssuer = false } = {}) {
  const checks = checkCallback(parameters, { attempt: { state: 's1' }, issuer: ISSUER, sendsIssuer });
  return checks.filter(({ passed }) => !passed).map(({ name }) => name);
}

test('a right callback passes, with iss and without where the metadata does not announce it', () => {
  expect(failuresOf(RIGHT)).toEqual([]);
  expect(failuresOf([...RIGHT, ['iss', ISSUER]], { sendsIssuer: true })).toEqual([]);
});

const STATE = 'state is the one that was sent';
const CODE = 'There is a code, and no error';
test.each<[string, [string, string][], boolean, string]>([
  ['RFC 9700 §2.1: another state', Object.entries({ code: 'ac_1', state: 's2' }), false, STATE],
  ['RFC 9700 §2.1: no state', [['code', 'ac_1']], false, STATE],
  ['RFC 9207 §2.4: another issuer', [...RIGHT, ['iss', 'https://evil.example']], false, 'iss is the issuer'],
  ['RFC 9207 §2.4: no issuer, though the metadata announces it', RIGHT, true, 'iss is the issuer'],
  ['an error', Object.entries({ error: 'access_denied', state: 's1' }), false, CODE],
  ['no code', [['state', 's1']], false, CODE],
  ['a parameter that is there twice', [...RIGHT, ['code', 'ac_2']], false, 'No parameter is repeated'],
])('a callback with %s fails that check alone', (_, parameters, sendsIssuer, name) => {
  expect(failuresOf(parameters, { sendsIssuer })).toEqual([name]);
});

test('RFC 9700 §2.1: a callback that nobody asked for fails', () => {
  expect(checkCallback(RIGHT, { attempt: undefined, issuer: ISSUER, sendsIssuer: false })[1]?.passed).toBe(false);
});

const pair = await generateKeyPair('RS256', { extractable: true });
const privateKey = pair.privateKey;
const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256' }] };

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
