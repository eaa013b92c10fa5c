import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { loggedRedirectUri } from '../../../../src/partners/redirect-uri.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { readRequest } from '../../../../src/record/activity/read-timeline.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import {
  authorize,
  authorizeUrl,
  callLogin,
  consent,
  exchange,
  login,
  obtainCode,
  REDIRECT_URI,
  signIn,
  verifyPhone,
} from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';
import { readAuthorize, sendAuthorize, sendQuery } from './send-authorize.ts';

const app = await testApp();

const STATE = 'the state of this request';

it('RFC 6749 §4.1.2.1: a refusal after proof goes to the redirect URI with error, error_description and the state, and nothing else', async () => {
  const answer = await sendAuthorize(app, { parameters: { mode: 'live', state: STATE } });
  expect(answer.status).toBe(302);
  expect(answer.location).toMatch(`${REDIRECT_URI}?`);
  expect(answer.query).toEqual({
    error: 'invalid_request',
    error_description: 'mode must be sandbox or production',
    state: STATE,
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.getSetCookie(), 'no session was begun').toEqual([]);
});

it('a redirect_uri that is not registered is in the request log as it was sent, without secrets; the page names neither it nor those registered', async () => {
  const sent = 'https://Shop-7f3a9c2-team42.example/cb/?code=s3cret&x=1#frag';
  const { status, html, headers } = await sendAuthorize(app, { parameters: { redirect_uri: sent } });
  expect(status).toBe(400);
  expect(html).not.toContain(REDIRECT_URI);
  expect(html).not.toContain('team42');
  await app.runtime.activity.flush();
  const entry = await readRequest(app.context(), headers.get('x-request-id') ?? '');
  expect(loggedRedirectUri('https://me:s3cret@p.example/cb')).toBe('https://…@p.example/cb');
  expect(entry).toMatchObject({
    message: expect.stringMatching(/registered.* Sent: https:\/\/Shop-7f3a9c2-team42\.example\/cb\/\?code=…&x=…#…$/),
    fix: expect.stringContaining('character for character'),
  });
});

it('RFC 8252 §7.3: any port on a loopback address, once that is switched on; the code is exchanged with that URI only', async () => {
  const clientId = await makeClient(app, { redirectUris: ['http://127.0.0.1:4000/native'] });
  const NATIVE = 'http://127.0.0.1:51004/native';
  expect((await sendAuthorize(app, { clientId, redirectUri: NATIVE })).status).toBe(400);
  await changeClient(app, clientId, { loopbackAnyPort: true });
  const obtained = await obtainCode(app, { clientId, redirectUri: NATIVE });
  const wrong = await exchange(app, obtained, { redirect_uri: 'http://127.0.0.1:4000/native' });
  expect(wrong.error).toBe('invalid_request');
  expect((await exchange(app, await obtainCode(app, { clientId, redirectUri: NATIVE }))).status).toBe(200);
});

describe('authorize errors: the page before proof', () => {
  it('shows nothing of the request, so that nobody can write on it', async () => {
    const markup = '<script>alert(1)</script>';
    const redirectUri = `${REDIRECT_URI}?${markup}`;
    for (const choice of [{ clientId: markup }, { redirectUri: markup }, { redirectUri }]) {
      const { status, headers, html } = await sendAuthorize(app, choice);
      expect([status, headers.getSetCookie()]).toEqual([400, []]);
      expect(html).not.toContain('alert(1)');
    }
  });

  it.each([
    ['nothing', ''],
    ['a text that is no identifier', 'nobody'],
    ['an identifier that nobody has', 'client_00000000000000000000000000'],
    ['the identifier of something else', 'ptn_01h455vb4pex5vsknk084sn02q'],
    ['the client in another case', app.kit.client_id.toUpperCase()],
    ['a NUL', 'client_\0'],
    ['10 kB', 'c'.repeat(10_000)],
  ])('client_id: %s', async (_, unknown) => {
    const { status, html, location } = await sendAuthorize(app, { clientId: unknown });
    expect([status, location]).toEqual([400, undefined]);
    expect(html).toContain('client_id');
  });
});

describe('spec §5.4: state is returned unchanged', () => {
  const special = `a b+c %20%2B%zz a&code=1=2;#?/"'<script>\\ Zażółć 座席 🎟️ é a\r\nLocation: https://evil.example.com\n`;
  it.each([special, '🎟'.repeat(1024)])('with the code, and with an error of authorize: %j', async (state) => {
    const started = await authorize(app, { parameters: { state } });
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    expect(callback.origin + callback.pathname).toBe(started.redirectUri);
    expect([...callback.searchParams.keys()]).toEqual(['code', 'state']);
    expect(callback.searchParams.get('state')).toBe(state);
    const { status, query } = await sendAuthorize(app, { parameters: { state, prompt: 'none' } });
    expect([status, query.error, query.state]).toEqual([302, 'login_required', state]);
  });

  it.each([
    ['a plus in the query is a space, as in every form', 'a+b', 'a b'],
    ['a space may come as %20', 'a%20b', 'a b'],
    ['a plus comes as %2B', 'a%2Bb', 'a+b'],
  ])('%s', async (_, encoded, state) => {
    const { url } = await authorizeUrl(app, { parameters: { state: undefined, prompt: 'none' } });
    const { query } = await sendQuery(app, `${url.searchParams}&state=${encoded}`);
    expect(query.state).toBe(state);
  });
});

it('state: bytes that are not UTF-8 can not be returned: it is refused, and not returned at all', async () => {
  const { url } = await authorizeUrl(app, { parameters: { state: undefined } });
  const { query } = await sendQuery(app, `${url.searchParams}&state=%ff%fe`);
  expect([query.error, query.state]).toEqual(['invalid_request', undefined]);
});

const FORM = 'application/x-www-form-urlencoded';

async function post(body: URLSearchParams | string, headers: Record<string, string> = {}) {
  const init: RequestInit = { method: 'POST', redirect: 'manual', body: String(body) };
  const url = `${app.config.authUrl}/oauth2/authorize`;
  return readAuthorize(await fetch(url, { ...init, headers: { 'content-type': FORM, ...headers } }));
}

const sessions = () => app.context().em.count(AuthorizationSession);
const sessionOf = (id: string) => app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', id) });

describe('OIDC Core §3.1.2.1: POST /oauth2/authorize with a form works like GET', () => {
  it('begins a session, whose code gives tokens', async () => {
    const { url, verifier, state } = await authorizeUrl(app);
    const answer = await post(url.searchParams);
    expect([answer.status, answer.location?.startsWith(`${app.origin}/`)]).toEqual([302, true]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = answer.headers.getSetCookie().map((whole) => whole.split(';')[0] ?? '');
    const sessionId = answer.query.session_id ?? '';
    const redirectUri = url.searchParams.get('redirect_uri') ?? '';
    const started = { cookie, sessionId, verifier, state, nonce: '', clientId: app.kit.client_id, redirectUri };
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    expect(callback.searchParams.get('state')).toBe(state);
    const code = callback.searchParams.get('code') ?? '';
    expect((await exchange(app, { ...started, code })).status).toBe(200);
  });

  it('answers faults alike: by redirect once client and redirect URI are proved, else by a page', async () => {
    const { url } = await authorizeUrl(app, { parameters: { scope: 'email', state: 's' } });
    const refused = await post(url.searchParams);
    expect(refused.query).toMatchObject({ error: 'invalid_scope', state: 's' });
    url.searchParams.delete('client_id');
    const page = await post(url.searchParams);
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toMatch(/^<!doctype html>.*client_id/s);
  });

  it('of a form the query of the address counts for nothing', async () => {
    const { url } = await authorizeUrl(app);
    const headers = { 'content-type': FORM };
    expect((await fetch(url, { method: 'POST', body: '', headers, redirect: 'manual' })).status).toBe(400);
  });

  it.each([
    ['JSON', 'application/json', '{}', 415],
    ['nothing', '', '', 415],
    ['a form of 65 KiB', FORM, `x=${'x'.repeat(66_560)}`, 413],
    ['bytes that are no UTF-8', FORM, 'broken', 400],
  ])('%s: a page, never JSON', async (_, type, body, status) => {
    const answer = await fetch(`${app.config.authUrl}/oauth2/authorize`, {
      method: 'POST',
      body: body === 'broken' ? new Uint8Array([0xff, 0xfe]) : body,
      headers: { 'content-type': type },
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toMatch(/^<!doctype html>/);
  });
});

describe('a form that the page of another site posts comes without the Lax cookie', () => {
  const ELSEWHERE = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' };

  it('the browser repeats it by GET, with its cookie: the sign-ins of its other tabs go on', async () => {
    const other = await authorize(app);
    const { url } = await authorizeUrl(app, { parameters: { state: 'ä +&=%/"' } });
    const before = await sessions();
    const answer = await post(url.searchParams, ELSEWHERE);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
    expect(await sessions(), 'no session is begun before the GET').toBe(before);
    expect([...new URL(answer.location ?? '').searchParams]).toEqual([...url.searchParams]);
    const again = await fetch(String(answer.location), { redirect: 'manual', headers: { cookie: other.cookie } });
    expect(again.status).toBe(302);
    expect(again.headers.getSetCookie()[0]).toContain(other.cookie);
    expect((await callLogin(app, other, 'session.get')).status).toBe(200);
  });

  it.each([
    ['by its origin alone', { origin: 'https://shop.example' }],
    ['by an origin that it hides', { origin: 'null' }],
    ['by Sec-Fetch-Site alone', { 'sec-fetch-site': 'cross-site' }],
  ])('it is known %s', async (_, headers) => {
    expect((await post((await authorizeUrl(app)).url.searchParams, headers)).status).toBe(303);
  });

  it('with a cookie, or with more than a URL holds, it is answered at once', async () => {
    const { url } = await authorizeUrl(app);
    const { cookie } = await authorize(app);
    expect((await post(url.searchParams, { ...ELSEWHERE, cookie })).status).toBe(302);
    url.searchParams.set('claims', 'x'.repeat(20_000));
    expect((await post(url.searchParams, ELSEWHERE)).status).toBe(302);
  });
});

it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE'])('%s opens no session: 405, and a page', async (method) => {
  const before = await sessions();
  const answer = await fetch((await authorizeUrl(app)).url, { method, redirect: 'manual' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(await sessions()).toBe(before);
});

it('spec §5.3: the authorization session sends the browser to {login_url}?session_id=…&client_name=…, and nothing else', async () => {
  const clientId = await makeClient(app, { name: 'Ärzte & Söhne + 100%' });
  const answer = await sendAuthorize(app, { clientId });
  expect(answer.status).toBe(302);
  const [page, query] = (answer.location ?? '').split('?');
  expect(page).toBe(app.config.loginUrl);
  expect(query).toMatch(/^session_id=sess_[0-9a-z]{26}&client_name=[^&]+$/);
  expect(answer.query.client_name).toBe('Ärzte & Söhne + 100%');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

describe('authorization session: bound to the browser that began it', () => {
  it('the cookie on http is HttpOnly, SameSite=Lax, for the whole host, without Secure', async () => {
    const [cookie, ...more] = (await sendAuthorize(app)).headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^fan_browser=br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('a cookie that the browser has is kept; one that is not ours is replaced', async () => {
    const first = await authorize(app);
    expect((await authorize(app, {}, first.cookie)).cookie).toBe(first.cookie);
    for (const planted of ['fan_browser=br_short', 'fan_browser=x', `fan_browser=${'A'.repeat(46)}`]) {
      const { cookie } = await authorize(app, {}, planted);
      expect(cookie).toMatch(/^fan_browser=br_[\w-]{43}$/);
    }
  });

  it('only a hash of the cookie is stored', async () => {
    const { cookie, sessionId } = await authorize(app);
    expect(JSON.stringify(await sessionOf(sessionId))).not.toContain(cookie.split('=')[1]);
  });

  it('lives ten minutes', async () => {
    using clock = freezeClock(app);
    const started = await authorize(app);
    clock.pass(599);
    await login(app, started, 'session.get');
    clock.pass(1);
    const { error } = await callLogin(app, started, 'session.get');
    expect(error?.data.reason).toBe('session_expired');
  });
});

it('every authorization verifies the fan: a second one begins with the phone again', async () => {
  const first = await obtainCode(app);
  const second = await authorize(app, {}, first.cookie);
  expect((await login(app, second, 'session.get')).step).toBe('phone');
  expect((await callLogin(app, second, 'consent.options')).error?.data.reason).toBe('wrong_step');
});

it('mode: the registration wins: the tokens of a sandbox client say sandbox', async () => {
  const tokens = await signIn(app, { parameters: { mode: 'production' } });
  expect([tokens.mode, decodeJwt(tokens.access_token).mode]).toEqual(['sandbox', 'sandbox']);
});
