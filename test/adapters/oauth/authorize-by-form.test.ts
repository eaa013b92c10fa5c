import { describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { authorize, authorizeUrl, callLogin, codeForm, consent, postForm, verifyPhone } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { sendAuthorize } from './send-authorize.ts';

const app = await testApp();

const FORM = 'application/x-www-form-urlencoded';

async function post(body: URLSearchParams | string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${app.config.authUrl}/oauth2/authorize`, {
    method: 'POST',
    redirect: 'manual',
    body: String(body),
    headers: { 'content-type': FORM, ...headers },
  });
  const location = answer.headers.get('location');
  return {
    status: answer.status,
    headers: answer.headers,
    html: await answer.text(),
    location: location === null ? undefined : new URL(location),
  };
}

const sessions = () => app.context().em.count(AuthorizationSession);

describe('OIDC Core §3.1.2.1: POST /oauth2/authorize with a form works like GET', () => {
  it('begins a session, whose code gives tokens', async () => {
    const { url, verifier, state } = await authorizeUrl(app);
    const answer = await post(url.searchParams);
    expect([answer.status, answer.location?.origin]).toEqual([302, app.origin]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = answer.headers.getSetCookie().map((whole) => whole.split(';')[0] ?? '');
    const sessionId = answer.location?.searchParams.get('session_id') ?? '';
    const started = { cookie, sessionId, verifier, state, nonce: '', clientId: app.kit.client_id };
    await verifyPhone(app, { ...started, redirectUri: '' });
    const callback = await consent(app, { ...started, redirectUri: '' });
    expect(callback.searchParams.get('state')).toBe(state);
    const redirectUri = url.searchParams.get('redirect_uri') ?? '';
    const form = codeForm({ ...started, redirectUri, code: callback.searchParams.get('code') ?? '' });
    expect((await postForm(app, '/oauth2/token', form)).status).toBe(200);
  });

  it('answers faults alike: by redirect once client and redirect URI are proved, else by a page', async () => {
    const { url } = await authorizeUrl(app, { parameters: { scope: 'email', state: 's' } });
    const refused = await post(url.searchParams);
    expect(Object.fromEntries(refused.location?.searchParams ?? [])).toMatchObject({
      error: 'invalid_scope',
      state: 's',
    });
    url.searchParams.delete('client_id');
    const page = await post(url.searchParams);
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toMatch(/^<!doctype html>.*client_id/s);
  });

  it('of a form the query of the address counts for nothing', async () => {
    const { url } = await authorizeUrl(app);
    const answer = await fetch(url, {
      method: 'POST',
      body: '',
      headers: { 'content-type': FORM },
      redirect: 'manual',
    });
    expect(answer.status).toBe(400);
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
    const answer = await post(url.searchParams, ELSEWHERE);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []]);
    expect([...(answer.location?.searchParams ?? [])]).toEqual([...url.searchParams]);
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

  it('no session is begun before the GET', async () => {
    const before = await sessions();
    await post((await authorizeUrl(app)).url.searchParams, ELSEWHERE);
    expect(await sessions()).toBe(before);
  });

  it('with a cookie, or with more than a URL holds, it is answered at once', async () => {
    const { url } = await authorizeUrl(app);
    const { cookie } = await authorize(app);
    expect((await post(url.searchParams, { ...ELSEWHERE, cookie })).status).toBe(302);
    url.searchParams.set('claims', 'x'.repeat(20_000));
    expect((await post(url.searchParams, ELSEWHERE)).status).toBe(302);
  });
});

describe('the other rules of authorize', () => {
  it.each(['HEAD', 'OPTIONS', 'PUT', 'DELETE'])('%s opens no session: 405, and a page', async (method) => {
    const before = await sessions();
    const answer = await fetch((await authorizeUrl(app)).url, { method, redirect: 'manual' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await sessions()).toBe(before);
  });

  it.each(['fragment', 'form_post', 'query.jwt', 'QUERY'])(
    'response_mode=%s: invalid_request by redirect',
    async (mode) => {
      const { query } = await sendAuthorize(app, { parameters: { response_mode: mode, state: 's' } });
      expect([query.error, query.error_description, query.state]).toEqual([
        'invalid_request',
        'response_mode must be query',
        's',
      ]);
    },
  );

  it('response_mode=query is what is done anyway', async () => {
    expect((await sendAuthorize(app, { parameters: { response_mode: 'query' } })).query.session_id).toMatch(/^sess_/);
  });

  it.each(['mode', 'nonce', 'prompt', 'request', 'request_uri', 'response_mode', 'login_hint', 'ui_locales', 'claims'])(
    'RFC 6749 §3.1: an empty %s counts as absent',
    async (name) => {
      const { query } = await sendAuthorize(app, { parameters: { [name]: '' } });
      expect(query.session_id).toMatch(/^sess_/);
    },
  );

  it.each(['response_type', 'scope', 'state', 'code_challenge'])('an empty %s is a missing one', async (name) => {
    const { query } = await sendAuthorize(app, { parameters: { [name]: '' } });
    expect(query.error).toBe('invalid_request');
    expect(query.error_description).toMatch(`${name} is required`);
  });

  it('an empty parameter is one of two all the same, as at the token endpoint', async () => {
    for (const name of ['nonce', 'state', 'something_unknown']) {
      const { query } = await sendAuthorize(app, { parameters: { [name]: '' } }, [[name, '']]);
      expect(query.error_description).toBe(`${name} must not be given more than once`);
    }
  });

  it('extra spaces in scope are folded, and stored without them', async () => {
    const { query } = await sendAuthorize(app, { scope: '  openid   fan:tickets:read  ' });
    const session = await app
      .context()
      .em.findOneOrFail(AuthorizationSession, { id: knownId('sess', query.session_id ?? '') });
    expect(session.scope).toBe('openid fan:tickets:read');
  });
});
