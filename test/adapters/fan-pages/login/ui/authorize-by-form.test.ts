import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorizeUrl } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { beginSignIn, enterPhone, firstTestUser, newFan } from './fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
let shop: Server;
/** Another site than `localhost`, as far as cookies go. */
let shopUrl: string;

beforeAll(async () => {
  shop = createServer(async (_, response) => {
    const { url } = await authorizeUrl(app);
    const fields = [...url.searchParams].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    const action = `${app.config.authUrl}/oauth2/authorize`;
    response.setHeader('Content-Type', 'text/html');
    response.end(`<form method="post" action="${action}">${fields.join('')}<button>Sign in</button></form>`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  shop?.close();
});

test('OIDC Core §3.1.2.1: a form of another site signs the fan in, and the sign-in in another tab goes on', async () => {
  const fan = await newFan(browser);
  const first = await fan.newPage();
  await beginSignIn(first, app);
  const second = await fan.newPage();
  await second.goto(shopUrl);
  await second.getByRole('button', { name: 'Sign in' }).click();
  await second.getByLabel('Mobile number').waitFor();
  const [user] = app.kit.test_users;
  await enterPhone(second, user?.phone ?? '');
  await enterPhone(first, firstTestUser(app).phone);
  await fan.close();
});

test('in a browser without a cookie too', async () => {
  const fan = await newFan(browser);
  const page = await fan.newPage();
  await page.goto(shopUrl);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await enterPhone(page, firstTestUser(app).phone);
  expect(await fan.cookies(app.origin)).toMatchObject([{ name: 'fan_browser', sameSite: 'Lax' }]);
  await fan.close();
});
