/** The browser sample of the documentation, on a page at a registered redirect URI. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { testUser } from '../adapters/fan-pages/login/login-calls.ts';
import { enterCode, enterPhone } from '../adapters/fan-pages/login/ui/fan.ts';
import { testApp } from '../support/test-app.ts';
import { testBrowser } from '../support/test-browser.ts';
import { bundle } from './bundle-sdk.ts';

const SAMPLE = join(import.meta.dirname, '../docs/partner/sdk-in-browser.ts');
const [app, browser, script] = await Promise.all([
  testApp(),
  testBrowser(),
  bundle(`import { showTickets } from ${JSON.stringify(SAMPLE)}; globalThis.showTickets = showTickets;`),
]);

test('a fan is sent to the sign-in, comes back, and the page has the tickets; a reload needs no sign-in and sends no code', async () => {
  const user = testUser(app);
  const context = await browser.newContext({ bypassCSP: true, locale: 'en-US' });
  context.setDefaultTimeout(15_000);
  // the playground's address without the playground
  await context.route('**/playground/assets/**', (route) => route.abort());
  const exchanged: string[] = [];
  context.on('request', (request) => {
    const code = new URLSearchParams(request.postData() ?? '').get('code');
    if (code?.startsWith('ac_')) exchanged.push(code);
  });
  const page = await context.newPage();
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  await page.goto(`${app.origin}/playground/callback`);
  expect(await showTickets(page)).toEqual([]);

  await page.getByLabel('Mobile number').waitFor();
  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(/\/playground\/callback\?/);
  expect(await showTickets(page)).toHaveLength(4);
  expect(page.url()).toBe(`${app.origin}/playground/callback`);
  expect(warnings.filter((text) => text.includes('retry window of 10 seconds'))).toHaveLength(1);

  await page.reload();
  expect(await showTickets(page)).toHaveLength(4);
  expect(exchanged).toHaveLength(1);

  await page.goto(`${app.origin}/playground/callback?code=ac_stolen&state=of-somebody-else`);
  await expect(showTickets(page)).rejects.toThrow(/begun no such sign-in/);
  expect(exchanged).toHaveLength(1);
  await context.close();
});

async function showTickets(page: Page): Promise<unknown[]> {
  await page.addScriptTag({ content: script, type: 'module' });
  await page.waitForFunction(() => 'showTickets' in globalThis);
  const given = {
    issuer: app.config.authUrl,
    apiUrl: app.config.apiUrl,
    clientId: app.kit.client_id,
    redirectUri: `${app.origin}/playground/callback`,
    retryWindowSeconds: app.kit.refresh_retry_window,
  };
  return page.evaluate((partner) => {
    const { showTickets: show } = globalThis as never as { showTickets(given: object): Promise<unknown[]> };
    return show(partner);
  }, given);
}
