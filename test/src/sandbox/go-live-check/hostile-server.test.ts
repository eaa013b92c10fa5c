import type { EntityManager } from '@mikro-orm/postgresql';
import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { Client } from '../../../../src/entities/client.ts';
import { GoLiveAttempt, GoLiveEvent, GoLiveRun, GoLiveSecret } from '../../../../src/entities/go-live-check.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { purge } from '../../../../src/entities/retention.ts';
import { SigningKey } from '../../../../src/entities/signing-key.ts';
import { lockClient } from '../../../../src/partners/client/locked-client.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { endGoLiveChecks, finishRun } from '../../../../src/sandbox/go-live-check/finish-run.ts';
import { MOST_REQUESTS } from '../../../../src/sandbox/go-live-check/open-run.ts';
import { runAddresses } from '../../../../src/sandbox/go-live-check/run-addresses.ts';
import { startCheck } from '../../../../src/sandbox/go-live-check/start-check.ts';
import { attachRun, MOST_RUNS_A_DAY, RUN_LIFETIME, startRun } from '../../../../src/sandbox/go-live-check/start-run.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import { authorizeUrl, callFan, obtainCode, postForm, REDIRECT_URI, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';

const app = await testApp();
const LIVE = ['https://encore.example/callback'];
const client = await makeClient(app);
const run = await startRun(app.context(), client, 'member:test');
const at = runAddresses(app.config, run.id);
const begin = (check: string, id = run.id) => startCheck(app.context(), id, check);

/** The authorize request of an app, and what came back. */
async function authorize(parameters: Record<string, string | undefined> = {}, issuer = at.issuer) {
  const { url, verifier, state } = await authorizeUrl(app, { clientId: client, parameters });
  const answer = await fetch(`${issuer}/oauth2/authorize${url.search}`, { redirect: 'manual' });
  const location = answer.headers.get('location');
  const callback = location === null ? undefined : new URL(location);
  return { answer, callback, verifier, state, code: callback?.searchParams.get('code') ?? '' };
}

async function exchange(code: string, verifier: string, url = `${at.issuer}/oauth2/token`) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
  });
  const answer = await fetch(url, { method: 'POST', body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

async function tokensOf(check: string) {
  await begin(check);
  const { code, verifier } = await authorize();
  return (await exchange(code, verifier)).body;
}

const callWith = (token: string, url = `${at.apiUrl}/tickets`) =>
  fetch(url, { headers: { authorization: `Bearer ${token}` } });

/** As a start of a run leaves it. */
async function writeRun(em: EntityManager, clientId: Id<'client'>, finishedAt: Date | null): Promise<void> {
  const { partner } = await em.findOneOrFail(Client, { id: clientId });
  const [startedAt, expiresAt] = [new Date(), new Date(Date.now() + RUN_LIFETIME * 1000)];
  const run = { startedBy: 'member:test', startedAt, expiresAt, finishedAt, redirectUris: [REDIRECT_URI] };
  em.create(GoLiveRun, { partner, client: clientId, ...run });
  await em.flush();
}

describe('the hostile server is no open redirector', () => {
  test.each([
    ['an address that is not registered', { redirect_uri: 'https://victim.example/callback' }],
    ['an address that only begins like a registered one', { redirect_uri: `${REDIRECT_URI}/more` }],
    ['no address', { redirect_uri: undefined }],
    ['another client', { client_id: 'client_01jd0000000000000000000000' }],
  ])('%s: a page, and no redirect', async (_, parameters) => {
    await begin('ordinary-sign-in');
    const { answer } = await authorize(parameters);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  test('a redirect URI that staff took away is no longer one', async () => {
    await changeClient(app, client, { redirectUris: ['http://localhost:4000/elsewhere'] });
    const { answer } = await authorize();
    await changeClient(app, client, { redirectUris: [REDIRECT_URI] });
    expect(answer.status).toBe(400);
  });

  test('the values that are wrong on purpose lead to nobody else, and no cookie is set', async () => {
    await begin('wrong-issuer');
    const { answer, callback } = await authorize();
    expect(callback?.searchParams.get('iss')).toBe(`${at.issuer}/another-issuer`);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('nothing of a run works anywhere else, and nothing real works in a run', () => {
  test('its codes at the real token endpoint, and real ones here', async () => {
    await begin('ordinary-sign-in');
    const { code, verifier } = await authorize();
    const real = await exchange(code, verifier, `${app.config.authUrl}/oauth2/token`);
    expect(real).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const obtained = await obtainCode(app, { clientId: client });
    expect(await exchange(obtained.code, obtained.verifier)).toMatchObject({ status: 400 });
    const { status } = await postForm(app, '/oauth2/token', {
      grant_type: 'authorization_code',
      client_id: client,
      code: obtained.code,
      redirect_uri: REDIRECT_URI,
      code_verifier: obtained.verifier,
    });
    expect(status, 'the run did not spend it').toBe(200);
  });

  test('its access tokens at the Fan API and userinfo, and real ones here', async () => {
    const { access_token: token = '' } = await tokensOf('ordinary-sign-in');
    expect((await callFan(app, '/tickets', token)).status).toBe(401);
    expect((await callWith(token, `${app.config.authUrl}/oauth2/userinfo`)).status).toBe(401);
    const real = await signIn(app, { clientId: client });
    expect((await callWith(real.access_token)).status).toBe(401);
  });

  test('its codes and tokens in another run', async () => {
    const other = await makeClient(app);
    const { id } = await startRun(app.context(), other, 'member:test');
    await begin('ordinary-sign-in', id);
    const { access_token: token = '' } = await tokensOf('ordinary-sign-in');
    const { apiUrl, issuer } = runAddresses(app.config, id);
    expect((await callWith(token, `${apiUrl}/tickets`)).status).toBe(401);
    const { code, verifier } = await authorize();
    expect((await exchange(code, verifier, `${issuer}/oauth2/token`)).status).toBe(400);
  });

  test('its keys: neither in the real JWKS nor in the key ring, and real keys sign nothing in a run', async () => {
    const real = (await (await fetch(`${app.config.authUrl}/.well-known/jwks.json`)).json()) as {
      keys: { kid: string }[];
    };
    const own = (await (await fetch(`${at.issuer}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] };
    const kids = new Set(own.keys.map(({ kid }) => kid));
    expect(real.keys.filter(({ kid }) => kids.has(kid))).toEqual([]);
    expect(await app.context().em.count(SigningKey, { kid: { $in: [...kids] } })).toBe(0);
    const { id_token: idToken = '' } = await tokensOf('ordinary-sign-in');
    expect(kids.has(decodeProtectedHeader(idToken).kid ?? '')).toBe(true);
    expect(Object.keys(own.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('tickets are made up', async () => {
    const { access_token: token = '' } = await tokensOf('ordinary-sign-in');
    const answer = await callWith(token);
    const { tickets } = (await answer.json()) as { tickets: { id: string }[] };
    expect(tickets[0]?.id).toBe(`tkt_${'0'.repeat(26)}`);
    expect(await app.context().em.count(Permit, { ticket: tickets[0]?.id as Id<'tkt'> })).toBe(0);
  });

  test('what is written down has no code, token or verifier', async () => {
    const { access_token: token = '', refresh_token: refresh = '' } = await tokensOf('ordinary-sign-in');
    await callWith(token);
    const { em } = app.context();
    const written = JSON.stringify([await em.find(GoLiveEvent, {}), await em.find(GoLiveSecret, {})]);
    for (const secret of [token, refresh]) expect(written).not.toContain(secret);
    expect(written).not.toContain('check_');
  });
});

const refresh = (token: string) => {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: client, refresh_token: token });
  return fetch(`${at.issuer}/oauth2/token`, { method: 'POST', body });
};

test.each([
  ['without a retry window: theft, as the real server sees it', 0, 400],
  ['within the retry window of the client: tokens', 10, 200],
])('a refresh whose answer is lost comes again %s', async (_, refreshRetryWindow, status) => {
  await changeClient(app, client, { refreshRetryWindow });
  const { refresh_token: token = '' } = await tokensOf('lost-refresh');
  await expect(refresh(token)).rejects.toThrow('fetch failed');
  expect(await refresh(token)).toMatchObject({ status });
  app.advance(11);
  expect(await refresh(token)).toMatchObject({ status: 400 });
  app.resetClock();
  await changeClient(app, client, { refreshRetryWindow: 0 });
});

describe('single use', () => {
  test('of exchanges of one code at once, one gets tokens', async () => {
    await begin('ordinary-sign-in');
    const { code, verifier } = await authorize();
    const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(code, verifier)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each([
    ['has one at a time', MOST_RUNS_A_DAY - 2, null, 'is not finished'],
    ['has so many in a day', MOST_RUNS_A_DAY - 1, new Date(), `${MOST_RUNS_A_DAY} go-live checks in a day`],
  ])('a client %s, of two that are started at once too', async (_, before, finishedAt, refusal) => {
    const other = await makeClient(app);
    for (let count = 0; count < before; count += 1) await writeRun(app.context().em, other, new Date());
    const { second } = await app.context().em.transactional(async (em) => {
      await lockClient({ em }, other);
      const second = startRun(app.context(), other, 'member:test').catch((error: Error) => error.message);
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      await writeRun(em, other, finishedAt);
      return { second };
    });
    expect(await second).toContain(refusal);
  });

  test('a run is finished once, its keys are gone, and its addresses answer no more', async () => {
    const other = await makeClient(app);
    const { id } = await startRun(app.context(), other, 'member:test');
    const ends = await Promise.allSettled([1, 2].map(() => finishRun(app.context(), id, 'member:test')));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const found = await app.context().em.findOneOrFail(GoLiveRun, { id });
    expect(found.keys).toBeNull();
    expect(found.sheet?.every(({ verdict }) => verdict === 'not_observed')).toBe(true);
    const { discoveryUrl, apiUrl } = runAddresses(app.config, id);
    expect((await fetch(discoveryUrl)).status).toBe(404);
    expect((await fetch(`${apiUrl}/tickets`)).status).toBe(404);
  });
});

describe('a run', () => {
  test('is for a sandbox client only', async () => {
    const production = await makeClient(app, { mode: 'production', status: 'enabled', redirectUris: LIVE });
    await expect(startRun(app.context(), production, 'member:test')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is found by RFC 8414 metadata too, and refused requests say why', async () => {
    const { origin, pathname } = new URL(at.issuer);
    const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server${pathname}`);
    const named = { issuer: at.issuer, authorization_response_iss_parameter_supported: true };
    expect(await metadata.json()).toMatchObject(named);
    const unknown = await fetch(`${at.issuer}/checks/no-such/start`, { method: 'POST' });
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error_description: expect.stringContaining('wrong-state') });
    const noToken = await fetch(`${at.apiUrl}/tickets`);
    expect([noToken.status, noToken.headers.get('x-error-code')]).toEqual([401, 'access_token_missing']);
  });

  test('an app that calls without end is refused, and recorded up to a limit', async () => {
    const other = await makeClient(app);
    const { id } = await startRun(app.context(), other, 'member:test');
    await begin('ordinary-sign-in', id);
    await app.context().em.nativeUpdate(GoLiveRun, { id }, { requests: MOST_REQUESTS });
    const jwks = await fetch(`${runAddresses(app.config, id).issuer}/.well-known/jwks.json`);
    expect(jwks.status).toBe(429);
  });

  test('is attached once, and only to a production client', async () => {
    const production = await makeClient(app, { mode: 'production', status: 'draft', redirectUris: LIVE });
    await expect(attachRun(app.context(), run.id, client, 'member:test')).rejects.toMatchObject({ code: 'conflict' });
    const attached = await attachRun(app.context(), run.id, production, 'member:test');
    expect(attached.productionRedirectUris).toEqual(LIVE);
    const again = attachRun(app.context(), run.id, production, 'member:test');
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  test('that can’t be judged holds up no other', async () => {
    const { em } = app.context();
    const runs: Id<'chk'>[] = [];
    for (const check of ['wrong-nonce', 'ordinary-sign-in']) {
      const { id } = await startRun(app.context(), await makeClient(app), 'member:test');
      await begin(check, id);
      runs.push(id);
    }
    const [broken = run.id, sound = run.id] = runs;
    const attempt = await em.findOneOrFail(GoLiveAttempt, { run: broken });
    await em.insert(GoLiveEvent, { attempt, at: app.context().now(), kind: 'authorize', facts: {} });
    await em.execute(`update go_live_event set facts = 'null' where kind = 'authorize' and facts = '{}'`);
    await em.nativeUpdate(GoLiveRun, { id: { $in: runs } }, { expiresAt: app.context().now() });
    const finishedAt = async (id: Id<'chk'>) =>
      (await app.context().em.findOneOrFail(GoLiveRun, { id })).finishedAt ?? null;
    await expect(endGoLiveChecks(app.context())).rejects.toThrow(TypeError);
    expect([await finishedAt(broken), await finishedAt(sound)]).toEqual([null, expect.any(Date)]);
    await em.nativeDelete(GoLiveEvent, { attempt });
    await endGoLiveChecks(app.context());
    expect(await finishedAt(broken)).toEqual(expect.any(Date));
  });

  test('has an audit entry for its start, for the client that it is attached to, and for its end', async () => {
    const sandbox = await makeClient(app);
    const production = await makeClient(app, { mode: 'production', status: 'draft', redirectUris: LIVE });
    const { id } = await startRun(app.context(), sandbox, 'member:ann');
    await attachRun(app.context(), id, production, 'member:ben');
    await fetch(`${runAddresses(app.config, id).issuer}/finish`, { method: 'POST' });
    const entries = await app.context().em.find(AuditEntry, { subject: id }, { orderBy: { id: 'asc' } });
    expect(entries.map(({ actor, action, details }) => ({ actor, action, details }))).toEqual([
      { actor: 'member:ann', action: 'go_live_check.started', details: { client: sandbox } },
      { actor: 'member:ben', action: 'go_live_check.attached', details: { client: production } },
      { actor: `client:${sandbox}`, action: 'go_live_check.finished', details: { passed: 0, failed: 0 } },
    ]);
  });

  test('that has expired answers no more, and the job finishes it and deletes old requests', async () => {
    app.advance(RUN_LIFETIME + 1);
    expect((await fetch(at.discoveryUrl)).status).toBe(404);
    await endGoLiveChecks(app.context());
    const { em } = app.context();
    expect(await em.count(GoLiveRun, { finishedAt: null })).toBe(0);
    expect((await em.findOneOrFail(GoLiveRun, { id: run.id })).sheet).not.toBeNull();
    app.advance(31 * 24 * 3600);
    await purge(app.context());
    expect(await em.count(GoLiveEvent, {})).toBe(0);
    expect(await em.count(GoLiveSecret, {})).toBe(0);
    app.advance(181 * 24 * 3600);
    await purge(app.context());
    const kept = await app.context().em.find(GoLiveRun, {});
    // what is attached stays
    for (const { productionClient } of kept) expect(productionClient).toBeTruthy();
    expect(kept.map(({ id }) => id)).toContain(run.id);
  });
});
