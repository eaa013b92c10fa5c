import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { testApp } from '../../../support/test-app.ts';

/** Every surface on a host of its own, as in many production installs; the API at the root of its host. */
const app = await testApp({
  env: (port) => ({
    API_URL: `http://api.localhost:${port}`,
    AUTH_URL: `http://id.localhost:${port}/tenant`,
    LOGIN_URL: `http://login.localhost:${port}/sign-in`,
    ADMIN_URL: `http://staff.localhost:${port}/console`,
  }),
});
const port = new URL(app.origin).port;

/** Node resolves no names below `localhost`, so the host is only in the header field of a call. */
function call(href: string, headers: Record<string, string> = {}) {
  const { host, pathname } = new URL(href);
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const sent = request({ port, path: pathname, headers: { accept: '*/*', ...headers, host } }, async (answer) =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: await text(answer) }),
      );
      sent.on('error', reject).end();
    },
  );
}

const accept = 'text/html';

describe.each(['api', 'id', 'login', 'staff', 'other'])('on the host %s a browser gets', (host) => {
  it.each([
    { path: '/', status: 200, heading: 'Fans’ tickets in your app' },
    { path: '/nothing/here', status: 404, heading: 'Page not found' },
  ])('$status and a page at $path, whose links lead somewhere', async ({ path, status, heading }) => {
    // other addresses of the API are the API's
    if (host === 'api' && path !== '/') return;
    const url = `http://${host}.localhost:${port}${path}`;
    const page = await call(url, { accept });
    expect([page.status, /<h1>(.*?)<\/h1>/.exec(page.body)?.[1]]).toEqual([status, heading]);
    const links = [...page.body.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => new URL(href, url).href);
    expect(links.length).toBeGreaterThan(0);
    // the documentation redirects to its folder
    for (const href of links) expect([200, 302], href).toContain((await call(href, { accept })).status);
  });

  it('answers programs in the format of their address', async () => {
    const { status, headers } = await call(`http://${host}.localhost:${port}/`);
    expect(status).toBe(404);
    expect(headers['content-type']).not.toMatch(/html/);
  });
});

it('an address of the Fan API is answered by the API, whoever accepts pages', async () => {
  const known = await call(`http://api.localhost:${port}/tickets`, { accept, authorization: 'Bearer' });
  expect([known.status, known.headers['x-error-code']]).toEqual([401, 'access_token_malformed']);
  const unknown = await call(`http://api.localhost:${port}/nothing/here`, { accept });
  expect([unknown.status, unknown.headers['x-error-code']]).toEqual([404, 'unknown_route']);
});
