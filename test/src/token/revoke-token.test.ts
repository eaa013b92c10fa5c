import { describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

function revoke(token: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token, ...form }, headers);
}

async function isAlive(tokens: Pick<Tokens, 'access_token'>): Promise<boolean> {
  const { status } = await callFan(app, '/tickets', tokens.access_token);
  const userinfo = await fetch(`${app.config.authUrl}/oauth2/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(userinfo.status, 'userinfo and the Fan API agree').toBe(status);
  return status === 200;
}

const refreshStatus = async (token: string) => (await postForm(app, '/oauth2/token', refreshForm(app, token))).status;

describe('RFC 7009 §2: revocation', () => {
  it.each(['refresh_token', 'access_token'] as const)('of a %s ends the whole grant at once', async (kind) => {
    const tokens = await signIn(app);
    const { status, headers, body } = await revoke(tokens[kind]);
    expect([status, body]).toEqual([200, undefined]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type'), 'some browser libraries refuse text/plain').toBeNull();
    expect(await isAlive(tokens)).toBe(false);
    expect(await refreshStatus(tokens.refresh_token)).toBe(400);
    const entries = await app.context().em.find(AuditEntry, { subject: tokens.grant_id, action: 'grant.revoked' });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actor: `client:${app.kit.client_id}`,
      details: { reason: 'revoked_by_client' },
      requestId: headers.get('x-request-id'),
    });
  });

  it('takes a token_type_hint, also a wrong or unknown one (§2.1)', async () => {
    for (const hint of ['refresh_token', 'access_token', 'something_else']) {
      const tokens = await signIn(app);
      expect((await revoke(tokens.refresh_token, { token_type_hint: hint })).status).toBe(200);
      expect(await isAlive(tokens), hint).toBe(false);
    }
  });

  it('takes a refresh token that was rotated away', async () => {
    const tokens = await signIn(app);
    await refreshStatus(tokens.refresh_token);
    await revoke(tokens.refresh_token);
    expect(await isAlive(tokens)).toBe(false);
  });

  it('again changes nothing: 200, and one audit entry', async () => {
    const tokens = await signIn(app);
    for (let call = 0; call < 3; call += 1) expect((await revoke(tokens.refresh_token)).status).toBe(200);
    const { em } = app.context();
    expect(await em.count(AuditEntry, { subject: tokens.grant_id, action: 'grant.revoked' })).toBe(1);
  });

  it("ends that grant only, not the fan's other ones", async () => {
    const [one, two] = [await signIn(app), await signIn(app)];
    await revoke(one.refresh_token);
    expect(await isAlive(two)).toBe(true);
  });
});

describe("RFC 7009 §2.2: what is not the client's is 200 and changes nothing", () => {
  it.each(['x', `rt_${'A'.repeat(64)}`, 'a.b.c', 'ac_'.padEnd(46, 'A'), 'x'.repeat(10_000)])(
    'an unknown token (%s)',
    async (token) => {
      const { status, body } = await revoke(token);
      expect([status, body]).toEqual([200, undefined]);
    },
  );

  it.each(['refresh_token', 'access_token'] as const)("a foreign client's %s", async (kind) => {
    const tokens = await signIn(app);
    const clientId = await makeClient(app);
    for (const client_id of [clientId, 'nobody']) {
      expect((await revoke(tokens[kind], { client_id })).status).toBe(200);
    }
    expect(await isAlive(tokens)).toBe(true);
    expect(await refreshStatus(tokens.refresh_token)).toBe(200);
  });

  it('an ID token, and an access token that has expired', async () => {
    const tokens = await signIn(app);
    expect((await revoke(tokens.id_token)).status).toBe(200);
    app.advance(61);
    expect((await revoke(tokens.access_token)).status).toBe(200);
    app.resetClock();
    expect(await isAlive(tokens)).toBe(true);
  });
});

describe('RFC 7009 §2.2.1: a request that is no request for revocation', () => {
  it.each(['client_id', 'token'])('without %s: invalid_request naming it', async (field) => {
    const { status, body } = await revoke((await signIn(app)).refresh_token, { [field]: '' });
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description: `${field} is required` }]);
  });

  it('token twice: invalid_request, and nothing is revoked', async () => {
    const tokens = await signIn(app);
    const pairs: [string, string][] = [
      ['client_id', app.kit.client_id],
      ['token', tokens.refresh_token],
      ['token', tokens.access_token],
    ];
    expect((await postForm(app, '/oauth2/revoke', pairs)).status).toBe(400);
    expect(await isAlive(tokens)).toBe(true);
  });

  it('with an Authorization header or client_secret: 401 invalid_client, and nothing is revoked', async () => {
    const tokens = await signIn(app);
    const basic = await revoke(tokens.refresh_token, {}, { authorization: 'Basic eDp5' });
    expect([basic.status, basic.body.error]).toEqual([401, 'invalid_client']);
    expect((await revoke(tokens.refresh_token, { client_secret: 'x' })).status).toBe(401);
    expect(await isAlive(tokens)).toBe(true);
  });

  it('as JSON: invalid_request', async () => {
    const answer = await fetch(`${app.config.authUrl}/oauth2/revoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: app.kit.client_id, token: 'x' }),
    });
    expect(answer.status).toBe(400);
  });
});
