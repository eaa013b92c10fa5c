import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { axeBarriers, overflow } from '../../../support/find-barriers.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';

/** Every surface on a host of its own, as in many production installs; the API at the root of its host. */
const app = await testApp({
  env: (port) => ({
    API_URL: `http://api.localhost:${port}`,
    AUTH_URL: `http://id.localhost:${port}/tenant`,
    LOGIN_URL: `http://login.localhost:${port}/sign-in`,
    ADMIN_URL: `http://staff.localhost:${port}/console`,
  }),
});
const browser = await testBrowser();
const port = new URL(app.origin).port;

const SCREENS = [
  { name: 'phone, dark', options: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const } },
  { name: 'desktop, light', options: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' as const } },
];
const fans = await Promise.all(SCREENS.map(({ options }) => browser.newContext({ locale: 'en-US', ...options })));
afterAll(() => Promise.all(fans.map((fan) => fan.close())));

/** As a program calls it: Node resolves no names below `localhost`, so the host is only in its header field. */
function call(href: string, headers: Record<string, string> = {}) {
  const { host, pathname } = new URL(href);
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const sent = request({ port, path: pathname, headers: { accept: '*/*', ...headers, host } }, (answer) => {
      answer.resume();
      resolve({ status: answer.statusCode, headers: answer.headers });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const HOSTS = ['api', 'id', 'login', 'staff', 'other'];

describe.each(HOSTS)('on the host %s a browser gets', (host) => {
  it.each([
    { path: '/', status: 200, heading: 'Fans’ tickets in your app' },
    { path: '/nothing/here', status: 404, heading: 'Page not found' },
  ])('$status and a page at $path, on a phone and a desktop, dark and light', async ({ path, status, heading }) => {
    // other addresses of the API are the API's
    if (host === 'api' && path !== '/') return;
    for (const [index, fan] of fans.entries()) {
      const page = await fan.newPage();
      const answer = await page.goto(`http://${host}.localhost:${port}${path}`);
      expect([answer?.status(), await page.locator('h1').textContent()]).toEqual([status, heading]);
      expect([await axeBarriers(page), await overflow(page)]).toEqual([[], []]);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: join(folder, `plain-${host}-${status}-${index}.png`), fullPage: true });
      const links = await page.locator('a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(links.length).toBeGreaterThan(0);
      // the documentation redirects to its folder
      for (const href of links) expect([200, 302], href).toContain((await call(href, { accept: 'text/html' })).status);
      await page.close();
    }
  });

  it('leaves programs the shape of their address', async () => {
    const { status, headers } = await call(`http://${host}.localhost:${port}/`);
    expect(status).toBe(404);
    expect(headers['content-type']).not.toMatch(/html/);
  });
});

it('an address of the Fan API is answered by the API, whoever accepts pages', async () => {
  const accept = 'text/html';
  const known = await call(`http://api.localhost:${port}/tickets`, { accept, authorization: 'Bearer' });
  expect([known.status, known.headers['x-error-code']]).toEqual([401, 'access_token_malformed']);
  const unknown = await call(`http://api.localhost:${port}/nothing/here`, { accept });
  expect([unknown.status, unknown.headers['x-error-code']]).toEqual([404, 'unknown_route']);
});
