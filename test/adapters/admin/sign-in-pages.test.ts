import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLocalAdminLink } from '../../../src/staff/make-link.ts';
import { openBrowser } from '../../support/browser.ts';
import { axeBarriers } from '../../support/find-barriers.ts';
import { startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

/** In a real browser, which has its own mind about cookies, origins and forms. */
let browser: Browser;
let provider: TestProvider;
let byLink: TestApp;
let byProvider: TestApp;
beforeAll(async () => {
  provider = await startProvider();
  [browser, byLink, byProvider] = await Promise.all([
    openBrowser(),
    startApp(),
    startApp({ env: (port) => provider.register(`http://localhost:${port}/admin`) }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await byLink?.stop();
  await byProvider?.stop();
  await provider?.stop();
});

it('a one-time link: a page, a button, the console', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto((await makeLocalAdminLink(byLink.context())).url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(byLink.config.adminUrl);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'fan_staff', httpOnly: true, sameSite: 'Lax', path: '/' });
});

it('without a link: the page says where links are, and has one printed', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${byLink.config.adminUrl}/auth/sign-in`);
  await page.getByRole('button', { name: 'Print a sign-in link' }).click();
  await page.getByRole('heading', { name: 'A sign-in link was printed' }).waitFor();
});

it('the provider on another site: there and back, into the console, and out of both', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${byProvider.config.adminUrl}/auth/sign-in?returnTo=/admin/clients`);
  await page.waitForURL(`${byProvider.config.adminUrl}/clients`);
  const next = await page.evaluate(async () => {
    const answer = await fetch('/admin/auth/logout', { method: 'POST', headers: { accept: 'application/json' } });
    return ((await answer.json()) as { redirectTo: string }).redirectTo;
  });
  await page.goto(next);
  await page.locator('button[value=yes]').click();
  await page.waitForURL(`${byProvider.config.adminUrl}/auth/signed-out`);
  await page.getByRole('link', { name: 'Sign in again' }).waitFor();
  expect((await page.context().cookies(byProvider.origin)).map(({ name }) => name)).not.toContain('fan_staff');
});

it.each(['light', 'dark'] as const)('every page of the sign-in is accessible, in %s', async (colorScheme) => {
  const page = await (await browser.newContext({ colorScheme })).newPage();
  const auth = `${byLink.config.adminUrl}/auth`;
  for (const url of [
    `${auth}/sign-in`,
    `${auth}/signed-out`,
    `${auth}/callback`,
    (await makeLocalAdminLink(byLink.context())).url,
  ]) {
    await page.goto(url);
    expect(await axeBarriers(page), url).toEqual([]);
  }
});
