import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuthorizationCode } from '../../../src/entities/authorization-code.ts';
import { RefreshTokenFamily } from '../../../src/entities/refresh-token-family.ts';
import { makeClient } from '../../support/make-client.ts';
import {
  authorize,
  codeForm,
  consent,
  login,
  obtainCode,
  postForm,
  signIn,
  USUAL_SCOPE,
  verifyPhone,
} from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const ACTIONS = ['fan:tickets:read', 'fan:listings:write'];

/** Spec §5.9, field by field; nothing else may be there. */
const TokenResponse = z.strictObject({
  token_type: z.literal('Bearer'),
  expires_in: z.literal(60),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_id: z.string().regex(/^grant_[0-9a-z]{26}$/),
  grant_mode: z.enum(['all_current_future', 'selected']),
  mode: z.enum(['sandbox', 'production']),
  access_token: z.string(),
  id_token: z.string().optional(),
  refresh_token: z.string().startsWith('rt_').optional(),
  refresh_token_expires_in: z.int().optional(),
});

/** Spec §5.11, claim by claim. */
const AccessTokenClaims = z.strictObject({
  iss: z.string(),
  aud: z.literal('svc-api'),
  sub: z.string().regex(/^usr_[0-9a-z]{26}$/),
  client_id: z.string(),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_id: z.string(),
  mode: z.string(),
  jti: z.string().min(16),
  iat: z.int(),
  exp: z.int(),
});

const IdTokenClaims = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  iat: z.int(),
  exp: z.int(),
  auth_time: z.int(),
  at_hash: z.string(),
  amr: z.array(z.string()),
  nonce: z.string().optional(),
});

const app = await testApp();

async function exchange(obtained: Parameters<typeof codeForm>[0]) {
  const { status, headers, body } = await postForm(app, '/oauth2/token', codeForm(obtained));
  expect(status, JSON.stringify(body)).toBe(200);
  return { headers, tokens: TokenResponse.parse(body) };
}

describe('spec §5.9: the token response', () => {
  it('has exactly these fields', async () => {
    const { headers, tokens } = await exchange(await obtainCode(app));
    expect(tokens).toMatchObject({
      scope: USUAL_SCOPE,
      granted_actions: ACTIONS,
      grant_mode: 'all_current_future',
      mode: 'sandbox',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
    });
    expect(tokens.refresh_token_expires_in).toBe(2_592_000);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });

  it('spec §5.1: without openid there is no ID token', async () => {
    const { tokens } = await exchange(await obtainCode(app, { scope: 'offline_access fan:tickets:read' }));
    expect(tokens).not.toHaveProperty('id_token');
    expect(tokens.refresh_token).toBeDefined();
  });

  it('without offline_access there is no refresh token, and nothing of it is stored', async () => {
    const before = await app.context().em.count(RefreshTokenFamily);
    const { tokens } = await exchange(await obtainCode(app, { scope: 'openid fan:tickets:read' }));
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens).not.toHaveProperty('refresh_token_expires_in');
    expect(await app.context().em.count(RefreshTokenFamily)).toBe(before);
  });

  it('spec §5.7: granted_actions are what the fan approved, scope what was requested', async () => {
    const { tokens } = await exchange(await obtainCode(app, { actions: ['fan:tickets:read'] }));
    expect(tokens.granted_actions).toEqual(['fan:tickets:read']);
    expect(tokens.scope).toBe(USUAL_SCOPE);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ granted_actions: ['fan:tickets:read'], scope: USUAL_SCOPE });
  });

  it('D-039 no fan scope requested: a plain sign-in has no actions', async () => {
    const { tokens } = await exchange(await obtainCode(app, { scope: 'openid profile', actions: [] }));
    expect(tokens.granted_actions).toEqual([]);
    expect(decodeJwt(tokens.access_token).granted_actions).toEqual([]);
  });

  it('grant_mode is selected where the fan selected tickets', async () => {
    const started = await authorize(app);
    await verifyPhone(app, started);
    const offer = await login<{ tickets: { id: string }[] }>(app, started, 'consent.options');
    const callback = await consent(app, started, { mode: 'selected', ticketIds: [offer.tickets[0]?.id ?? ''] });
    const { tokens } = await exchange({ ...started, code: callback.searchParams.get('code') ?? '' });
    expect(tokens.grant_mode).toBe('selected');
  });

  it('a scope that was requested twice counts once', async () => {
    const { tokens } = await exchange(await obtainCode(app, { scope: 'openid fan:tickets:read openid' }));
    expect(tokens.scope).toBe('openid fan:tickets:read');
  });

  it('spec §5.14: the tokens of a production client say production', async () => {
    const sent: string[] = [];
    Object.assign(app.runtime, {
      verification: {
        name: 'fake',
        forProduction: false,
        send: async (phone: string) => `reference ${sent.push(phone)}`,
        check: async (phone: string, reference: string, code: string) =>
          reference === `reference ${sent.indexOf(phone) + 1}` && code === '424242',
      },
    });
    const redirectUri = 'https://partner.example.com/callback';
    const clientId = await makeClient(app, { mode: 'production', status: 'enabled', redirectUris: [redirectUri] });
    const { tokens } = await exchange(
      await obtainCode(app, { clientId, redirectUri, phone: '+12025550199', code: '424242' }),
    );
    expect(sent).toEqual(['+12025550199']);
    expect([tokens.mode, decodeJwt(tokens.access_token).mode]).toEqual(['production', 'production']);
  });
});

describe('spec §5.11: the access token', () => {
  it('has exactly these claims and, of RFC 9068, the header', async () => {
    const { tokens } = await exchange(await obtainCode(app));
    const claims = AccessTokenClaims.parse(decodeJwt(tokens.access_token));
    expect(claims).toMatchObject({
      iss: app.config.authUrl,
      client_id: app.kit.client_id,
      sub: app.kit.test_users[0]?.id,
      scope: tokens.scope,
      granted_actions: tokens.granted_actions,
      grant_id: tokens.grant_id,
      mode: tokens.mode,
    });
    expect(claims.exp - claims.iat).toBe(60);
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(5);
    const [key] = (await app.runtime.keys.published()).keys;
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: key?.kid });
  });

  it('each has a jti of its own', async () => {
    const [one, two] = [await signIn(app), await signIn(app)].map((tokens) => decodeJwt(tokens.access_token).jti);
    expect(one).not.toBe(two);
  });
});

describe('spec §5.11: the ID token', () => {
  it('is for the client, lives one hour, and carries the nonce, auth_time, amr and at_hash', async () => {
    const started = await authorize(app);
    await verifyPhone(app, started);
    const verifiedAt = Math.floor(Date.now() / 1000);
    app.advance(300);
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const { tokens } = await exchange({ ...started, code });
    app.resetClock();
    const claims = IdTokenClaims.parse(decodeJwt(tokens.id_token ?? ''));
    expect(claims).toMatchObject({
      iss: app.config.authUrl,
      aud: app.kit.client_id,
      sub: decodeJwt(tokens.access_token).sub,
      nonce: started.nonce,
      // a sandbox code stands for one by SMS
      amr: ['sms'],
    });
    expect(claims.exp - claims.iat).toBe(3600);
    expect(
      Math.abs(claims.auth_time - verifiedAt),
      'when the phone was proved, not when the code was used',
    ).toBeLessThan(3);
    expect(claims.iat - claims.auth_time).toBeGreaterThanOrEqual(299);
    const half = createHash('sha256').update(tokens.access_token, 'ascii').digest().subarray(0, 16);
    expect(claims.at_hash).toBe(half.toString('base64url'));
    const { alg, typ } = decodeProtectedHeader(tokens.id_token ?? '');
    expect([alg, typ]).toEqual(['RS256', 'JWT']);
  });

  it('has no nonce where authorize had none', async () => {
    const { tokens } = await exchange(await obtainCode(app, { parameters: { nonce: undefined } }));
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('nonce');
  });

  it('gives the nonce back as it was, in any script', async () => {
    const { tokens } = await exchange(await obtainCode(app, { parameters: { nonce: 'Zażółć "座席" 🎟️ a+b' } }));
    expect(decodeJwt(tokens.id_token ?? '').nonce).toBe('Zażółć "座席" 🎟️ a+b');
  });
});

describe('spec §5.5: code_verifier', () => {
  it.each([
    ['43 characters', 'v'.repeat(43)],
    ['128 characters', 'v'.repeat(128)],
    ['every kind of character', `${'-._~'.repeat(10)}AZaz09`],
  ])('may have %s', async (_, verifier) => {
    await exchange(await obtainCode(app, { verifier }));
  });
});

it('D-003 identifiers: code and refresh token are 256 bits or more, prefixed, and stored only as hashes', async () => {
  const obtained = await obtainCode(app);
  expect(obtained.code).toMatch(/^ac_[\w-]{43}$/);
  const { tokens } = await exchange(obtained);
  expect(tokens.refresh_token).toMatch(/^rt_[\w-]{64}$/);
  const { em } = app.context();
  const stored = JSON.stringify([await em.find(AuthorizationCode, {}), await em.find(RefreshTokenFamily, {})]);
  expect(stored).toContain(createHash('sha256').update(obtained.code).digest('base64url'));
  for (const secret of [obtained.code, tokens.refresh_token ?? '']) {
    expect(stored).not.toContain(secret.slice(3));
    expect(stored).not.toContain(secret.slice(-43));
  }
});
