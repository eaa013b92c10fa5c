import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import { authorize, authorizeUrl, codeForm, obtainCode, postForm, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp({ env: { TOKEN_FAILURE_LIMIT: '30' } });
const tokens = await signIn(app);
const metadata: Record<string, unknown> = await (
  await fetch(`${app.config.authUrl}/.well-known/openid-configuration`)
).json();

/** Exactly the members of an RSA verification key: a private member (d, p, q, dp, dq, qi) fails. */
const PublicJwk = z.strictObject({
  kty: z.literal('RSA'),
  use: z.literal('sig'),
  alg: z.literal('RS256'),
  kid: z.string().length(43),
  n: z.string().length(342),
  e: z.literal('AQAB'),
});

describe('spec §5.2: discovery', () => {
  it('has the values of the table, under the issuer', () => {
    const { authUrl } = app.config;
    expect(metadata).toMatchObject({
      issuer: authUrl,
      authorization_endpoint: `${authUrl}/oauth2/authorize`,
      token_endpoint: `${authUrl}/oauth2/token`,
      userinfo_endpoint: `${authUrl}/oauth2/userinfo`,
      jwks_uri: `${authUrl}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('RFC 8414 §3: is served for OAuth clients too', async () => {
    const answer = await fetch(`${app.config.authUrl}/.well-known/oauth-authorization-server`);
    expect([answer.status, await answer.json()]).toEqual([200, metadata]);
  });

  it('has what OIDC Discovery §3 requires besides', () => {
    expect(metadata.subject_types_supported).toEqual(['public']);
    expect(metadata.id_token_signing_alg_values_supported).toEqual(['RS256']);
  });

  it('D-038 request, request_uri: says that they and claims are not supported', () => {
    expect(metadata.request_parameter_supported).toBe(false);
    expect(metadata.request_uri_parameter_supported).toBe(false);
    expect(metadata.claims_parameter_supported).toBe(false);
  });

  it('OIDC Discovery §3: the languages of the hosted pages are those that they have', () => {
    expect(metadata.ui_locales_supported).toEqual(['en', 'de', 'es', 'fr', 'ja', 'pt']);
  });

  it('the issuer has no trailing slash, as the iss of every token', () => {
    expect(metadata.issuer).not.toMatch(/\/$/);
    for (const token of [tokens.access_token, tokens.id_token]) {
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(payload.iss).toBe(metadata.issuer);
    }
  });
});

describe('D-045 extra endpoints: discovery lists exactly what works', () => {
  it('every endpoint listed answers its method', async () => {
    const form = new URLSearchParams({ token: 'unknown', client_id: app.kit.client_id });
    const calls: Record<string, [RequestInit, number]> = {
      authorization_endpoint: [{ redirect: 'manual' }, 400],
      token_endpoint: [{ method: 'POST', body: form }, 400],
      userinfo_endpoint: [{}, 401],
      jwks_uri: [{}, 200],
      revocation_endpoint: [{ method: 'POST', body: form }, 200],
    };
    const listed = Object.keys(metadata).filter((key) => key.endsWith('_endpoint') || key === 'jwks_uri');
    expect(listed.sort()).toEqual(Object.keys(calls).sort());
    for (const [key, [init, status]] of Object.entries(calls)) {
      expect((await fetch(String(metadata[key]), init)).status, key).toBe(status);
    }
  });

  it('every scope listed can be asked for', async () => {
    expect(metadata.scopes_supported).toHaveLength(16);
    const clientId = await makeClient(app, { scopes: metadata.scopes_supported as string[] });
    for (const scope of metadata.scopes_supported as string[]) {
      expect((await authorize(app, { clientId, scope })).sessionId, scope).toMatch(/^sess_/);
    }
  });

  it('every claim listed is in an ID token, and no other', () => {
    const payload = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString());
    expect((metadata.claims_supported as string[]).sort()).toEqual(Object.keys(payload).sort());
  });

  it('every grant type listed is answered, no other', async () => {
    const { body } = await postForm(app, '/oauth2/token', codeForm(await obtainCode(app)));
    expect(body.access_token).toEqual(expect.any(String));
    for (const type of ['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code']) {
      const refused = await postForm(app, '/oauth2/token', { grant_type: type, client_id: app.kit.client_id });
      expect([refused.status, refused.body.error]).toEqual([400, 'unsupported_grant_type']);
    }
  });
});

describe('spec §5.1: JWKS', () => {
  it('has public members only', async () => {
    const document = await (await fetch(String(metadata.jwks_uri))).json();
    expect(z.strictObject({ keys: z.array(PublicJwk).min(1) }).parse(document).keys).toHaveLength(1);
  });

  it('verifies access tokens and ID tokens', async () => {
    const document = (await (await fetch(String(metadata.jwks_uri))).json()) as JSONWebKeySet;
    const keys = createLocalJWKSet(document);
    const access = await jwtVerify(tokens.access_token, keys, { algorithms: ['RS256'], audience: 'svc-api' });
    const id = await jwtVerify(tokens.id_token, keys, { algorithms: ['RS256'], audience: app.kit.client_id });
    expect(access.payload.sub).toBe(id.payload.sub);
  });

  it('D-044 keys: may be cached for five minutes, the discovery document too', async () => {
    for (const name of ['jwks.json', 'openid-configuration', 'oauth-authorization-server']) {
      const path = `/.well-known/${name}`;
      const { headers } = await fetch(`${app.config.authUrl}${path}`);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    }
  });
});

function call(method: string, path: string): Promise<Response> {
  return fetch(`${app.config.authUrl}${path}`, { method, redirect: 'manual' });
}

/** Sends bytes as they are, and returns the whole answer. */
async function callRaw(request: string): Promise<string> {
  const socket = connect(Number(new URL(app.origin).port), 'localhost');
  socket.write(request);
  return text(socket);
}

describe('D-020 error bodies', () => {
  it('an unknown route under the issuer is 404, with error and error_description', async () => {
    for (const path of ['/oauth2', '/oauth2/', '/oauth2/introspect', '/.well-known/webfinger']) {
      const answer = await call('GET', path);
      expect(answer.status, path).toBe(404);
      expect(await answer.json()).toEqual({ error: 'invalid_request', error_description: `there is no ${path} here` });
    }
  });

  it.each([
    ['POST', '/.well-known/openid-configuration', ['GET', 'HEAD']],
    ['PUT', '/.well-known/jwks.json', ['GET', 'HEAD']],
    ['GET', '/oauth2/token', ['POST']],
    ['PATCH', '/oauth2/token', ['POST']],
    ['DELETE', '/oauth2/revoke', ['POST']],
    ['POST', '/.well-known/oauth-authorization-server', ['GET', 'HEAD']],
    ['PUT', '/oauth2/userinfo', ['GET', 'HEAD', 'POST']],
  ])('%s %s is 405, and Allow names what is allowed', async (method, path, allow) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow);
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      error_description: `${method} is not allowed here`,
    });
  });
});

describe('requests that no library sends', () => {
  it('a Host header that is no host does not break authorize', async () => {
    const { url } = await authorizeUrl(app);
    for (const host of ['[', 'a b', '']) {
      const answer = await callRaw(
        `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, host).toMatch(/^HTTP\/1.1 302 /);
    }
  });

  it('percent signs that encode nothing are data like any other', async () => {
    expect((await call('GET', '/oauth2/authorize?client_id=%&state=%zz')).status).toBe(400);
    expect((await call('GET', '/oauth2/%')).status).toBe(404);
  });
});

const PARTNER = 'http://localhost:4000';
const STRANGER = 'https://stranger.example.com';
const PUBLIC = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];
const FOR_PARTNERS = ['/oauth2/token', '/oauth2/userinfo', '/oauth2/revoke'];

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
