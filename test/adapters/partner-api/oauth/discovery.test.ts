import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ALL_SCOPES } from '../../../../src/partners/scopes.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import { authorize, authorizeUrl, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();
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
  it('has the values of the table under the issuer, what OIDC Discovery §3 requires besides, and what is not supported', () => {
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
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
      ui_locales_supported: ['en', 'de', 'es', 'fr', 'ja', 'pt'],
    });
  });

  it('RFC 8414 §3: is served for OAuth clients too', async () => {
    const answer = await fetch(`${app.config.authUrl}/.well-known/oauth-authorization-server`);
    expect([answer.status, await answer.json()]).toEqual([200, metadata]);
  });
});

describe('extra endpoints: discovery lists exactly what works', () => {
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
    expect(metadata.scopes_supported).toEqual(ALL_SCOPES);
    const clientId = await makeClient(app, { scopes: metadata.scopes_supported as string[] });
    for (const scope of metadata.scopes_supported as string[]) {
      expect((await authorize(app, { clientId, scope })).sessionId, scope).toMatch(/^sess_/);
    }
  });

  it('every claim listed is in an ID token, and no other', () => {
    const claims = Object.keys(decodeJwt(tokens.id_token));
    expect((metadata.claims_supported as string[]).sort()).toEqual(claims.sort());
  });
});

describe('spec §5.1: JWKS', () => {
  it('has public members only, and verifies access tokens and ID tokens', async () => {
    const document = (await (await fetch(String(metadata.jwks_uri))).json()) as JSONWebKeySet;
    expect(z.strictObject({ keys: z.array(PublicJwk).min(1) }).parse(document).keys).toHaveLength(1);
    const keys = createLocalJWKSet(document);
    const access = await jwtVerify(tokens.access_token, keys, { algorithms: ['RS256'], audience: 'svc-api' });
    const id = await jwtVerify(tokens.id_token, keys, { algorithms: ['RS256'], audience: app.kit.client_id });
    expect(access.payload.sub).toBe(id.payload.sub);
  });

  it('keys: may be cached for five minutes, the discovery document too', async () => {
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

describe('error bodies', () => {
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

describe('RFC 8252 §7.3: a client for which staff switched on any port on loopback', () => {
  async function answered(origin: string) {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const answer = await fetch(`${app.config.authUrl}/oauth2/token`, { method: 'OPTIONS', headers });
    return answer.headers.get('access-control-allow-origin');
  }

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
      ...['http://localhost:53684', 'https://127.0.0.1:53684', 'http://127.0.0.1:53684.evil.com'],
      ...['http://127.0.0.11:5', 'http://127.0.0.1:', 'http://127.0.0.1:%', 'http://127.0.0.1:123456'],
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
