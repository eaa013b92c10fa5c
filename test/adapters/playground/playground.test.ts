import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { listedTickets, newFan, reachConsent, watchFaults } from '../login/ui/fan.ts';

let fan: BrowserContext;
let page: Page;
let faults: string[];

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeEach(async () => {
  fan = await newFan(browser);
  page = await fan.newPage();
  faults = watchFaults(page);
  await reachConsent(page, app);
  await page.getByRole('button', { name: 'Allow' }).click();
  await listedTickets(page);
});
afterEach(async () => {
  await fan.close();
  expect(faults).toEqual([]);
});

test('spec §5.10: oidc-client-ts refreshes, and both tokens are new', async () => {
  const [access, refresh] = [await tokenOf('access_token'), await tokenOf('refresh_token')];
  await page.getByRole('button', { name: 'Refresh tokens' }).click();
  await expect.poll(() => tokenOf('access_token')).not.toBe(access);

  expect(await tokenOf('refresh_token')).not.toBe(refresh);
  expect(await listedTickets(page)).toHaveLength(4);
});

// The library refuses an answer of another type than JSON: the revocation endpoint's empty answer must name no type.
test('RFC 7009: after oidc-client-ts has revoked, no tickets are listed and no tokens refreshed', async () => {
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked. Loading tickets or refreshing is refused').waitFor({ timeout: 4_000 });

  await page.getByRole('button', { name: 'Load tickets' }).click();
  await page.getByRole('alert').getByText('has expired or was revoked').waitFor();
  await page.getByRole('button', { name: 'Refresh tokens' }).click();
  await page.getByRole('alert').getByText('The refresh token is no longer valid').waitFor();
});

test('a code that was used is not sent again by a reload', async () => {
  const tokenCalls: string[] = [];
  page.on('request', (request) => tokenCalls.push(...(request.url().endsWith('/oauth2/token') ? [request.url()] : [])));
  await page.reload();

  expect(await listedTickets(page)).toHaveLength(4);
  expect(tokenCalls).toEqual([]);
});

/** A token as the page shows it; long ones are folded, their text is there all the same. */
async function tokenOf(name: string): Promise<string | null> {
  const fact = page.getByRole('region', { name: 'Token response' }).locator(`dt:text-is("${name}") + dd`);
  return fact.textContent();
}
