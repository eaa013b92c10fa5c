import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { RefreshTokenFamily } from '../../../../src/entities/refresh-token-family.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import * as partner from '../../../support/partner.ts';
import { callFan, postForm, signIn, type Tokens, USUAL_SCOPE } from '../../../support/partner.ts';
import { refusedBy } from '../../../support/refused.ts';
import { KEY_ENCRYPTION_KEY } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';

const DAY = 86_400;
const app = await testApp();
/** Another KEY_ENCRYPTION_KEY, and the one of `app` as fallback. */
const otherKey = await testApp({
  databaseUrl: app.config.databaseUrl ?? '',
  env: {
    KEY_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('hex'),
    KEY_ENCRYPTION_KEY_FALLBACK: KEY_ENCRYPTION_KEY,
  },
});
afterEach(() => app.resetClock());

const refresh = (token: string, changes: Record<string, string> = {}) => partner.refresh(app, token, changes);

const INVALID_GRANT = refusedBy('invalid_grant', 'refresh_token is invalid, expired or revoked');
const TOO_WIDE = 'scope is wider than the original grant';

async function expectRefused(by: typeof refresh, tokens: string[]): Promise<void> {
  for (const token of tokens) expect(await by(token)).toMatchObject(INVALID_GRANT);
}
const expectDead = (...tokens: string[]) => expectRefused(refresh, tokens);

describe('spec §5.10: rotation', () => {
  it('each call returns a new access token and a new refresh token, with the fields of the first response', async () => {
    const first = await signIn(app);
    let token = first.refresh_token;
    const seen = new Set([token]);
    for (let call = 0; call < 5; call += 1) {
      const answer = await refresh(token);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer).sort()).toEqual(['status', 'headers', ...Object.keys(first)].sort());
      expect(answer).toMatchObject({
        token_type: 'Bearer',
        scope: USUAL_SCOPE,
        granted_actions: first.granted_actions,
        grant_id: first.grant_id,
        grant_mode: 'all_current_future',
        mode: 'sandbox',
      });
      expect((await callFan(app, '/tickets', answer.access_token)).status).toBe(200);
      token = answer.refresh_token;
      seen.add(token);
    }
    expect(seen.size).toBe(6);
  });

  it('a sign-in after it is a family of its own', async () => {
    const [one, two] = [await signIn(app), await signIn(app)];
    await refresh(one.refresh_token);
    await refresh(one.refresh_token);
    expect((await refresh(two.refresh_token)).status).toBe(200);
  });
});

describe('spec §5.10: reusing a rotated refresh token revokes the whole family', () => {
  it('and, decided, the tokens of its grant at once; both are audited', async () => {
    const first = await signIn(app);
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    await expectDead(first.refresh_token, first.refresh_token, second.refresh_token, third.refresh_token);
    for (const { access_token } of [first, second, third]) {
      const call = await callFan(app, '/tickets', access_token);
      expect([call.status, call.headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
    }
    const entries = await app.context().em.find(AuditEntry, { subject: first.grant_id }, { orderBy: { id: 'asc' } });
    expect(entries.map(({ action, actor }) => [action, actor.split(':')[0]])).toEqual([
      ['grant.given', 'fan'],
      ['refresh_token.reused', 'client'],
      ['grant.revoked', 'client'],
    ]);
    expect(entries.at(-1)?.details).toEqual({ reason: 'refresh_token_reuse' });
  });

  it.each([
    ['within the same second (no retry window by default)', 0, ''],
    ['by the clock of a process that is behind', -3, ''],
    ['with a scope that is too wide', 0, 'openid fan:cart:write'],
  ])('also %s', async (_, seconds, scope) => {
    const first = await signIn(app);
    const second = await refresh(first.refresh_token);
    app.advance(seconds);
    expect(await refresh(first.refresh_token, { scope })).toMatchObject(INVALID_GRANT);
    await expectDead(second.refresh_token);
  });
});

describe('spec §5.10: scope may narrow the original scope', () => {
  it('for that access token only, granted_actions with it', async () => {
    const first = await signIn(app);
    const narrow = await refresh(first.refresh_token, { scope: 'fan:tickets:read profile' });
    const narrowed = { scope: 'profile fan:tickets:read', granted_actions: ['fan:tickets:read'] };
    expect(narrow).toMatchObject({ status: 200, ...narrowed });
    expect(decodeJwt(narrow.access_token)).toMatchObject(narrowed);
    const whole = await refresh(narrow.refresh_token);
    expect(whole).toMatchObject({ scope: USUAL_SCOPE, granted_actions: first.granted_actions });
  });

  it('without openid there is no ID token; without offline_access the chain goes on all the same', async () => {
    const narrow = await refresh((await signIn(app)).refresh_token, { scope: 'fan:tickets:read' });
    expect(narrow).not.toHaveProperty('id_token');
    expect((await refresh(narrow.refresh_token)).id_token).toBeDefined();
  });

  it('narrowing never brings back an action that the fan refused', async () => {
    const { refresh_token } = await signIn(app, { actions: ['fan:tickets:read'] });
    const scope = 'fan:tickets:read fan:listings:write';
    expect(await refresh(refresh_token, { scope })).toMatchObject({ scope, granted_actions: ['fan:tickets:read'] });
  });

  it('an empty scope is none: the original', async () => {
    expect((await refresh((await signIn(app)).refresh_token, { scope: '' })).scope).toBe(USUAL_SCOPE);
  });

  it.each([
    ['wider than the original', 'openid fan:tickets:read fan:cart:write', TOO_WIDE],
    ['unknown', 'email', TOO_WIDE],
    ['malformed', 'openid\tprofile', 'scope must be scopes, separated by spaces'],
  ])('one that is %s is invalid_scope, and the refresh token is not rotated', async (_, scope, error_description) => {
    const { refresh_token } = await signIn(app);
    expect(await refresh(refresh_token, { scope })).toMatchObject(refusedBy('invalid_scope', error_description));
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

it('spec §5.9: a client that lost offline_access gets no further refresh token; using the old one again is no reuse', async () => {
  const clientId = await makeClient(app);
  const first = await signIn(app, { clientId });
  await changeClient(app, clientId, { scopes: app.kit.scopes.filter((scope) => scope !== 'offline_access') });
  const last = await refresh(first.refresh_token, { client_id: clientId });
  expect(last.status).toBe(200);
  expect(last).not.toHaveProperty('refresh_token');
  expect(await refresh(first.refresh_token, { client_id: clientId })).toMatchObject(INVALID_GRANT);
  expect((await callFan(app, '/tickets', last.access_token)).status).toBe(200);
  const reuses = { subject: first.grant_id, action: 'refresh_token.reused' };
  expect(await app.context().em.count(AuditEntry, reuses)).toBe(0);
});

describe('the lifetime is counted from the exchange of the code and never extended', () => {
  it('30 days, with or without a refresh meanwhile', async () => {
    const first = await signIn(app);
    app.advance(20 * DAY);
    const second = await refresh(first.refresh_token);
    expect(second.refresh_token_expires_in).toBeGreaterThan(10 * DAY - 10);
    expect(second.refresh_token_expires_in).toBeLessThanOrEqual(10 * DAY);
    app.advance(10 * DAY - 30);
    const third = await refresh(second.refresh_token);
    expect(third.status).toBe(200);
    expect(third.refresh_token_expires_in).toBeLessThanOrEqual(30);
    app.advance(31);
    expect(await refresh(third.refresh_token)).toMatchObject(INVALID_GRANT);
  });

  it('not by a second either, at any part of a second; and nobody signs in after the token was made', async () => {
    using clock = freezeClock(app);
    const start = Math.floor(app.runtime.now().getTime() / 1000) + 1;
    clock.pass(start + 0.7 - app.runtime.now().getTime() / 1000);
    const first = await signIn(app);
    clock.pass(0.2);
    const second = await refresh(first.refresh_token);
    expect(second.refresh_token_expires_in).toBe(first.refresh_token_expires_in);
    for (const { id_token } of [first, second]) {
      const { auth_time, iat } = decodeJwt(id_token ?? '');
      expect([auth_time, iat]).toEqual([start, start]);
    }
  });
});

it('on refresh: iss, sub, aud, auth_time and amr are those of the sign-in, there is no nonce, at_hash is of the new access token', async () => {
  const first = await signIn(app);
  app.advance(100);
  const second = await refresh(first.refresh_token);
  const [before, after] = [decodeJwt(first.id_token), decodeJwt(second.id_token ?? '')];
  const { iss, sub, aud, auth_time, amr } = before;
  expect(amr).toEqual(['sms']);
  expect(after).toMatchObject({ iss, sub, aud, auth_time, amr });
  expect(after).not.toHaveProperty('nonce');
  expect(Number(after.exp) - Number(after.iat)).toBe(3600);
  expect(Number(after.iat) - Number(before.iat)).toBeGreaterThanOrEqual(100);
  const half = createHash('sha256').update(second.access_token).digest().subarray(0, 16);
  expect(after.at_hash).toBe(half.toString('base64url'));
});

describe('refresh errors: invalid_grant', () => {
  it.each([
    ['unknown', `rt_${'A'.repeat(64)}`],
    ['too short', `rt_${'A'.repeat(63)}`],
    ['too long', `rt_${'A'.repeat(65)}`],
    ['without its prefix', 'A'.repeat(64)],
    ['in another alphabet', `rt_${'+'.repeat(64)}`],
    ['no token at all', 'x'],
    ['10 kB', 'x'.repeat(10_000)],
  ])('a token that is %s', async (_, token) => {
    expect(await refresh(token)).toMatchObject(INVALID_GRANT);
  });

  it('an access token, an ID token', async () => {
    const tokens = await signIn(app);
    await expectDead(tokens.access_token, tokens.id_token);
  });

  it('a family that is revoked, even where its grant lives on (a crash came between the two)', async () => {
    const { refresh_token, grant_id } = await signIn(app);
    await app.context().em.nativeUpdate(RefreshTokenFamily, { grant: grant_id }, { revokedAt: new Date() });
    expect(await refresh(refresh_token)).toMatchObject(INVALID_GRANT);
  });

  it.each(['client_id', 'refresh_token'])('without %s it is invalid_request naming it', async (field) => {
    const { refresh_token } = await signIn(app);
    const answer = await refresh(refresh_token, { [field]: '' });
    expect(answer).toMatchObject(refusedBy('invalid_request', `${field} is required`));
    expect((await refresh(refresh_token)).status).toBe(200);
  });
});

describe('D-021 a wrong client_id on refresh', () => {
  const UNKNOWN = refusedBy('invalid_request', 'client_id is unknown');
  const NOBODY = 'client_01jd0000000000000000000000';

  it('RFC 6749 §5.2: a token of another client is refused as an unknown one, and nothing of its family changes', async () => {
    const stranger = { client_id: await makeClient(app) };
    const first = await signIn(app);
    const second = await refresh(first.refresh_token);
    const families = () => app.context().em.find(RefreshTokenFamily, { grant: first.grant_id });
    const before = await families();
    for (const token of [second.refresh_token, first.refresh_token]) {
      for (const scope of ['', 'openid', 'fan:cart:write']) {
        expect(await refresh(token, { ...stranger, scope })).toMatchObject(INVALID_GRANT);
      }
    }
    expect(await families()).toEqual(before);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('as many statements are spent on a token of another client as on an unknown one', async () => {
    const stranger = { client_id: await makeClient(app) };
    const { refresh_token } = await signIn(app);
    const statementsOf = async (token: string) => (await countStatements(() => refresh(token, stranger))).statements;
    expect(await statementsOf(refresh_token)).toEqual(await statementsOf(`rt_${'A'.repeat(64)}`));
  });

  it.each(['nobody', NOBODY, 'c'.repeat(10_000)])(
    'an unknown client (%j), with a live token, its predecessor, an unknown one and none: nothing is revoked',
    async (client_id) => {
      const first = await signIn(app);
      const second = await refresh(first.refresh_token);
      for (const token of [second.refresh_token, first.refresh_token, `rt_${'A'.repeat(64)}`, 'x']) {
        expect(await refresh(token, { client_id })).toMatchObject(UNKNOWN);
      }
      expect((await refresh(second.refresh_token)).status).toBe(200);
    },
  );
});

it('a family is one row, however often it is rotated', async () => {
  let { refresh_token } = await signIn(app);
  const before = await app.context().em.count(RefreshTokenFamily);
  for (let call = 0; call < 4; call += 1) ({ refresh_token } = await refresh(refresh_token));
  expect(await app.context().em.count(RefreshTokenFamily)).toBe(before);
});

describe('D-032 refresh: the predecessor presented again within the window', async () => {
  /** D-032 refresh: staff may allow a client to present the immediate predecessor again for some seconds. */
  const WINDOW = 20;
  const clientId = await makeClient(app, { refreshRetryWindow: WINDOW });

  const refresh = (token: string, changes: Record<string, string> = {}) =>
    partner.refresh(app, token, { client_id: clientId, ...changes });

  const expectDead = (...tokens: string[]) => expectRefused(refresh, tokens);

  it('gets the same successor and a fresh access token, both good; the family is not prolonged', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    app.advance(5);
    const retried = await refresh(first.refresh_token);
    expect(retried).toMatchObject({ status: 200, refresh_token: second.refresh_token });
    expect(Number(retried.refresh_token_expires_in)).toBeLessThanOrEqual(Number(second.refresh_token_expires_in) - 5);
    const [one, two] = [second, retried].map(({ access_token }) => decodeJwt(access_token));
    expect(one?.jti).not.toBe(two?.jti);
    expect(Number(two?.iat)).toBeGreaterThanOrEqual(Number(one?.iat) + 5);
    for (const { access_token } of [second, retried]) {
      expect((await callFan(app, '/tickets', access_token)).status).toBe(200);
    }
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('D-019: gets it also from a process that has another KEY_ENCRYPTION_KEY, and ours as fallback', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    const elsewhere = (token: string) => partner.refresh(otherKey, token, { client_id: clientId });
    expect((await elsewhere(first.refresh_token)).refresh_token).toBe(second.refresh_token);
    const third = await elsewhere(second.refresh_token);
    // this process can not derive the successor that the other one made: it refuses, and takes it for no theft
    await expectDead(second.refresh_token);
    expect((await refresh(third.refresh_token)).status).toBe(200);
  });

  it('counts from the first use and never slides: after it, a retry is a reuse, however recent the last retry', async () => {
    using clock = freezeClock(app);
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    for (const seconds of [10, 9]) {
      clock.pass(seconds);
      expect((await refresh(first.refresh_token)).status).toBe(200);
    }
    clock.pass(1);
    await expectDead(first.refresh_token, second.refresh_token);
    expect((await callFan(app, '/tickets', second.access_token)).status).toBe(401);
  });

  it('is for the immediate predecessor only: an older token is a reuse', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    const third = await refresh(second.refresh_token);
    await expectDead(first.refresh_token, second.refresh_token, third.refresh_token);
  });

  it('is for the same client only: in the hands of another it does nothing', async () => {
    const stranger = await makeClient(app, { refreshRetryWindow: WINDOW });
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    expect(await refresh(first.refresh_token, { client_id: stranger })).toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('may narrow the scope; one that is too wide is invalid_scope and ends nothing', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    expect(await refresh(first.refresh_token, { scope: 'fan:tickets:read' })).toMatchObject({
      status: 200,
      granted_actions: ['fan:tickets:read'],
      refresh_token: second.refresh_token,
    });
    expect(await refresh(first.refresh_token, { scope: 'fan:cart:read' })).toMatchObject(
      refusedBy('invalid_scope', TOO_WIDE),
    );
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('ends with the grant: a revoked one is not refreshed by a retry', async () => {
    const first = await signIn(app, { clientId });
    const second = await refresh(first.refresh_token);
    await postForm(app, '/oauth2/revoke', { client_id: clientId, token: second.refresh_token ?? '' });
    await expectDead(first.refresh_token, second.refresh_token);
  });

  it('can be switched off again, with effect at once', async () => {
    const own = await makeClient(app, { refreshRetryWindow: WINDOW });
    const first = await signIn(app, { clientId: own });
    const second = await refresh(first.refresh_token, { client_id: own });
    await changeClient(app, own, { refreshRetryWindow: 0 });
    expect(await refresh(first.refresh_token, { client_id: own })).toMatchObject({ error: 'invalid_grant' });
    expect(await refresh(second.refresh_token, { client_id: own })).toMatchObject({ error: 'invalid_grant' });
  });
});

function revoke(token: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token, ...form }, headers);
}

async function isAlive({ access_token: token }: Pick<Tokens, 'access_token'>): Promise<boolean> {
  const { status } = await callFan(app, '/tickets', token);
  const userinfo = await postForm(app, '/oauth2/userinfo', {}, { authorization: `Bearer ${token}` });
  expect(userinfo.status, 'userinfo and the Fan API agree').toBe(status);
  return status === 200;
}

describe('RFC 7009 §2: revocation', () => {
  it.each(['refresh_token', 'access_token'] as const)('of a %s ends the whole grant at once', async (kind) => {
    const tokens = await signIn(app);
    const { status, headers, body } = await revoke(tokens[kind]);
    expect([status, body]).toEqual([200, undefined]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type'), 'some browser libraries refuse text/plain').toBeNull();
    expect(await isAlive(tokens)).toBe(false);
    await expectDead(tokens.refresh_token);
    const entries = await app.context().em.find(AuditEntry, { subject: tokens.grant_id, action: 'grant.revoked' });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      actor: `client:${app.kit.client_id}`,
      details: { reason: 'revoked_by_client' },
      requestId: headers.get('x-request-id'),
    });
  });

  it('takes a token_type_hint, also a wrong or unknown one (§2.1), and a refresh token that was rotated away', async () => {
    for (const token_type_hint of ['refresh_token', 'access_token', 'something_else']) {
      const tokens = await signIn(app);
      await refresh(tokens.refresh_token);
      expect((await revoke(tokens.refresh_token, { token_type_hint })).status).toBe(200);
      expect(await isAlive(tokens), token_type_hint).toBe(false);
    }
  });

  it("again changes nothing: 200, and one audit entry; it ends that grant only, not the fan's other ones", async () => {
    const [tokens, other] = [await signIn(app), await signIn(app)];
    for (let call = 0; call < 3; call += 1) expect((await revoke(tokens.refresh_token)).status).toBe(200);
    const revocations = { subject: tokens.grant_id, action: 'grant.revoked' };
    expect(await app.context().em.count(AuditEntry, revocations)).toBe(1);
    expect(await isAlive(other)).toBe(true);
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
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
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
    expect({ status, ...body }).toEqual(refusedBy('invalid_request', `${field} is required`));
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
});
