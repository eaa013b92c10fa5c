import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthServerOptions, openAuthServer } from '../src/auth-server.ts';
import { CLIENT_ID, json, REDIRECT_URI, startIssuer, type TestIssuer } from './issuer.ts';

let issuer: TestIssuer;
beforeEach(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.stop());

function open(options: Partial<AuthServerOptions> = {}) {
  return openAuthServer({ issuer: issuer.url, clientId: CLIENT_ID, redirectUri: REDIRECT_URI, ...options });
}

/** From the start to the callback; what differs is what somebody else made of it. */
async function callback(server = open(), changes: Record<string, string | undefined> = {}) {
  const { url, attempt } = await server.startSignIn({ scope: 'openid offline_access' });
  const asked = new URL(url).searchParams;
  issuer.nonce = asked.get('nonce') ?? undefined;
  const answer = new URLSearchParams({ code: 'ac_1', state: attempt.state, iss: issuer.url });
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) answer.delete(name);
    else answer.set(name, value);
  }
  return { asked, attempt, answer, finish: () => server.finishSignIn(answer, attempt) };
}

/** That a sign-in fails a check. */
async function expectFailed(check: string, changes: Record<string, string | undefined> = {}): Promise<void> {
  const { finish } = await callback(open(), changes);
  await expect(finish()).rejects.toMatchObject({ name: 'CheckError', check });
}

test('RFC 7636, OIDC Core §3.1.2.1: every sign-in has a new verifier, state and nonce, and asks with S256', async () => {
  const [first, second] = [await callback(), await callback()];
  expect(first.asked.get('response_type')).toBe('code');
  expect(first.asked.get('code_challenge_method')).toBe('S256');
  expect(first.asked.get('code_challenge')).toMatch(/^[\w-]{43}$/);
  expect(first.asked.has('login_hint')).toBe(false);
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(first.asked.get(name)).not.toBe(second.asked.get(name));
});

test('a right callback gives tokens with the claims of the ID token and their end by this clock', async () => {
  const { finish } = await callback();
  const tokens = await finish();
  expect(tokens.response).toMatchObject({ access_token: 'at_1', refresh_token: 'rt_1', token_type: 'Bearer' });
  expect(tokens.claims?.sub).toBe('usr_1');
  expect(tokens.expiresAt - Date.now()).toBeGreaterThan(55_000);
  expect(tokens.expiresAt - Date.now()).toBeLessThanOrEqual(60_000);
});

describe('a callback that fails a check is not exchanged', () => {
  test.each([
    ['another state', { state: 'of-somebody-else' }, 'state'],
    ['no state', { state: undefined }, 'state'],
    ['another issuer (RFC 9207)', { iss: 'https://evil.example' }, 'iss'],
    ['no issuer, though the metadata announces it', { iss: undefined }, 'iss'],
  ])('%s', async (_, changes, check) => {
    issuer.bend.answers = [undefined];
    await expectFailed(check, changes);
    expect(issuer.bend.answers, 'none was asked for').toHaveLength(1);
  });

  test('a parameter that is there twice', async () => {
    const { answer, finish } = await callback();
    answer.append('state', 'another');
    await expect(finish()).rejects.toMatchObject({ name: 'CheckError', check: 'state' });
  });

  test('a refusal of the fan, whose state is right, is an OAuthError with its code', async () => {
    const { finish } = await callback(open(), { code: undefined, error: 'access_denied', error_description: 'No.' });
    await expect(finish()).rejects.toMatchObject({ name: 'OAuthError', error: 'access_denied', description: 'No.' });
  });
});

describe('tokens whose ID token fails a check are not used', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  test.each([
    ['another nonce', () => ({ nonce: 'another' }), 'nonce'],
    ['no nonce', () => ({ nonce: undefined }), 'nonce'],
    ['another at_hash', () => ({ at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }), 'at_hash'],
    ['no at_hash', () => ({ at_hash: undefined }), 'at_hash'],
    ['another issuer', () => ({ iss: 'https://evil.example' }), 'iss'],
    ['another audience', () => ({ aud: 'client_2' }), 'id_token'],
    ['an end that is past by more than clocks differ', () => ({ exp: now() - 200 }), 'id_token'],
  ])('%s', async (_, claims, check) => {
    issuer.bend.claims = claims();
    await expectFailed(check);
  });

  test('a signature of a key that is not published', async () => {
    issuer.bend.foreignKey = true;
    await expectFailed('signature');
  });

  test('no ID token, though openid was asked for', async () => {
    issuer.bend.tokens = { id_token: undefined };
    await expectFailed('id_token');
  });
});

test('a clock that is two minutes wrong, to either side, does no harm', async () => {
  const now = Math.floor(Date.now() / 1_000);
  for (const skew of [-120, 120]) {
    issuer.bend.claims = { iat: now + skew, exp: now + skew + 1 };
    const { finish } = await callback();
    expect((await finish()).claims?.iat).toBe(now + skew);
  }
});

test('a signing key that was published after the first sign-in is fetched when its token comes', async () => {
  const server = open();
  await (await callback(server)).finish();
  await issuer.rotateKey();
  const { finish } = await callback(server);
  expect((await finish()).claims?.sub).toBe('usr_1');
});

test('a refused exchange has the code of the refusal, the request id and the link to its cause', async () => {
  const headers = { 'x-request-id': 'r1', link: '<https://docs.example/errors#x>; rel="help"' };
  const body = { error: 'invalid_request', error_description: 'Invalid PKCE code_verifier' };
  issuer.bend.answers = [(response) => json(response, 400, body, headers)];
  const { finish } = await callback();
  await expect(finish()).rejects.toMatchObject({
    name: 'OAuthError',
    error: 'invalid_request',
    description: 'Invalid PKCE code_verifier',
    status: 400,
    requestId: 'r1',
    help: 'https://docs.example/errors#x',
  });
});

test('an exchange without an answer is not sent again: a code works once', async () => {
  issuer.bend.answers = [(response) => void response.destroy(), undefined];
  const { finish } = await callback();
  await expect(finish()).rejects.toMatchObject({ name: 'NoAnswerError', sent: true });
  expect(issuer.bend.answers, 'the second was not asked for').toHaveLength(1);
});

test('OIDC Discovery §4.3: metadata of another issuer is refused, and asked for again the next time', async () => {
  issuer.bend.metadata = { issuer: 'https://evil.example' };
  const server = open();
  await expect(server.metadata()).rejects.toMatchObject({ name: 'CheckError', check: 'iss' });
  issuer.bend = {};
  expect((await server.metadata()).issuer).toBe(issuer.url);
});

test('an issuer without TLS is refused, but on this machine', () => {
  expect(() => open({ issuer: 'http://auth.example' })).toThrow(/must be https/);
  expect(() => open({ issuer: 'http://localhost:3000' })).not.toThrow();
});
