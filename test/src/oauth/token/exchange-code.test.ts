import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { AuthorizationCode } from '../../../../src/entities/authorization-code.ts';
import { RefreshTokenFamily } from '../../../../src/entities/refresh-token-family.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import * as partner from '../../../support/partner.ts';
import {
  authorize,
  callFan,
  type codeForm,
  consent,
  obtainCode,
  signIn,
  USUAL_SCOPE,
  verifyPhone,
} from '../../../support/partner.ts';
import { refusedBy } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { signInProduction } from '../../inventory/stage.ts';

const ACTIONS = ['fan:tickets:read', 'fan:listings:write'];

const app = await testApp();
afterEach(() => app.resetClock());

type Obtained = Parameters<typeof codeForm>[0];
const exchange = (obtained: Obtained, changes: Record<string, string | undefined> = {}) =>
  partner.exchange(app, obtained, changes);
const refresh = (token = '', changes: Record<string, string> = {}) => partner.refresh(app, token, changes);

async function exchanged(obtained: Obtained) {
  const { status, headers, ...tokens } = await exchange(obtained);
  expect(status, JSON.stringify(tokens)).toBe(200);
  return { headers, tokens };
}

describe('spec §5.9: the token response', () => {
  it('has exactly these fields', async () => {
    const { headers, tokens } = await exchanged(await obtainCode(app));
    expect(tokens).toEqual({
      token_type: 'Bearer',
      expires_in: 60,
      scope: USUAL_SCOPE,
      granted_actions: ACTIONS,
      grant_id: expect.stringMatching(/^grant_[0-9a-z]{26}$/),
      grant_mode: 'all_current_future',
      mode: 'sandbox',
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.stringMatching(/^rt_/),
      refresh_token_expires_in: 2_592_000,
    });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });

  it('spec §5.1: without openid there is no ID token', async () => {
    const { tokens } = await exchanged(await obtainCode(app, { scope: 'offline_access fan:tickets:read' }));
    expect(tokens).not.toHaveProperty('id_token');
    expect(tokens.refresh_token).toBeDefined();
  });

  it('without offline_access there is no refresh token, and nothing of it is stored', async () => {
    const before = await app.context().em.count(RefreshTokenFamily);
    const { tokens } = await exchanged(await obtainCode(app, { scope: 'openid fan:tickets:read' }));
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens).not.toHaveProperty('refresh_token_expires_in');
    expect(await app.context().em.count(RefreshTokenFamily)).toBe(before);
  });

  it('spec §5.7: granted_actions are what the fan approved, scope what was requested', async () => {
    const { tokens } = await exchanged(await obtainCode(app, { actions: ['fan:tickets:read'] }));
    expect(tokens.granted_actions).toEqual(['fan:tickets:read']);
    expect(tokens.scope).toBe(USUAL_SCOPE);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ granted_actions: ['fan:tickets:read'], scope: USUAL_SCOPE });
  });

  it('no fan scope requested: a plain sign-in has no actions', async () => {
    const { tokens } = await exchanged(await obtainCode(app, { scope: 'openid profile', actions: [] }));
    expect(tokens.granted_actions).toEqual([]);
    expect(decodeJwt(tokens.access_token).granted_actions).toEqual([]);
  });

  it('a scope that was requested twice counts once', async () => {
    const { tokens } = await exchanged(await obtainCode(app, { scope: 'openid fan:tickets:read openid' }));
    expect(tokens.scope).toBe('openid fan:tickets:read');
  });

  it('spec §5.14: the tokens of a production client say production', async () => {
    const tokens = await signInProduction(app, '+12025550199');
    expect([tokens.mode, decodeJwt(tokens.access_token).mode]).toEqual(['production', 'production']);
  });
});

it('spec §5.11: the access token has exactly these claims and, of RFC 9068, the header', async () => {
  const { tokens } = await exchanged(await obtainCode(app));
  const claims = decodeJwt(tokens.access_token);
  const { iat = Number.NaN } = claims;
  expect(claims).toEqual({
    iss: app.config.authUrl,
    aud: 'svc-api',
    client_id: app.kit.client_id,
    sub: app.kit.test_users[0]?.id,
    scope: tokens.scope,
    granted_actions: tokens.granted_actions,
    grant_id: tokens.grant_id,
    mode: tokens.mode,
    jti: expect.stringMatching(/^\S{16,}$/),
    iat: Math.floor(iat),
    exp: iat + 60,
  });
  expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(5);
  const [key] = (await app.runtime.keys.published()).keys;
  expect(decodeProtectedHeader(tokens.access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: key?.kid });
});

describe('spec §5.11: the ID token', () => {
  it('is for the client, lives one hour, and carries the nonce, auth_time, amr and at_hash', async () => {
    const started = await authorize(app);
    await verifyPhone(app, started);
    const verifiedAt = Math.floor(Date.now() / 1000);
    app.advance(300);
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const { tokens } = await exchanged({ ...started, code });
    const claims = decodeJwt(tokens.id_token);
    const [iat, authTime] = [Number(claims.iat), Number(claims.auth_time)];
    const half = createHash('sha256').update(tokens.access_token, 'ascii').digest().subarray(0, 16);
    expect(claims).toEqual({
      iss: app.config.authUrl,
      aud: app.kit.client_id,
      sub: decodeJwt(tokens.access_token).sub,
      nonce: started.nonce,
      // a sandbox code stands for one by SMS
      amr: ['sms'],
      at_hash: half.toString('base64url'),
      iat: Math.floor(iat),
      exp: iat + 3600,
      auth_time: Math.floor(authTime),
    });
    expect(Math.abs(authTime - verifiedAt), 'when the phone was proved, not when the code was used').toBeLessThan(3);
    expect(iat - authTime).toBeGreaterThanOrEqual(299);
    const { alg, typ } = decodeProtectedHeader(tokens.id_token);
    expect([alg, typ]).toEqual(['RS256', 'JWT']);
  });

  it.each([undefined, 'Zażółć "座席" 🎟️ a+b'])('gives the nonce %j back as it was', async (nonce) => {
    const { tokens } = await exchanged(await obtainCode(app, { parameters: { nonce } }));
    expect(decodeJwt(tokens.id_token).nonce).toBe(nonce);
  });
});

it('identifiers: code and refresh token are 256 bits or more, prefixed, and stored only as hashes', async () => {
  const obtained = await obtainCode(app);
  expect(obtained.code).toMatch(/^ac_[\w-]{43}$/);
  const { tokens } = await exchanged(obtained);
  expect(tokens.refresh_token).toMatch(/^rt_[\w-]{64}$/);
  const { em } = app.context();
  const stored = JSON.stringify([await em.find(AuthorizationCode, {}), await em.find(RefreshTokenFamily, {})]);
  expect(stored).toContain(createHash('sha256').update(obtained.code).digest('base64url'));
  for (const secret of [obtained.code, tokens.refresh_token]) {
    expect(stored).not.toContain(secret.slice(3));
    expect(stored).not.toContain(secret.slice(-43));
  }
});

type SomeTokens = { access_token?: string | undefined; refresh_token?: string | undefined };

async function expectAlive(tokens: SomeTokens): Promise<void> {
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
}

async function expectRevoked(tokens: SomeTokens): Promise<void> {
  const { status, headers } = await callFan(app, '/tickets', tokens.access_token);
  expect([status, headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
  expect(await refresh(tokens.refresh_token)).toMatchObject(refusedBy('invalid_grant'));
}

const FIELDS = ['grant_type', 'client_id', 'code', 'redirect_uri', 'code_verifier'];

it.each([
  ...FIELDS.map((field) => [field, undefined, 'is required'] as const),
  ...FIELDS.map((field) => [field, '', 'is required'] as const),
  // which the database can not hold
  ...FIELDS.slice(0, 4).map((field) => [field, 'a\0', 'must have no NUL'] as const),
])(
  'spec §5.8: every field is required; the code can still be used: %s as %j: invalid_request naming it',
  async (field, value, fault) => {
    const obtained = await obtainCode(app);
    const answer = await exchange(obtained, { [field]: value });
    expect(answer).toMatchObject(refusedBy('invalid_request', `${field} ${fault}`));
    expect((await exchange(obtained)).status).toBe(200);
  },
);

describe('spec §7: invalid_request for a wrong client_id, redirect_uri, code or code_verifier', () => {
  const WRONG_VERIFIER = 'Invalid PKCE code_verifier';
  const CLIENT_IS_WRONG = expect.stringMatching(/^client_id (is unknown|does not match the authorize request)$/);
  const WRONG_URI = 'redirect_uri does not match the authorize request';
  it.each([
    ['a verifier that does not match', { code_verifier: 'v'.repeat(43) }, WRONG_VERIFIER],
    ['a verifier of 42 characters (§5.5)', { code_verifier: 'v'.repeat(42) }, WRONG_VERIFIER],
    ['a verifier with a NUL (§5.5)', { code_verifier: `${'v'.repeat(43)}\0` }, WRONG_VERIFIER],
    ['another redirect URI of the client', { redirect_uri: 'http://127.0.0.1:4000/callback' }, WRONG_URI],
    ['the redirect URI with a slash', { redirect_uri: 'http://localhost:4000/callback/' }, WRONG_URI],
  ])('%s; the code is spent by it', async (_, changes, description) => {
    const obtained = await obtainCode(app);
    expect(await exchange(obtained, changes)).toMatchObject(refusedBy('invalid_request', description));
    expect(await exchange(obtained)).toMatchObject(refusedBy('invalid_request', 'code has been used already'));
  });

  it('spec §5.5: a malformed verifier is none, also where its hash is the challenge; no token family is begun', async () => {
    const obtained = await obtainCode(app, { verifier: 'v'.repeat(42) });
    const before = await app.context().em.count(RefreshTokenFamily);
    expect(await exchange(obtained)).toMatchObject(refusedBy('invalid_request', WRONG_VERIFIER));
    expect(await app.context().em.count(RefreshTokenFamily)).toBe(before);
  });

  it('a code that is unknown, no code, or 10 kB; the answer is an error of RFC 6749 §5.2 and nothing more, and is not stored', async () => {
    const obtained = await obtainCode(app);
    for (const code of [`ac_${'A'.repeat(43)}`, 'x', 'c'.repeat(10_000)]) {
      const { headers, ...answer } = await exchange(obtained, { code });
      expect(answer).toEqual(refusedBy('invalid_request', 'code is invalid or expired'));
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    }
  });

  it("an unknown client_id, and another client's; the code is not spent, so that a stranger can not spoil a sign-in", async () => {
    const obtained = await obtainCode(app);
    const stranger = await makeClient(app);
    for (const client_id of ['nobody', 'client_00000000000000000000000000', 'c'.repeat(10_000), stranger])
      expect(await exchange(obtained, { client_id })).toMatchObject(refusedBy('invalid_request', CLIENT_IS_WRONG));
    expect((await exchange(obtained)).status).toBe(200);
  });
});

it.each([
  [59, { status: 200 }],
  [60, refusedBy('invalid_request', 'code is invalid or expired')],
])('code lifetime: 60 seconds, here after %i', async (seconds, answer) => {
  using clock = freezeClock(app);
  const obtained = await obtainCode(app);
  clock.pass(seconds);
  expect(await exchange(obtained)).toMatchObject(answer);
});

describe('code lifetime: a second use revokes all tokens of the code', () => {
  it('access and refresh token are dead at once, and the audit log says why', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    await expectAlive(tokens);
    expect(await exchange(obtained)).toMatchObject(refusedBy('invalid_request', 'code has been used already'));
    await expectRevoked(tokens);
    const audited = { subject: tokens.grant_id, action: 'grant.revoked' };
    expect(await app.context().em.findOne(AuditEntry, audited)).toMatchObject({
      actor: `client:${app.kit.client_id}`,
      details: { reason: 'code_reuse' },
    });
  });

  it('tokens that were refreshed meanwhile are dead too', async () => {
    const obtained = await obtainCode(app);
    const tokens = await exchange(obtained);
    const refreshed = await refresh(tokens.refresh_token);
    await exchange(obtained);
    await expectRevoked(refreshed);
  });

  it('also with a wrong verifier, and after the code has expired', async () => {
    const wrong = await obtainCode(app);
    const first = await exchange(wrong);
    await exchange(wrong, { code_verifier: 'v'.repeat(43) });
    await expectRevoked(first);
    const late = await obtainCode(app);
    const second = await exchange(late);
    app.advance(61);
    await exchange(late);
    app.resetClock();
    await expectRevoked(second);
  });

  it('but not in the hands of another client, and no other grant of the fan to the client', async () => {
    const [other, obtained] = [await signIn(app), await obtainCode(app)];
    const tokens = await exchange(obtained);
    expect((await exchange(obtained, { client_id: await makeClient(app) })).status).toBe(400);
    await expectAlive(tokens);
    await exchange(obtained);
    await expectRevoked(tokens);
    await expectAlive(other);
  });
});

it('client not enabled / suspended: a client suspended after consent gets no tokens for its code, nor for its refresh token', async () => {
  const clientId = await makeClient(app);
  const obtained = await obtainCode(app, { clientId });
  const tokens = await signIn(app, { clientId });
  await changeClient(app, clientId, { status: 'suspended' });
  expect(await exchange(obtained)).toMatchObject({ status: 400, error: 'invalid_request' });
  expect((await refresh(tokens.refresh_token, { client_id: clientId })).error).toBe('invalid_grant');
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
});
