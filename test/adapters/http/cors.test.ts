import { describe, expect, it, vi } from 'vitest';
import { authorizeUrl, callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const REGISTERED = 'http://localhost:4000';
const FOREIGN = 'https://evil.example';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
const { authUrl, apiUrl } = app.config;
const tokens = await signIn(app);
const { access_token: token } = tokens;

const allowed = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin');
const listed = ({ headers }: Response, of: 'allow-headers' | 'allow-methods' | 'expose-headers') =>
  headers.get(`access-control-${of}`)?.split(',') ?? [];

function breakDatabase() {
  const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  return vi.spyOn(app.runtime.pool, 'query').mockRejectedValue(error as never);
}

const preflight = (url: string, origin: string, method = 'GET') =>
  fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });

const call = (url: string, origin: string, bearer?: string, method = 'GET') =>
  fetch(url, { method, headers: { origin, ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }) } });

describe.each(['openid-configuration', 'oauth-authorization-server', 'jwks.json'])(
  'CORS: /.well-known/%s is for any origin',
  (name) => {
    it('answers the call and its preflight', async () => {
      const url = `${authUrl}/.well-known/${name}`;
      const answer = await call(url, FOREIGN);
      expect([answer.status, allowed(answer)]).toEqual([200, '*']);
      expect(listed(answer, 'expose-headers')).toContain('X-Request-Id');
      const asked = await preflight(url, FOREIGN);
      expect([asked.status, allowed(asked)]).toEqual([204, '*']);
      expect(listed(asked, 'allow-methods')).toContain('GET');
      expect(allowed(await preflight(`${url}/`, FOREIGN))).toBe('*');
    });
  },
);

describe.each([
  [`${authUrl}/oauth2/token`, 'POST'],
  [`${authUrl}/oauth2/revoke`, 'POST'],
  [`${authUrl}/oauth2/userinfo`, 'GET'],
  [`${apiUrl}/tickets`, 'GET'],
])('CORS: %s is for the origins of registered redirect URIs', (url, method) => {
  it('a preflight, without a token, is answered yes, also with a slash at the end and in another case', async () => {
    for (const variant of [url, `${url}/`, url.replace(/\w+$/, (name) => name.toUpperCase())]) {
      const answer = await preflight(variant, REGISTERED, method);
      expect([answer.status, allowed(answer)], variant).toEqual([204, REGISTERED]);
      expect(listed(answer, 'allow-methods')).toContain(method);
      expect(listed(answer, 'allow-headers').join()).toBe(
        'Authorization,Content-Type,Prefer,traceparent,tracestate,X-Request-Id',
      );
      expect(answer.headers.get('access-control-max-age')).toBe('600');
    }
  });

  it('an error answer may be read too, with the headers that matter; never with credentials', async () => {
    const answer = await call(url, REGISTERED, undefined, method);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(allowed(answer)).toBe(REGISTERED);
    expect(listed(answer, 'expose-headers')).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-Error-Code', 'WWW-Authenticate', 'Retry-After', 'Link']),
    );
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each([
    ...[FOREIGN, 'null', 'http://localhost:4001', 'http://localhost:40001', 'https://localhost:4000'],
    ...[`${REGISTERED}.evil.example`, 'http://LOCALHOST:4000', `${REGISTERED}/`],
  ])('a page of %s may read nothing, and gets no permission', async (origin) => {
    const [asked, answer] = [await preflight(url, origin, method), await call(url, origin, undefined, method)];
    expect([allowed(asked), allowed(answer)]).toEqual([null, null]);
    expect(asked.headers.get('access-control-allow-methods')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  });
});

it.each([
  [200, `${authUrl}/oauth2/userinfo`, token],
  [401, `${authUrl}/oauth2/userinfo`, tokens.id_token],
  [200, `${authUrl}/oauth2/grants/${tokens.grant_id}/receipt`, token],
  [200, `${apiUrl}/tickets`, token],
  [400, `${apiUrl}/tickets?limit=0`, token],
  [404, `${apiUrl}/nothing`, token],
  [405, `${apiUrl}/tickets`, token, 'DELETE'],
])('CORS: %i of %s may be read by a registered origin alone', async (status, url, bearer, method = 'GET') => {
  const answer = await call(url, REGISTERED, bearer, method);
  expect([answer.status, allowed(answer)]).toEqual([status, REGISTERED]);
  expect(allowed(await call(url, FOREIGN, bearer, method))).toBeNull();
});

it('CORS: authorize names no origin, not even to a partner', async () => {
  const { url } = await authorizeUrl(app);
  const answer = await fetch(url, { redirect: 'manual', headers: { origin: REGISTERED } });
  expect([answer.status, allowed(answer)]).toEqual([302, null]);
  expect(allowed(await preflight(`${authUrl}/oauth2/authorize`, REGISTERED))).toBeNull();
});

describe('CORS: while the database is away', () => {
  const ask = (origin: string) => callFan(app, '/tickets', token, { headers: { origin } });

  it('the answer is 503, readable for an origin that was allowed before, and never Koa’s own', async () => {
    await ask(REGISTERED);
    using _away = breakDatabase();
    const [stranger, known] = await Promise.all([ask('https://late.example'), ask(REGISTERED)]);
    expect([stranger.status, Object.keys(stranger.body), allowed(stranger)]).toEqual([503, ['message'], null]);
    expect([known.status, allowed(known)]).toEqual([503, REGISTERED]);
  });

  it('its answer is not cached', async () => {
    const origin = 'http://127.0.0.1:4000';
    const away = breakDatabase();
    await ask(origin).finally(() => away.mockRestore());
    expect(allowed(await ask(origin))).toBe(origin);
  });
});
