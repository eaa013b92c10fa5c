import type { IncomingMessage, ServerResponse } from 'node:http';
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { Staff, StaffToken } from '../../../../src/entities/staff.ts';
import type { SignedInStaff } from '../../../../src/partners/rights.ts';
import { findSession } from '../../../../src/people/account/find-session.ts';
import { startSession } from '../../../../src/people/account/sessions.ts';
import { findStaffToken } from '../../../../src/people/staff/find-token.ts';
import { disableStaff, enableStaff } from '../../../../src/people/staff/manage-staff.ts';
import { endSession } from '../../../../src/people/staff/sign-out.ts';
import { createStaffToken } from '../../../../src/people/staff/staff-tokens.ts';
import { ADA, BOB, CLIENT_SECRET, startProvider } from '../../../support/oidc-provider.ts';
import { startApp } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';
import { openStaffBrowser, type StaffBrowser } from './staff-browser.ts';

const provider = await startProvider();
afterAll(() => provider.stop());
const app = await testApp({ env: (port) => provider.register(`http://localhost:${port}/admin`) });
const auth = `${app.config.adminUrl}/auth`;
beforeEach(() => {
  provider.person = ADA;
});

/** Signs the person at the provider in, as far as the console. @returns the address at which the browser ends */
async function signIn(browser: StaffBrowser, returnTo = '/admin/clients'): Promise<string> {
  const { url } = await browser.follow(
    `${auth}/sign-in?returnTo=${encodeURIComponent(returnTo)}`,
    consoleAt('/clients'),
  );
  return url;
}

const consoleAt = (path: string) => `${app.config.adminUrl}${path}`;

/** The provider's answer, on its way back to the console. */
async function callbackOf(browser: StaffBrowser, change?: (authorize: URL) => void): Promise<string> {
  const begun = await browser.open(`${auth}/sign-in`);
  const authorize = new URL(begun.headers.get('location') ?? '');
  change?.(authorize);
  return (await browser.follow(authorize.href, `${auth}/callback`)).url;
}

function staffIn(browser: StaffBrowser) {
  return findSession(app.context(), browser.cookie(auth, 'fan_staff') ?? '');
}

const newToken = (staff: SignedInStaff | undefined) =>
  createStaffToken(app.context(), { name: 'script', scopes: ['console:read'], days: 1 }, staff as SignedInStaff);

async function lastAudit(action: string): Promise<AuditEntry | null> {
  return app.context().em.findOne(AuditEntry, { action }, { orderBy: { id: 'desc' } });
}

describe('sign-in through the company’s provider', () => {
  it('asks for a code with PKCE, state and nonce, and ends where it was begun, with a session of the role of the groups', async () => {
    const browser = openStaffBrowser();
    const begun = await browser.open(`${auth}/sign-in?returnTo=/admin/clients?search=x`);
    const authorize = new URL(begun.headers.get('location') ?? '');
    expect(Object.fromEntries(authorize.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid profile email groups',
    });
    const { url } = await browser.follow(authorize.href, consoleAt('/clients'));
    expect(url).toBe(consoleAt('/clients?search=x'));
    expect(await staffIn(browser)).toMatchObject({ name: 'Ada Admin', email: ADA.email, role: 'admin', scopes: null });
    expect(browser.cookie(auth, 'fan_staff_sign_in'), 'spent').toBeUndefined();
    expect(await lastAudit('staff.signed_in')).toMatchObject({ details: { via: 'provider', role: 'admin' } });
  });

  it.each(['https://evil.example/admin', '//evil.example/admin', '/admin/../fan', '/admin/auth/logout', '/administer'])(
    'leads nowhere but to the console: %s',
    async (returnTo) => {
      const browser = openStaffBrowser();
      const callback = (
        await browser.follow(`${auth}/sign-in?returnTo=${encodeURIComponent(returnTo)}`, `${auth}/callback`)
      ).url;
      expect((await browser.open(callback)).headers.get('location')).toBe(app.config.adminUrl);
    },
  );

  it('a role changes with the groups at the next sign-in, the highest one wins, and both are on record', async () => {
    provider.person = { ...BOB, sub: 'carol', groups: ['helpdesk'] };
    const browser = openStaffBrowser();
    await signIn(browser);
    const before = await staffIn(browser);
    provider.person = { ...provider.person, groups: ['helpdesk', 'unknown', 'review'] };
    await signIn(browser);
    expect([before?.role, await staffIn(browser)]).toEqual([
      'support',
      { ...before, role: 'reviewer', authenticatedAt: null, sessionId: expect.any(String) },
    ]);
    expect((await lastAudit('staff.role_changed'))?.details).toEqual({ from: 'support', to: 'reviewer' });
  });

  it('nobody without a mapped group gets in; who has lost theirs loses sessions and tokens at once', async () => {
    provider.person = { ...BOB, sub: 'dora' };
    const former = openStaffBrowser();
    await signIn(former);
    const { value } = await newToken(await staffIn(former));
    provider.person = { ...provider.person, groups: ['gardening'] };
    const browser = openStaffBrowser();
    const { answer } = await browser.follow(`${auth}/sign-in`);
    expect([answer?.status, await answer?.text()]).toEqual([403, expect.stringContaining('none of your groups')]);
    expect([await staffIn(browser), await staffIn(former)]).toEqual([undefined, undefined]);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
    const refusal = { subject: 'dora', details: { reason: 'no group' } };
    expect(await lastAudit('staff.sign_in_refused')).toMatchObject(refusal);
  });

  it('a disabled person is out at once, in all browsers and by token, and can’t come back before an admin says so', async () => {
    provider.person = { ...BOB, sub: 'erin' };
    const browser = openStaffBrowser();
    await signIn(browser);
    const erin = (await staffIn(browser)) as SignedInStaff;
    await newToken(erin);
    await disableStaff(app.context(), erin.id, 'left the company', 'staff:stf_admin');
    expect(await staffIn(browser)).toBeUndefined();
    const tokens = await app.context().em.find(StaffToken, { staff: erin.id });
    expect(tokens.map(({ revokedAt }) => revokedAt === null)).toEqual([false]);
    const { answer } = await browser.follow(`${auth}/sign-in`);
    expect([answer?.status, await answer?.text()]).toEqual([403, expect.stringContaining('disabled your access')]);
    const refusal = { subject: 'erin', details: { reason: 'disabled' } };
    expect(await lastAudit('staff.sign_in_refused')).toMatchObject(refusal);
    await enableStaff(app.context(), erin.id, 'staff:stf_admin');
    await signIn(browser);
    expect(await staffIn(browser)).toMatchObject({ id: erin.id });
  });

  it('two first sign-ins of one person at once make one member of staff', async () => {
    provider.person = { ...BOB, sub: 'frank' };
    const browsers = [openStaffBrowser(), openStaffBrowser()];
    const callbacks = await Promise.all(browsers.map((browser) => callbackOf(browser)));
    const answers = await Promise.all(browsers.map((browser, at) => browser.open(callbacks[at] ?? '')));
    expect(answers.map(({ status }) => status)).toEqual([302, 302]);
    expect(await app.context().em.count(Staff, { subject: 'frank' })).toBe(1);
  });
});

describe('a sign-in belongs to the browser that began it, and to one answer of the provider', () => {
  async function expectRefused(browser: StaffBrowser, callback: string) {
    const answer = await browser.open(callback);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(await answer.text()).toContain('/auth/sign-in');
    expect(await staffIn(browser)).toBeUndefined();
  }

  it('a stolen answer signs in no other browser, and still signs in its own', async () => {
    const [own, other] = [openStaffBrowser(), openStaffBrowser()];
    const callback = await callbackOf(own);
    await expectRefused(other, callback);
    await other.open(`${auth}/sign-in`);
    await expectRefused(other, callback);
    expect((await own.open(callback)).status).toBe(302);
  });

  it('an answer works once', async () => {
    const browser = openStaffBrowser();
    const callback = await callbackOf(browser);
    const answers = await Promise.all([browser.open(callback), browser.open(callback)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
  });

  it.each(['state', 'code', 'iss'])('a wrong %s is refused', async (parameter) => {
    const browser = openStaffBrowser();
    const callback = new URL(await callbackOf(browser));
    callback.searchParams.set(parameter, 'https://evil.example');
    await expectRefused(browser, callback.href);
  });

  it.each(['nonce', 'code_challenge'])('an answer to another %s is refused', async (parameter) => {
    const browser = openStaffBrowser();
    const other = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    await expectRefused(browser, await callbackOf(browser, ({ searchParams }) => searchParams.set(parameter, other)));
  });

  it('ten minutes later it is too late', async () => {
    const browser = openStaffBrowser();
    const callback = await callbackOf(browser);
    app.advance(601);
    await expectRefused(browser, callback);
    app.resetClock();
  });

  it('what a browser had before is void: neither a fixed nor an old secret opens the new session', async () => {
    const browser = openStaffBrowser();
    await browser.jar.setCookie('fan_staff=ss_planted; Path=/', auth);
    await signIn(browser);
    const first = browser.cookie(auth, 'fan_staff') ?? '';
    expect(first).toMatch(/^ss_[\w-]{43}$/);
    await signIn(browser);
    expect(browser.cookie(auth, 'fan_staff')).not.toBe(first);
    expect(await findSession(app.context(), first)).toBeUndefined();
    expect(await staffIn(browser)).toBeDefined();
  });
});

describe('step-up', () => {
  it('asks the provider to ask anew, and makes the sign-in fresh under a new secret', async () => {
    const browser = openStaffBrowser();
    await signIn(browser);
    const [before, asked] = [await staffIn(browser), provider.asked];
    const first = browser.cookie(auth, 'fan_staff') ?? '';
    const { url } = await browser.follow(`${auth}/step-up?returnTo=/admin/keys`, consoleAt('/keys'));
    const after = await staffIn(browser);
    expect([url, provider.asked]).toEqual([consoleAt('/keys'), asked + 1]);
    expect([before?.authenticatedAt, after?.id]).toEqual([null, before?.id]);
    expect(Math.abs((after?.authenticatedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(await findSession(app.context(), first)).toBeUndefined();
  });

  it('is no fresher than now where the provider’s clock is ahead of ours', async () => {
    const browser = openStaffBrowser();
    await signIn(browser);
    app.advance(-120);
    await browser.follow(`${auth}/step-up`, consoleAt('/clients'));
    const { authenticatedAt } = (await staffIn(browser)) ?? {};
    const now = app.runtime.now().getTime();
    app.resetClock();
    expect(authenticatedAt?.getTime()).toBeLessThanOrEqual(now);
  });

  it('by another person is refused, and leaves the session as it was', async () => {
    const browser = openStaffBrowser();
    await signIn(browser);
    provider.person = { ...BOB };
    const { answer } = await browser.follow(`${auth}/step-up`);
    expect([answer?.status, await answer?.text()]).toEqual([403, expect.stringContaining('Sign out first')]);
    expect(await staffIn(browser)).toMatchObject({ name: 'Ada Admin', authenticatedAt: null });
  });

  it.each([
    ['does not say when the person signed in', 0],
    ['says that it was before', 120],
  ])('is refused where the provider %s', async (_, secondsLater) => {
    const browser = openStaffBrowser();
    await signIn(browser);
    app.advance(secondsLater);
    const begun = await browser.open(`${auth}/step-up`);
    const authorize = new URL(begun.headers.get('location') ?? '');
    // as a provider would that does not know these parameters
    authorize.searchParams.delete('prompt');
    if (secondsLater === 0) authorize.searchParams.delete('max_age');
    else authorize.searchParams.set('max_age', '3600');
    const { answer } = await browser.follow(authorize.href);
    const refusal = expect.stringContaining('did not ask you to sign in again');
    expect([answer?.status, await answer?.text()]).toEqual([403, refusal]);
    expect(await staffIn(browser)).toMatchObject({ authenticatedAt: null });
    app.resetClock();
  });
});

describe('sign-out', () => {
  it('ends the session here, and the one at the provider by sending the browser there', async () => {
    const browser = openStaffBrowser();
    await signIn(browser);
    const secret = browser.cookie(auth, 'fan_staff') ?? '';
    const headers = { origin: app.origin, accept: 'application/json' };
    const answer = await browser.open(`${auth}/logout`, { method: 'POST', headers });
    const { redirectTo } = (await answer.json()) as { redirectTo: string };
    expect(await findSession(app.context(), secret)).toBeUndefined();
    expect(browser.cookie(auth, 'fan_staff')).toBeUndefined();
    expect(redirectTo).toContain(`${provider.issuer}/session/end?`);
    expect(new URL(redirectTo).searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const page = await (await browser.open(redirectTo)).text();
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    const ended = await browser.open(`${provider.issuer}/session/end/confirm`, { method: 'POST', body });
    expect(ended.headers.get('location')).toBe(`${auth}/signed-out`);
    const asked = provider.asked;
    await signIn(browser);
    expect(provider.asked, 'the provider knows the browser no more').toBe(asked + 1);
  });

  it.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ])('asked for by a page of another site is refused: %j', async (headers) => {
    const browser = openStaffBrowser();
    await signIn(browser);
    expect((await browser.open(`${auth}/logout`, { method: 'POST', headers })).status).toBe(403);
    expect(await staffIn(browser)).toBeDefined();
  });
});

it.each([
  ['no signature', async (claims: JWTPayload) => new UnsecuredJWT(claims).encode()],
  [
    'our own secret as its key',
    (claims: JWTPayload, kid: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(CLIENT_SECRET)),
  ],
  [
    'a key of somebody else',
    async (claims: JWTPayload, kid: string) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign((await generateKeyPair('RS256')).privateKey),
  ],
])('OpenID Connect Core §3.1.3.7: an ID token with %s signs nobody in', async (_, forge) => {
  const { issuer = '', clientId } = app.config.staffProvider ?? {};
  const { keys } = (await (await fetch(`${issuer}/jwks`)).json()) as {
    keys: { kid: string; use?: string; alg?: string }[];
  };
  const browser = openStaffBrowser();
  const authorize = (await browser.open(`${auth}/sign-in`)).headers.get('location') ?? '';
  const nonce = new URL(authorize).searchParams.get('nonce');
  const callback = (await browser.follow(authorize, `${auth}/callback`)).url;
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: clientId ?? '', sub: 'mallory', name: 'Mallory', groups: ['boss'], nonce };
  const idToken = await forge({ ...claims, iat: seconds, exp: seconds + 300 }, keys[0]?.kid ?? '');
  provider.outOfOrder = (request, response) => {
    response.setHeader('content-type', 'application/json');
    const answer = request.method === 'GET' ? { keys } : { access_token: 'x', token_type: 'Bearer', id_token: idToken };
    response.end(JSON.stringify(answer));
  };
  const answer = await browser.open(callback);
  provider.outOfOrder = undefined;
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('sent an invalid answer')]);
  expect(await app.context().em.count(Staff, { subject: 'mallory' })).toBe(0);
});

describe('a provider that is out of order', () => {
  it.each([
    ['answers with 500', 503, (_: unknown, response: ServerResponse) => response.writeHead(500).end()],
    ['never answers', 503, () => {}],
    ['breaks off', 503, (request: IncomingMessage) => request.destroy()],
    ['answers with something else', 400, (_: unknown, response: ServerResponse) => response.end('{"token_type":"x"}')],
  ])('%s: a page that says so, and the next try works', async (_, status, outOfOrder) => {
    const browser = openStaffBrowser();
    const callback = await callbackOf(browser);
    provider.outOfOrder = outOfOrder;
    const answer = await browser.open(callback);
    provider.outOfOrder = undefined;
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(/sign-in service (is not responding|sent an invalid answer)/);
    await signIn(browser);
    expect(await staffIn(browser)).toBeDefined();
  });

  it('is away at the very first sign-in: 503 with the way to try again, which asks the provider anew', async () => {
    const second = await startApp({
      databaseUrl: app.config.databaseUrl ?? '',
      env: (port) => provider.register(`http://localhost:${port}/admin`),
    });
    const browser = openStaffBrowser();
    const url = `${second.config.adminUrl}/auth/sign-in?returnTo=/admin/x`;
    provider.outOfOrder = (request) => request.destroy();
    const answer = await browser.open(url);
    provider.outOfOrder = undefined;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.text()).toContain('href="/admin/auth/sign-in?returnTo=/admin/x"');
    expect((await browser.open(url)).status).toBe(302);
    await second.stop();
  });

  it('is away at the sign-out: the session ends here all the same', async () => {
    provider.outOfOrder = (request) => request.destroy();
    const context = app.context();
    const staff = await context.em.findOneOrFail(Staff, { subject: 'ada' });
    const begun = { authenticatedAt: null, idToken: 'x.y.z', replaces: undefined };
    const secret = await startSession(context, staff.id, begun);
    await context.em.flush();
    // as a new object: what is known of the provider does not go with it
    const staffProvider = structuredClone(context.config.staffProvider);
    const second = { ...context, config: { ...context.config, staffProvider } };
    expect(await endSession(second, secret)).toBe(`${auth}/signed-out`);
    provider.outOfOrder = undefined;
    expect(await findSession(app.context(), secret)).toBeUndefined();
  });
});
