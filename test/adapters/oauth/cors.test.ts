import { describe, expect, it } from 'vitest';
import { changeClient, makeClient } from '../../support/make-client.ts';
import { authorizeUrl, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const PARTNER = 'http://localhost:4000';
const STRANGER = 'https://stranger.example.com';
const PUBLIC = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];
const FOR_PARTNERS = ['/oauth2/token', '/oauth2/userinfo', '/oauth2/revoke'];

const app = await testApp({ env: { TOKEN_FAILURE_LIMIT: '30' } });

function preflight(path: string, origin: string, method = 'POST'): Promise<Response> {
  return fetch(`${app.config.authUrl}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });
}

function post(
  path: string,
  form: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${app.config.authUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: PARTNER, ...headers },
  });
}

const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');

describe.each(PUBLIC)('D-042 CORS: %s is for any origin', (path) => {
  it('answers the call and its preflight', async () => {
    const answer = await fetch(`${app.config.authUrl}${path}`, { headers: { origin: STRANGER } });
    expect([answer.status, allowed(answer)]).toEqual([200, '*']);
    const asked = await preflight(path, STRANGER, 'GET');
    expect([asked.status, allowed(asked)]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-methods')).toContain('GET');
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('traceparent');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(allowed(await preflight(`${path}/`, STRANGER, 'GET'))).toBe('*');
  });
});

describe.each(FOR_PARTNERS)('D-042 CORS: %s is for the origins of registered redirect URIs', (path) => {
  it('answers the preflight of a partner, and lets it send a token and a form', async () => {
    const answer = await preflight(path, PARTNER);
    expect([answer.status, allowed(answer)]).toEqual([204, PARTNER]);
    expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toBe(
      'authorization,content-type,prefer,traceparent,tracestate,x-request-id',
    );
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  });

  it('answers alike with a slash at the end and in another case, which the router takes too', async () => {
    for (const variant of [`${path}/`, path.toUpperCase()]) {
      const answer = await preflight(variant, PARTNER);
      expect([answer.status, allowed(answer)], variant).toEqual([204, PARTNER]);
      expect(allowed(await post(variant)), variant).toBe(PARTNER);
    }
  });

  it('names no origin to a stranger, to null and to a lookalike', async () => {
    for (const origin of [STRANGER, 'null', 'http://localhost:40001', 'http://LOCALHOST:4000', `${PARTNER}.evil.com`]) {
      expect(allowed(await preflight(path, origin)), origin).toBeNull();
      expect(allowed(await post(path, {}, { origin })), origin).toBeNull();
    }
  });

  it('an error answer names the origin too, so that the page can read it', async () => {
    const answer = await post(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(allowed(answer)).toBe(PARTNER);
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('www-authenticate');
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
  });

  it('says that answers vary by origin, and never allows credentials', async () => {
    for (const answer of [
      await preflight(path, PARTNER),
      await post(path),
      await post(path, {}, { origin: STRANGER }),
    ]) {
      expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

it('D-042 CORS: a good answer of userinfo and an answer to a bad token name the origin', async () => {
  const tokens = await signIn(app);
  for (const [token, status] of [
    [tokens.access_token, 200],
    [tokens.id_token, 401],
  ] as const) {
    const headers = { origin: PARTNER, authorization: `Bearer ${token}` };
    const answer = await fetch(`${app.config.authUrl}/oauth2/userinfo`, { headers });
    expect([answer.status, allowed(answer)]).toEqual([status, PARTNER]);
  }
});

it('D-042 CORS: a 429 answer names the origin, and lets the page read Retry-After', async () => {
  let answer = await post('/oauth2/token', { grant_type: 'x' });
  for (let call = 0; call < 30; call += 1) answer = await post('/oauth2/token', { grant_type: 'x' });
  expect([answer.status, allowed(answer)]).toEqual([429, PARTNER]);
  expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('retry-after');
});

describe('RFC 8252 §7.3: a client for which staff switched on any port on loopback', () => {
  const answered = async (origin: string) => allowed(await preflight('/oauth2/token', origin));

  it('has its origins on any port of the same loopback address', async () => {
    const redirectUris = ['http://127.0.0.1/cb', 'http://[::1]:9/cb'];
    const clientId = await makeClient(app, { redirectUris });
    expect(await answered('http://127.0.0.1:53682')).toBeNull();
    await changeClient(app, clientId, { loopbackAnyPort: true });
    expect(await answered('http://127.0.0.1:53683')).toBe('http://127.0.0.1:53683');
    expect(await answered('http://[::1]:53683')).toBe('http://[::1]:53683');
    expect(await answered('http://[::1]')).toBe('http://[::1]');
  });

  it('and none elsewhere: not on localhost, by https, or at a lookalike', async () => {
    for (const origin of [
      ...[
        'http://localhost:53684',
        'https://127.0.0.1:53684',
        'http://127.0.0.1:53684.evil.com',
        'http://127.0.0.11:5',
      ],
      ...['http://127.0.0.1:', 'http://127.0.0.1:%', 'http://127.0.0.1:123456'],
    ]) {
      expect(await answered(origin), origin).toBeNull();
    }
  });

  it('has none on the loopback address that it has not registered', async () => {
    await app.context().em.execute('update client set loopback_any_port = false');
    await makeClient(app, { redirectUris: ['http://127.0.0.1/cb'], loopbackAnyPort: true });
    expect(await answered('http://[::1]:53686')).toBeNull();
    expect(await answered('http://127.0.0.1:53686')).toBe('http://127.0.0.1:53686');
  });
});

it('D-042 CORS: authorize names no origin, not even to a partner', async () => {
  const { url } = await authorizeUrl(app);
  const answer = await fetch(url, { redirect: 'manual', headers: { origin: PARTNER } });
  expect([answer.status, allowed(answer)]).toEqual([302, null]);
  expect(allowed(await preflight('/oauth2/authorize', PARTNER, 'GET'))).toBeNull();
});
