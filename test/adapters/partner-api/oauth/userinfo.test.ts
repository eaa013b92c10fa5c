import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { BAD_TOKENS, resigned } from '../../../support/bad-tokens.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { callFan, signIn, type Tokens, USUAL_SCOPE } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const Userinfo = z.strictObject({
  sub: z.string().startsWith('usr_'),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_id: z.string().startsWith('grant_'),
  iss: z.string(),
  aud: z.literal('svc-api'),
});
const OAuthError = z.strictObject({ error: z.string(), error_description: z.string().min(10) });

// the table makes its tokens now and then; none may run out before it is sent
const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
const tokens = await signIn(app);

async function userinfo(authorization: string | undefined, init: RequestInit = {}, query = '') {
  const answer = await fetch(`${app.config.authUrl}/oauth2/userinfo${query}`, {
    ...init,
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe.each(['GET', 'POST'])('spec §5.12: %s userinfo', (method) => {
  it('answers exactly six fields, those of the access token', async () => {
    const { status, headers, body } = await userinfo(`Bearer ${tokens.access_token}`, { method });
    expect(status).toBe(200);
    const { sub, scope, granted_actions, grant_id, iss, aud } = decodeJwt(tokens.access_token);
    expect(Userinfo.parse(body)).toEqual({ sub, scope, granted_actions, grant_id, iss, aud });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('takes the scheme in any case (RFC 9110 §11.1), and no token from the query (RFC 6750 §2.3)', async () => {
    expect((await userinfo(`bearer ${tokens.access_token}`, { method })).status).toBe(200);
    expect((await userinfo(undefined, { method }, `?access_token=${tokens.access_token}`)).status).toBe(401);
  });
});

it('RFC 6750 §2.2: takes no token from a form', async () => {
  const body = new URLSearchParams({ access_token: tokens.access_token });
  expect((await userinfo(undefined, { method: 'POST', body })).status).toBe(401);
});

it('the tool of the table signs as the server does: an unchanged payload is accepted', async () => {
  expect((await userinfo(await resigned(app, tokens, {}))).status).toBe(200);
});

it.each(BAD_TOKENS)('spec §7: invalid_token: refuses $rule', async ({ authorization }) => {
  const { status, headers, body } = await userinfo(await authorization(app, tokens));
  expect(status).toBe(401);
  expect(OAuthError.parse(body).error).toBe('invalid_token');
  expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"(, error_description="[^"\\]+")?$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('spec §5.9: refuses an access token from the second in which its lifetime is over', async () => {
  using clock = freezeClock(app);
  const { access_token: token } = await signIn(app);
  clock.pass(599);
  expect((await userinfo(`Bearer ${token}`)).status).toBe(200);
  clock.pass(1);
  const { status, headers } = await userinfo(`Bearer ${token}`);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toContain('expired');
});

/** Exactly these members: what is absent (`exp`, `revoked_at`, …) is absent on purpose. */
const Receipt = z.strictObject({
  iss: z.string(),
  aud: z.string().startsWith('client_'),
  sub: z.string().startsWith('usr_'),
  iat: z.int(),
  jti: z.string().min(20),
  grant_id: z.string().startsWith('grant_'),
  client_id: z.string().startsWith('client_'),
  client_name: z.string().min(1),
  mode: z.literal('sandbox'),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_mode: z.enum(['all_current_future', 'selected']),
  ticket_ids: z.array(z.string().startsWith('tkt_')).optional(),
  granted_at: z.int(),
});

function ask(grantId: string, authorization?: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.config.authUrl}/oauth2/grants/${grantId}/receipt`, {
    headers: { ...(authorization !== undefined && { authorization }), ...headers },
  });
}

/** As a partner would: by the published keys, with nothing of this project. */
async function receiptOf({ grant_id, access_token }: Tokens) {
  const answer = await ask(grant_id, `Bearer ${access_token}`);
  expect(answer.status).toBe(200);
  const keys = createRemoteJWKSet(new URL(`${app.config.authUrl}/.well-known/jwks.json`));
  const verified = await jwtVerify(await answer.text(), keys, {
    algorithms: ['RS256'],
    typ: 'consent-receipt+jwt',
    issuer: app.config.authUrl,
    audience: app.kit.client_id,
  });
  return { answer, payload: Receipt.parse(verified.payload) };
}

describe('the consent receipt', () => {
  it('states what was granted, signed by a published key', async () => {
    const { answer, payload } = await receiptOf(tokens);
    expect(answer.headers.get('content-type')).toBe('application/jwt');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(payload).toMatchObject({
      sub: app.kit.test_users[0]?.id,
      client_id: app.kit.client_id,
      grant_id: tokens.grant_id,
      scope: USUAL_SCOPE,
      granted_actions: ['fan:tickets:read', 'fan:listings:write'],
      grant_mode: 'all_current_future',
    });
    expect(payload.ticket_ids).toBeUndefined();
    expect(payload.iat).toBeGreaterThanOrEqual(payload.granted_at);
  });

  it('names the tickets of a selected grant', async () => {
    const { body } = await callFan(app, '/tickets', tokens.access_token);
    const [ticket] = body.tickets as { id: string }[];
    const { payload } = await receiptOf(await signIn(app, { mode: 'selected', ticketIds: [ticket?.id ?? ''] }));
    expect(payload).toMatchObject({ grant_mode: 'selected', ticket_ids: [ticket?.id] });
  });

  it('is no access token: the Fan API refuses it', async () => {
    const receipt = await (await ask(tokens.grant_id, `Bearer ${tokens.access_token}`)).text();
    expect((await callFan(app, '/tickets', receipt)).status).toBe(401);
  });

  it('is for the grant of the token alone: another one, a made-up one and a malformed one are 404', async () => {
    const other = await signIn(app);
    for (const grantId of [other.grant_id, 'grant_01kagqcx5bf1wbq0z9pznsv2ta', "'--", '%00', 'x'.repeat(500)]) {
      const answer = await ask(grantId, `Bearer ${tokens.access_token}`);
      expect([answer.status, (await answer.json()).error], grantId).toEqual([404, 'invalid_request']);
    }
  });

  it('of a revoked grant is not given any more', async () => {
    const gone = await signIn(app);
    await revokeGrant(app.context(), { grantId: gone.grant_id, reason: 'revoked_by_client', actor: 'client:test' });
    for (const grantId of [gone.grant_id, tokens.grant_id]) {
      const answer = await ask(grantId, `Bearer ${gone.access_token}`);
      expect([answer.status, (await answer.json()).error]).toEqual([401, 'invalid_token']);
    }
  });

  it.each(BAD_TOKENS.slice(0, 3))('refuses $rule, as userinfo does', async ({ authorization }) => {
    const answer = await ask(tokens.grant_id, await authorization(app, tokens));
    expect([answer.status, (await answer.json()).error]).toEqual([401, 'invalid_token']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
  });
});
