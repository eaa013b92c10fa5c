import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  authorize,
  authorizeUrl,
  callLogin,
  consent,
  login,
  type Started,
  verifyPhone,
} from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { expectRefused, testUser, verified } from './login-calls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterEach(() => app.resetClock());
afterAll(() => app.stop());

const PROCEDURES: [procedure: string, input: object | undefined][] = [
  ['session.get', undefined],
  ['phone.sendCode', { phone: '+12025550142' }],
  ['phone.verifyCode', { code: '123456' }],
  ['phone.change', undefined],
  ['consent.options', undefined],
  ['consent.grant', { actions: [], mode: 'all_current_future', ticketIds: [] }],
  ['consent.deny', undefined],
];

async function step(session: Pick<Started, 'cookie' | 'sessionId'>) {
  return (await login<{ step: string }>(app, session, 'session.get')).step;
}

describe('session.get', () => {
  it('tells what the page shows, and nothing secret', async () => {
    const started = await authorize(app, {
      parameters: { login_hint: '+1 202 555 0100', ui_locales: 'de en' },
    });
    const session = await login(app, started, 'session.get');
    expect(session).toEqual({
      sessionId: started.sessionId,
      step: 'phone',
      clientName: 'Front Row',
      partnerName: 'Front Row',
      privacyUrl: null,
      logo: null,
      mode: 'sandbox',
      loginHint: '+1 202 555 0100',
      uiLocales: 'de en',
      phone: null,
      unprovedSince: null,
      offersPasskey: false,
      signsInByPasskey: false,
      verifiedAt: null,
      portalUrl: `${app.config.loginUrl}/apps`,
      resendAt: null,
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      returnTo: expect.stringContaining(`${started.redirectUri}?error=access_denied`),
      triesLeft: 5,
    });
    expect(new URL(String(session.returnTo)).searchParams.get('state')).toBe(started.state);
    const lifetime = Date.parse(String(session.expiresAt)) - Date.now();
    expect(lifetime).toBeGreaterThan(595_000);
    expect(lifetime).toBeLessThanOrEqual(600_000);
  });

  it('after a reload tells where the fan stands: the number only masked', async () => {
    const started = await authorize(app);
    await login(app, started, 'phone.sendCode', { phone: testUser(app).phone });
    const session = await login(app, started, 'session.get');
    expect(session.step).toBe('code');
    expect(session.phone).toBe(`+1 ••• ••• ${testUser(app).phone.slice(-4)}`);
    expect(session.verifiedAt).toBeNull();
    await login(app, started, 'phone.verifyCode', { code: testUser(app).code });
    expect(await login(app, started, 'session.get')).toMatchObject({
      step: 'consent',
      phone: session.phone,
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await consent(app, started);
    expect(await step(started)).toBe('done');
  });
});

describe('D-028: a session is bound to the browser that started it', () => {
  it.each(PROCEDURES)('%s: a link opened in a browser without the cookie is refused', async (procedure, input) => {
    const { sessionId } = await verified(app);
    await expectRefused(app, { sessionId, cookie: '' }, procedure, input, 'session_elsewhere');
  });

  it.each(PROCEDURES)('%s: a link opened in another browser is refused', async (procedure, input) => {
    const { sessionId } = await verified(app);
    const { cookie } = await authorize(app);
    await expectRefused(app, { sessionId, cookie }, procedure, input, 'session_elsewhere');
  });

  it('the refusal changes nothing for the browser it belongs to', async () => {
    const started = await verified(app);
    await expectRefused(app, { ...started, cookie: '' }, 'consent.deny', {}, 'session_elsewhere');
    expect(await step(started)).toBe('consent');
  });

  it.each(['fan_browser=', 'fan_browser=br_short', `fan_browser=br_${'A'.repeat(43)}`, 'other=1'])(
    'the cookie "%s" opens nothing',
    async (cookie) => {
      const { sessionId } = await authorize(app);
      await expectRefused(app, { sessionId, cookie }, 'session.get', undefined, 'session_elsewhere');
    },
  );

  it('the cookie is HttpOnly and SameSite=Lax, and lasts until the browser closes', async () => {
    const { url } = await authorizeUrl(app);
    const [cookie] = (await fetch(url, { redirect: 'manual' })).headers.getSetCookie();
    expect(cookie).toMatch(/^fan_browser=br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('a made-up cookie is not taken over: the browser gets a secret of ours', async () => {
    const started = await authorize(app, {}, 'fan_browser=chosen-by-an-attacker');
    expect(started.cookie).toMatch(/^fan_browser=br_[\w-]{43}$/);
  });
});

describe('which session a call is for', () => {
  it('the one that the header names, so that two tabs go their own ways', async () => {
    const first = await authorize(app);
    const second = await authorize(app, {}, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    await verifyPhone(app, first);
    expect([await step(first), await step(second)]).toEqual(['consent', 'phone']);
    await verifyPhone(app, second, testUser(app, 1));
    const [one, two] = await Promise.all([consent(app, first), consent(app, second)]);
    expect(one.searchParams.get('state')).toBe(first.state);
    expect(two.searchParams.get('state')).toBe(second.state);
  });

  it('without a header the newest of the browser', async () => {
    const first = await authorize(app);
    app.advance(1);
    const second = await authorize(app, {}, first.cookie);
    const session = await login(app, { cookie: first.cookie, sessionId: '' }, 'session.get');
    expect(session.sessionId).toBe(second.sessionId);
  });

  it.each([
    ['no cookie and no header', { cookie: '', sessionId: '' }],
    ['an unknown session', { cookie: '', sessionId: 'sess_01jd0000000000000000000000' }],
    ['an identifier of another kind', { cookie: '', sessionId: 'usr_01jd0000000000000000000000' }],
    ['no identifier at all', { cookie: '', sessionId: "' or true --" }],
  ])('%s: session_not_found', async (_, session) => {
    const { status } = await expectRefused(app, session, 'session.get', undefined, 'session_not_found');
    expect(status).toBe(404);
  });
});

describe('the life of a session', () => {
  it.each(PROCEDURES)('%s: refused after ten minutes', async (procedure, input) => {
    const started = await verified(app);
    app.advance(601);
    const { status } = await expectRefused(app, started, procedure, input, 'session_expired');
    expect(status).toBe(401);
  });

  it.each([
    ['phone', 'phone.verifyCode', { code: '123456' }],
    ['phone', 'phone.change', undefined],
    ['code', 'phone.change', undefined],
    ['done', 'phone.change', undefined],
    ['phone', 'consent.options', undefined],
    ['phone', 'consent.grant', { actions: [] }],
    ['code', 'consent.options', undefined],
    ['code', 'consent.grant', { actions: [] }],
    ['consent', 'phone.sendCode', { phone: '+12025550142' }],
    ['consent', 'phone.verifyCode', { code: '123456' }],
    ['done', 'phone.sendCode', { phone: '+12025550142' }],
    ['done', 'phone.verifyCode', { code: '123456' }],
    ['done', 'consent.options', undefined],
    ['done', 'consent.grant', { actions: [] }],
    ['done', 'consent.deny', undefined],
  ])('at the step "%s" %s is refused as wrong_step', async (at, procedure, input) => {
    const started = await authorize(app);
    if (at === 'code') await login(app, started, 'phone.sendCode', { phone: testUser(app).phone });
    if (at === 'consent' || at === 'done') await verifyPhone(app, started);
    if (at === 'done') await consent(app, started);
    const { status } = await expectRefused(app, started, procedure, input, 'wrong_step');
    expect(status).toBe(409);
    expect(await step(started)).toBe(at);
  });
});

describe('consent.deny', () => {
  it.each(['phone', 'code', 'consent'])('at the step "%s" sends access_denied with the state', async (at) => {
    const started = await authorize(app);
    if (at === 'code') await login(app, started, 'phone.sendCode', { phone: testUser(app).phone });
    if (at === 'consent') await verifyPhone(app, started);
    const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.deny');
    const url = new URL(redirectTo);
    expect(url.origin + url.pathname).toBe(started.redirectUri);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: started.state,
    });
    expect(await step(started)).toBe('done');
  });
});

describe('who may call', () => {
  async function post(headers: Record<string, string>) {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/consent.deny`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: started.cookie,
        'x-session-id': started.sessionId,
        ...headers,
      },
      body: '{}',
    });
    return { status: answer.status, text: await answer.text(), step: await step(started) };
  }

  it.each<[Record<string, string>]>([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:4000' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('a call that another site caused is refused and changes nothing: %o', async (headers) => {
    const { status, text, step: after } = await post(headers);
    expect(status).toBe(403);
    expect(text).not.toContain('redirectTo');
    expect(after).toBe('phone');
  });

  it('a call of the login page itself goes through', async () => {
    const { status, step: after } = await post({ origin: app.origin, 'sec-fetch-site': 'same-origin' });
    expect(status).toBe(200);
    expect(after).toBe('done');
  });

  it('no answer allows another origin to read it, not even a partner’s', async () => {
    const started = await authorize(app);
    for (const method of ['OPTIONS', 'GET']) {
      const { headers } = await fetch(`${app.config.loginUrl}/trpc/session.get`, {
        method,
        headers: { origin: 'http://localhost:4000', cookie: started.cookie },
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('a mutation can not be made by a link', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/consent.deny`, {
      headers: { cookie: started.cookie, 'x-session-id': started.sessionId },
    });
    expect(answer.status).toBe(405);
    expect(await step(started)).toBe('phone');
  });
});

describe('what a call may carry', () => {
  it.each([
    ['phone.sendCode', {}, 'phone'],
    ['phone.sendCode', { phone: 12 }, 'phone'],
    ['phone.sendCode', { phone: '+1'.padEnd(41, '2') }, 'phone'],
    ['phone.sendCode', { phone: '+12025550142', extra: true }, 'extra'],
    ['phone.verifyCode', { code: '12345' }, 'code'],
    ['phone.verifyCode', { code: '1234567' }, 'code'],
    ['phone.verifyCode', { code: '12345a' }, 'code'],
    ['phone.verifyCode', { code: 123456 }, 'code'],
    ['phone.verifyCode', { code: '１２３４５６' }, 'code'],
    ['consent.grant', {}, 'actions'],
    ['consent.grant', { actions: 'fan:read' }, 'actions'],
    ['consent.grant', { actions: [], mode: 'everything' }, 'mode'],
    ['consent.grant', { actions: [], ticketIds: [1] }, 'ticketIds.0'],
    ['consent.grant', { actions: [], ticketIds: Array(1001).fill('x') }, 'ticketIds'],
  ])('%s %o: invalid_request that names the field', async (procedure, input, field) => {
    const started = await authorize(app);
    const { status, error } = await expectRefused(app, started, procedure, input, 'invalid_request');
    expect(status).toBe(400);
    expect(error?.message).toContain(field);
  });

  it('an unknown procedure is not_found', async () => {
    const started = await authorize(app);
    const { status } = await expectRefused(app, started, 'phone.guess', {}, 'not_found');
    expect(status).toBe(404);
  });

  it('a body that is no JSON is refused without a stack trace', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: started.cookie },
      body: '{',
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toMatch(/stack|\.ts:|node_modules/);
  });

  it('a body over 64 KiB is refused', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: started.cookie },
      body: JSON.stringify({ phone: 'x'.repeat(70_000) }),
    });
    expect(answer.status).toBe(413);
  });

  it('an error of our own answers 500 "internal", with the request id and nothing of the cause', async () => {
    const started = await verified(app);
    const { pool } = app.runtime;
    app.runtime.pool = { query: () => Promise.reject(new Error('secret detail')) } as unknown as typeof pool;
    const { status, error } = await expectRefused(app, started, 'consent.options', undefined, 'internal');
    app.runtime.pool = pool;
    expect(status).toBe(500);
    expect(JSON.stringify(error)).not.toContain('secret detail');
  });

  it('a dependency away answers 503 "unavailable"', async () => {
    const started = await verified(app);
    const { pool } = app.runtime;
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    app.runtime.pool = { query: () => Promise.reject(away) } as unknown as typeof pool;
    const { status } = await expectRefused(app, started, 'consent.options', undefined, 'unavailable');
    app.runtime.pool = pool;
    expect(status).toBe(503);
  });

  it('every answer carries a request id and is not stored', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/session.get`, {
      headers: { cookie: started.cookie, 'x-session-id': started.sessionId },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await callLogin(app, started, 'session.get')).status).toBe(200);
  });
});
