import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { authorizeUrl } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

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
  it('every answer has an X-Request-Id of its own, errors too', async () => {
    const ids = new Set<string | null>();
    const paths = [
      '/.well-known/openid-configuration',
      '/oauth2/authorize',
      '/oauth2/token',
      '/oauth2/userinfo',
      '/none',
    ];
    for (const path of paths) ids.add((await call('GET', path)).headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(ids.size).toBe(paths.length);
  });

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
