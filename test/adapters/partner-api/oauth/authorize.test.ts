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
import { type AuthorizeAnswer, sendAuthorize, sendQuery } from './send-authorize.ts';

const app = await testApp();
const suspended = await makeClient(app, {
  mode: 'production',
  status: 'suspended',
  redirectUris: ['https://p.example/cb'],
});
await changeClient(app, suspended, { redirectUris: [REDIRECT_URI] });

const STATE = 'the state of this request';

/** Faults of an authorize request in the decided order of the checks, each with the answer that it gets alone. */
const FAULTS: { fault: string; parameters: Record<string, string | undefined>; twice?: string; error: string }[] = [
  { fault: 'no client_id', parameters: { client_id: undefined }, error: 'page' },
  { fault: 'no redirect_uri', parameters: { redirect_uri: undefined }, error: 'page' },
  { fault: 'no response_type', parameters: { response_type: undefined }, error: 'invalid_request: response_type' },
  { fault: 'a nonce given twice', parameters: {}, twice: 'nonce', error: 'invalid_request: nonce' },
  { fault: 'a request object', parameters: { request: 'e30.e30.' }, error: 'request_not_supported: request' },
  { fault: 'a request_uri', parameters: { request_uri: 'https://p.example/r' }, error: 'request_uri_not_supported' },
  { fault: 'no scope', parameters: { scope: undefined }, error: 'invalid_request: scope' },
  { fault: 'no state', parameters: { state: undefined }, error: 'invalid_request: state' },
  { fault: 'no code_challenge', parameters: { code_challenge: undefined }, error: 'invalid_request: code_challenge' },
  { fault: 'an unknown mode', parameters: { mode: 'live' }, error: 'invalid_request: mode' },
  { fault: 'a suspended client', parameters: { client_id: 'SUSPENDED' }, error: 'unauthorized_client' },
  { fault: 'prompt=none', parameters: { prompt: 'none' }, error: 'login_required' },
];

function send(...faults: (typeof FAULTS)[number][]): Promise<AuthorizeAnswer> {
  // the earlier fault of a pair decides what a parameter says, where both touch it
  const parameters = Object.assign({ state: STATE }, ...faults.map((fault) => fault.parameters).reverse());
  if (parameters.client_id === 'SUSPENDED') parameters.client_id = suspended;
  const twice = faults.flatMap((fault): [string, string][] => (fault.twice ? [[fault.twice, 'again']] : []));
  return sendAuthorize(app, { parameters }, twice);
}

function described({ status, query }: AuthorizeAnswer): string {
  return status === 400 ? 'page' : `${query.error}: ${query.error_description}`;
}

describe('D-024 several errors: of two, the one that is checked first is named', () => {
  const alone = FAULTS.map((fault) => ({ title: fault.fault, faults: [fault], error: fault.error }));
  const pairs = FAULTS.slice(1).map((later, index) => {
    const first = FAULTS[index] ?? later;
    return { title: `${first.fault} before ${later.fault}`, faults: [first, later], error: first.error };
  });
  it.each([...alone, ...pairs])('$title: $error', async ({ faults, error }) => {
    expect(described(await send(...faults))).toMatch(new RegExp(`^${error}`));
  });

  it('with every fault at once, the client is named', async () => {
    const answer = await send(...FAULTS);
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('client_id');
  });
});

describe('RFC 6749 §4.1.2.1: a refusal after proof', () => {
  it('goes to the redirect URI with error, error_description and the state, and nothing else', async () => {
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

  it('has no state where the request had none, or two', async () => {
    expect((await sendAuthorize(app, { parameters: { state: undefined } })).query).not.toHaveProperty('state');
    const { query } = await sendAuthorize(app, {}, [['state', 'second']]);
    expect(query.error_description).toBe('state must not be given more than once');
    expect(query).not.toHaveProperty('state');
  });
});

describe('RFC 6749 §3.1: a parameter must not be given more than once', () => {
  it.each(['client_id', 'redirect_uri'])('%s twice: a page, never a redirect', async (name) => {
    const value = name === 'client_id' ? app.kit.client_id : REDIRECT_URI;
    const answer = await sendAuthorize(app, {}, [[name, value]]);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.html).toContain(`${name} more than once`);
  });

  it.each([
    ...['response_type', 'scope', 'code_challenge', 'code_challenge_method', 'nonce', 'mode', 'state'],
    ...['prompt', 'login_hint', 'ui_locales', 'max_age', 'request', 'something_unknown'],
  ])('%s twice: invalid_request, also when both are the same', async (name) => {
    const same = (await sendAuthorize(app, { parameters: { [name]: 'code' } }, [[name, 'code']])).query;
    // an unusable response_type is named before duplicates are
    expect(same.error).toBe('invalid_request');
    expect(same.error_description).toBe(`${name} must not be given more than once`);
  });

  it('what a name has that a description may not is replaced', async () => {
    const { query } = await sendAuthorize(app, {}, [
      ['"ä\n', '1'],
      ['"ä\n', '2'],
    ]);
    expect(query.error_description).toBe('??? must not be given more than once');
  });
});

describe('spec §5.4: response_type', () => {
  it.each(['token', 'id_token', 'code id_token', 'CODE', 'none'])('%s: unsupported_response_type', async (type) => {
    const { query } = await sendAuthorize(app, { parameters: { response_type: type, state: STATE } });
    expect([query.error, query.state]).toEqual(['unsupported_response_type', STATE]);
  });
});

describe('spec §5.4: every requested scope must be allowed on the client', () => {
  it.each(['email', 'openid email', 'openid OPENID', 'fan:claims:read', 'openid\tprofile'])(
    '%j: invalid_scope',
    async (scope) => {
      expect((await sendAuthorize(app, { scope })).query.error).toBe('invalid_scope');
    },
  );

  it('a scope of the server that the client does not have: invalid_scope, naming it', async () => {
    const clientId = await makeClient(app, { scopes: ['openid', 'fan:tickets:read'] });
    const { query } = await sendAuthorize(app, { clientId, scope: 'openid fan:tickets:read fan:listings:write' });
    expect(query.error).toBe('invalid_scope');
    expect(query.error_description).toBe('scope fan:listings:write is not allowed for this client');
    const offline = await sendAuthorize(app, { clientId, scope: 'openid offline_access' });
    expect(offline.query.error).toBe('invalid_scope');
  });
});

describe('spec §5.1: PKCE is mandatory, and only S256', () => {
  it.each([
    ['plain', { code_challenge_method: 'plain' }],
    ['no method, which would mean plain (RFC 7636 §4.3)', { code_challenge_method: undefined }],
    ['s256 in another case', { code_challenge_method: 's256' }],
    ['an empty method', { code_challenge_method: '' }],
    ['no challenge and no method', { code_challenge: undefined, code_challenge_method: undefined }],
    ['an empty challenge', { code_challenge: '' }],
    ['a challenge of 42 characters', { code_challenge: 'A'.repeat(42) }],
  ])('%s: invalid_request by redirect', async (_, parameters) => {
    const { query } = await sendAuthorize(app, { parameters: { ...parameters, state: STATE } });
    expect([query.error, query.state]).toEqual(['invalid_request', STATE]);
    expect(query.error_description).toMatch(/^code_challenge/);
  });
});

describe('D-026 client not enabled / suspended: unauthorized_client', () => {
  it.each(['draft', 'in_review', 'approved', 'suspended', 'rejected'] as const)(
    'a client that is %s',
    async (status) => {
      const clientId = await makeClient(app, { status });
      const { query, headers } = await sendAuthorize(app, { clientId, parameters: { state: STATE } });
      expect([query.error, query.state]).toEqual(['unauthorized_client', STATE]);
      expect(headers.getSetCookie()).toEqual([]);
    },
  );

  it.each(['sandbox-ready', 'enabled'] as const)('a client that is %s goes on to the login', async (status) => {
    const answer = await sendAuthorize(app, { clientId: await makeClient(app, { status }) });
    expect(answer.location).toMatch(`${app.config.loginUrl}?session_id=sess_`);
  });
});

describe('a redirect_uri that is not registered', () => {
  it('is in the request log as it was sent, without secrets; the page names neither it nor those registered', async () => {
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
});

const WITH_QUERY = 'http://localhost:4000/cb?tenant=a%2Fb&flag';
const registered = [REDIRECT_URI, WITH_QUERY, 'http://127.0.0.1:4000/native'];
const clientId = await makeClient(app, { redirectUris: registered });

describe('spec §5.4: redirect_uri must match exactly; otherwise a page, never a redirect', () => {
  it.each([
    ['a slash more', `${REDIRECT_URI}/`],
    ['a slash less', 'http://localhost:4000callback'],
    ['two slashes', 'http://localhost:4000//callback'],
    ['another port', 'http://localhost:4001/callback'],
    ['no port', 'http://localhost/callback'],
    ['a host in another case', 'http://LOCALHOST:4000/callback'],
    ['a scheme in another case', 'HTTP://localhost:4000/callback'],
    ['a path in another case', 'http://localhost:4000/Callback'],
    ['an encoded letter', 'http://localhost:4000/%63allback'],
    ['an encoded slash', 'http://localhost:4000%2Fcallback'],
    ['a query', `${REDIRECT_URI}?x=1`],
    ['an empty query', `${REDIRECT_URI}?`],
    ['a fragment', `${REDIRECT_URI}#x`],
    ['a path below', `${REDIRECT_URI}/below`],
    ['a dot segment', 'http://localhost:4000/x/../callback'],
    ['https', 'https://localhost:4000/callback'],
    ['another host that means the same', 'http://127.0.0.1:4000/callback'],
    ['a user name', 'http://localhost:4000@evil.example.com/callback'],
    ['a space before', ` ${REDIRECT_URI}`],
    ['a line end after', `${REDIRECT_URI}\n`],
    ['a NUL after', `${REDIRECT_URI}\0`],
    ['a script', 'javascript:alert(1)'],
    ['the registered query in another encoding', 'http://localhost:4000/cb?tenant=a/b&flag'],
    ['the registered query in another order', 'http://localhost:4000/cb?flag&tenant=a%2Fb'],
    ['the registered URI without its query', 'http://localhost:4000/cb'],
    ['a redirect URI of another client', 'http://localhost:4000/auth/callback/fan'],
    ['nothing', ''],
  ])('%s', async (_, redirectUri) => {
    const answer = await sendAuthorize(app, { clientId, redirectUri });
    expect(answer.status).toBe(400);
    expect(answer.location).toBeUndefined();
    expect(answer.html).toContain('redirect_uri');
  });

  it('a malformed one that was registered before these were refused', async () => {
    const redirectUri = 'https://p.example/%zz';
    await changeClient(app, clientId, { redirectUris: [redirectUri, ...registered] });
    const answer = await sendAuthorize(app, { clientId, redirectUri });
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.html).toContain('redirect_uri of the link has a %');
    expect((await sendAuthorize(app, { clientId })).status).toBe(302);
  });

  it('also when everything else is wrong too', async () => {
    const parameters = { scope: undefined, response_type: 'token', state: undefined, prompt: 'none' };
    const answer = await sendAuthorize(app, { clientId, redirectUri: 'https://evil.example.com/', parameters });
    expect([answer.status, answer.location]).toEqual([400, undefined]);
  });
});

describe('RFC 6749 §3.1.2: a registered query', () => {
  it('is kept byte for byte, and code and state follow it', async () => {
    const obtained = await obtainCode(app, { clientId, redirectUri: WITH_QUERY });
    expect(obtained.code).toMatch(/^ac_/);
    expect((await exchange(app, obtained)).status).toBe(200);
  });

  it('is kept in an error too', async () => {
    const refused = { clientId, redirectUri: WITH_QUERY, parameters: { prompt: 'none' } };
    const { location } = await sendAuthorize(app, refused);
    expect(location).toMatch(`${WITH_QUERY}&error=login_required&error_description=`);
  });
});

it('RFC 8252 §7.3, D-043 redirect URIs: any port on a loopback address, once that is switched on; the code is exchanged with that URI only', async () => {
  const NATIVE = 'http://127.0.0.1:51004/native';
  expect((await sendAuthorize(app, { clientId, redirectUri: NATIVE })).status).toBe(400);
  await changeClient(app, clientId, { loopbackAnyPort: true });
  const obtained = await obtainCode(app, { clientId, redirectUri: NATIVE });
  const wrong = await exchange(app, obtained, { redirect_uri: 'http://127.0.0.1:4000/native' });
  expect(wrong.error).toBe('invalid_request');
  expect((await exchange(app, await obtainCode(app, { clientId, redirectUri: NATIVE }))).status).toBe(200);
});

describe('D-023 authorize errors: the page before proof', () => {
  it('is HTML with status 400, the request id, and no way for scripts or frames', async () => {
    const { status, headers, html } = await sendAuthorize(app, { redirectUri: 'https://evil.example.com/' });
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain(headers.get('x-request-id'));
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.getSetCookie()).toEqual([]);
  });

  it('shows nothing of the request, so that nobody can write on it', async () => {
    const markup = '<script>alert(1)</script>';
    const redirectUri = `${REDIRECT_URI}?${markup}`;
    for (const choice of [{ clientId: markup }, { redirectUri: markup }, { redirectUri }]) {
      const { status, html } = await sendAuthorize(app, choice);
      expect(status).toBe(400);
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

const STATES: [string, string][] = [
  ['letters', 'xyz'],
  ['a space', 'a b'],
  ['a plus', 'a+b'],
  ['what looks encoded', '%20%2B%zz'],
  ['what separates parameters', 'a&code=1=2;#?/'],
  ['quotes and markup', `"'<script>\\`],
  ['Unicode', 'Zażółć 座席 🎟️ é'],
  ['line ends', 'a\r\nLocation: https://evil.example.com\n'],
  ['JSON', '{"next":"/account?tab=1"}'],
  ['4 KiB', 's'.repeat(4096)],
  ['4 KiB of Unicode', '🎟'.repeat(1024)],
];

describe('spec §5.4: state is returned unchanged', () => {
  it.each(STATES)('with the code: %s', async (_, state) => {
    const started = await authorize(app, { parameters: { state } });
    await verifyPhone(app, started);
    const callback = await consent(app, started);
    expect([...callback.searchParams.keys()]).toEqual(['code', 'state']);
    expect(callback.searchParams.get('state')).toBe(state);
  });

  it.each(STATES)('with an error of authorize: %s', async (_, state) => {
    const { status, query } = await sendAuthorize(app, { parameters: { state, prompt: 'none' } });
    expect([status, query.error, query.state]).toEqual([302, 'login_required', state]);
  });

  it('with the refusal of the fan', async () => {
    const started = await authorize(app, { parameters: { state: 'a+b c' } });
    const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.deny');
    const query = Object.fromEntries(new URL(redirectTo).searchParams);
    expect(query).toEqual({ error: 'access_denied', error_description: expect.any(String), state: 'a+b c' });
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

describe('D-047 state: what can not be returned byte for byte is refused, and not returned at all', () => {
  it.each([
    ['4,097 bytes', 's'.repeat(4097)],
    ['10 kB', 's'.repeat(10_000)],
    ['4,098 bytes in fewer characters', 'é'.repeat(2049)],
    ['a NUL, which the database can not hold', 'a\0b'],
  ])('%s', async (_, state) => {
    const { status, query } = await sendAuthorize(app, { parameters: { state } });
    expect([status, query.error]).toEqual([302, 'invalid_request']);
    expect(query.error_description).toMatch(/^state must be/);
    expect(query).not.toHaveProperty('state');
  });

  it('bytes that are not UTF-8', async () => {
    const { url } = await authorizeUrl(app, { parameters: { state: undefined } });
    const { query } = await sendQuery(app, `${url.searchParams}&state=%ff%fe`);
    expect([query.error, query.state]).toEqual(['invalid_request', undefined]);
  });
});

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
const sessionOf = (id: string) => app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', id) });

describe('OIDC Core §3.1.2.1: POST /oauth2/authorize with a form works like GET', () => {
  it('begins a session, whose code gives tokens', async () => {
    const { url, verifier, state } = await authorizeUrl(app);
    const answer = await post(url.searchParams);
    expect([answer.status, answer.location?.origin]).toEqual([302, app.origin]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [cookie = ''] = answer.headers.getSetCookie().map((whole) => whole.split(';')[0] ?? '');
    const sessionId = answer.location?.searchParams.get('session_id') ?? '';
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
      expect(query).toEqual({ error: 'invalid_request', error_description: 'response_mode must be query', state: 's' });
    },
  );

  it.each(['mode', 'nonce', 'prompt', 'request', 'request_uri', 'response_mode', 'login_hint', 'ui_locales', 'claims'])(
    'RFC 6749 §3.1: an empty %s counts as absent',
    async (name) => {
      const { query } = await sendAuthorize(app, { parameters: { [name]: '' } });
      expect(query.session_id).toMatch(/^sess_/);
    },
  );

  it.each(['response_type', 'scope', 'state', 'code_challenge'])('an empty %s is a missing one', async (name) => {
    const { query } = await sendAuthorize(app, { parameters: { [name]: '' } });
    expect(query).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining(`${name} is required`),
    });
  });

  it.each(['nonce', 'state', 'something_unknown'])('an empty %s is one of two all the same', async (name) => {
    const { query } = await sendAuthorize(app, { parameters: { [name]: '' } }, [[name, '']]);
    expect(query.error_description).toBe(`${name} must not be given more than once`);
  });

  it('extra spaces in scope are folded, and stored without them', async () => {
    const { query } = await sendAuthorize(app, { scope: '  openid   fan:tickets:read  ' });
    expect((await sessionOf(query.session_id ?? '')).scope).toBe('openid fan:tickets:read');
  });
});

describe('spec §5.3: the authorization session', () => {
  it('sends the browser to {login_url}?session_id=…&client_name=…, and nothing else', async () => {
    const clientId = await makeClient(app, { name: 'Ärzte & Söhne + 100%' });
    const answer = await sendAuthorize(app, { clientId });
    expect(answer.status).toBe(302);
    const [page, query] = (answer.location ?? '').split('?');
    expect(page).toBe(app.config.loginUrl);
    expect(query).toMatch(/^session_id=sess_[0-9a-z]{26}&client_name=[^&]+$/);
    expect(answer.query.client_name).toBe('Ärzte & Söhne + 100%');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('D-028 authorization session: bound to the browser that began it', () => {
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
    const clock = freezeClock(app);
    const started = await authorize(app);
    clock.pass(599);
    await login(app, started, 'session.get');
    clock.pass(1);
    const { error } = await callLogin(app, started, 'session.get');
    clock.release();
    expect(error?.data.reason).toBe('session_expired');
  });
});

describe('D-037 prompt, max_age, … and unknown ones: no error', () => {
  it.each([
    ['prompt', 'login'],
    ['prompt', 'consent'],
    ['prompt', 'select_account login'],
    ['prompt', 'create'],
    ['max_age', '0'],
    ['max_age', 'x'],
    ['ui_locales', 'de-AT en'],
    ['display', 'popup'],
    ['acr_values', 'gold'],
    ['claims', '{"userinfo":{}}'],
    ['response_mode', 'query'],
    ['id_token_hint', 'x.y.z'],
    ['resource', 'https://api.example.com'],
    ['something_unknown', '\0'],
    ['login_hint', 'x'.repeat(5000)],
    ['nonce', ''],
    ['nonce', 'n'.repeat(1024)],
  ])('%s=%j', async (name, value) => {
    expect((await sendAuthorize(app, { parameters: { [name]: value } })).query.session_id).toMatch(/^sess_/);
  });

  it('prompt=none is login_required; with another prompt it is invalid_request (OIDC Core §3.1.2.1)', async () => {
    expect((await sendAuthorize(app, { parameters: { prompt: 'none' } })).query.error).toBe('login_required');
    expect((await sendAuthorize(app, { parameters: { prompt: 'none login' } })).query.error).toBe('invalid_request');
  });

  it('login_hint is what the login page offers as phone number', async () => {
    const started = await authorize(app, { parameters: { login_hint: '+1 202 555 0142' } });
    expect((await login(app, started, 'session.get')).loginHint).toBe('+1 202 555 0142');
  });

  it.each([
    ['more than 1,024 characters', 'n'.repeat(1025)],
    ['a NUL', 'n\0'],
  ])('a nonce of %s can not be given back: invalid_request', async (_, nonce) => {
    const { query } = await sendAuthorize(app, { parameters: { nonce } });
    expect(query.error_description).toMatch(/^nonce/);
  });

  it('every authorization verifies the fan: a second one begins with the phone again', async () => {
    const first = await obtainCode(app);
    const second = await authorize(app, {}, first.cookie);
    expect((await login(app, second, 'session.get')).step).toBe('phone');
    expect((await callLogin(app, second, 'consent.options')).error?.data.reason).toBe('wrong_step');
  });
});

describe('D-025 mode: the registration wins', () => {
  it.each(['sandbox', 'production'])(
    'mode=%s is accepted; the tokens of a sandbox client say sandbox',
    async (mode) => {
      const tokens = await signIn(app, { parameters: { mode } });
      expect([tokens.mode, decodeJwt(tokens.access_token).mode]).toEqual(['sandbox', 'sandbox']);
    },
  );

  it.each([' ', 'Sandbox', 'test', 'sandbox '])('mode=%j: invalid_request', async (mode) => {
    const { query } = await sendAuthorize(app, { parameters: { mode } });
    expect(query.error_description).toBe('mode must be sandbox or production');
  });
});
