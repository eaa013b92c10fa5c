import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testUser } from '../../../fan-pages/login/login-calls.ts';
import { callOf, clipboard, newDeveloper, openPlayground, openStep, signInAs } from './developer.ts';

let page: Page;
const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeEach(async () => {
  page = await newDeveloper(browser);
  await openPlayground(page, app);
});

test('a call shows its request id and a shortened token; the whole token, curl and TypeScript can be copied', async () => {
  await signInAs(page, testUser(app));
  await openStep(page, 'Read the tickets');
  const call = callOf(page, 'Tickets');
  await call.getByText('X-Request-Id', { exact: true }).waitFor();
  const shown = await call.innerText();
  expect(shown).toMatch(/Bearer eyJ.{15}….{8} \(\d+ characters\)/);
  expect(shown).not.toMatch(/eyJ[\w-]{60}/);

  await call.getByRole('button', { name: 'Copy whole Authorization' }).click();
  await expect.poll(() => clipboard(page)).toMatch(/^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  const bearer = await clipboard(page);
  await call.getByRole('button', { name: 'Copy X-Request-Id' }).click();
  await expect.poll(() => clipboard(page)).toMatch(/^[0-9a-f-]{36}$/);
  await call.getByRole('button', { name: 'Copy as curl' }).click();
  await expect
    .poll(() => clipboard(page))
    .toBe(`curl -i '${app.config.apiUrl}/tickets' \\\n  -H 'Authorization: ${bearer}'`);
  await call.getByRole('button', { name: 'Copy as TypeScript' }).click();
  await expect.poll(() => clipboard(page)).toContain(`await fetch("${app.config.apiUrl}/tickets"`);
});

test('an error answer with a help link shows its code as a link to the cause', async () => {
  await signInAs(page, testUser(app));
  await openStep(page, 'Force errors');
  await page.getByRole('button', { name: 'Force it: No access token' }).click();

  const link = callOf(page, 'No access token').getByRole('link', { name: /access_token_missing/ });
  expect(await link.getAttribute('href')).toBe(`${app.origin}/docs/errors#access_token_missing`);
});

test('a call without an answer says so, and the step can be done again', async () => {
  await signInAs(page, testUser(app));
  await page.route('**/fan/tickets', (route) => route.abort());
  await openStep(page, 'Read the tickets');
  await page.getByRole('alert').getByText('got no answer').waitFor();
  expect(await callOf(page, 'Tickets').innerText()).toContain('No answer');
  await page.unroute('**/fan/tickets');
  await page.getByRole('button', { name: 'Load tickets' }).click();

  await page.getByRole('region', { name: 'Tickets of the fan' }).waitFor();
});

test('a callback with another state is shown as failed, and its code is not exchanged', async () => {
  const tokenCalls: string[] = [];
  page.on('request', (request) => tokenCalls.push(...(request.url().endsWith('/oauth2/token') ? [request.url()] : [])));
  await page.goto(`${app.origin}/playground/callback?code=ac_stolen&state=of-somebody-else`);
  await page.getByRole('alert').getByText('A check of the callback failed').waitFor();

  const checks = page.getByRole('list', { name: 'Checks of the callback' });
  expect(await checks.locator('.failed').innerText()).toContain('state is the one that was sent');
  expect(tokenCalls).toEqual([]);
});

test('a code that was used is not sent again by a reload, and the tokens are still there', async () => {
  await signInAs(page, testUser(app));
  const tokenCalls: string[] = [];
  page.on('request', (request) => tokenCalls.push(...(request.url().endsWith('/oauth2/token') ? [request.url()] : [])));
  await page.reload();
  await page.getByRole('region', { name: 'Token response' }).waitFor();

  expect(tokenCalls).toEqual([]);
});

test('spec §5.10, RFC 7009: tokens are refreshed to new ones, and after revoking every call is refused', async () => {
  await signInAs(page, testUser(app));
  const tokens = page.getByRole('region', { name: 'Token response' });
  const refreshToken = () => tokens.locator('dt:text-is("refresh_token") + dd').innerText();
  const before = await refreshToken();
  await page.getByRole('button', { name: 'Refresh tokens' }).click();
  await expect.poll(refreshToken).not.toBe(before);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked. Loading tickets or refreshing is refused').waitFor();
  await page.getByRole('button', { name: 'Refresh tokens' }).click();

  await page.getByRole('alert').getByText('invalid_grant').waitFor();
});

test('without the exchange by itself, the developer changes the request, sees the refusal, and begins anew', async () => {
  await page.getByLabel('Exchange the code by itself').uncheck();
  await page.getByRole('button', { name: 'Sign in as the fan' }).click();
  const user = testUser(app);
  await page.getByLabel('Mobile number').fill(user.phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('6-digit code').pressSequentially(user.code);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByLabel('code_verifier').fill('a-verifier-of-nobody-00000000000000000000000');
  await page.getByRole('button', { name: 'Send the token request' }).click();

  await page.getByRole('alert').getByText('Invalid PKCE code_verifier').waitFor();
});
