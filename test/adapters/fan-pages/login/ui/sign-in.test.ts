import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { giveTicket } from '../../../../support/production.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import {
  beginSignIn,
  enterCode,
  enterPhone,
  factOf,
  firstTestUser,
  listedTickets,
  newFan,
  reachConsent,
  watchFaults,
  wrongCodeFor,
} from './fan.ts';

let fan: BrowserContext;
let page: Page;
let faults: string[];

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeEach(async () => {
  fan = await newFan(browser);
  page = await fan.newPage();
  faults = watchFaults(page);
});
afterEach(async () => {
  await fan.close();
  expect(faults).toEqual([]);
});

test('spec §5.3: a page of a partner signs the fan in and lists all tickets of the fan', async () => {
  await reachConsent(page, app);
  await page.getByRole('button', { name: 'Allow' }).click();

  expect(await listedTickets(page)).toEqual([
    'Northern Lights Festival · Day pass',
    'Northern Lights Festival · VIP',
    'The Paper Lanterns, Live · Floor',
    'City Derby · North stand',
  ]);
  expect(page.url()).toBe(`${app.origin}/playground/#tickets`);
  expect(await factOf(page, 'Token response', 'grant_mode')).toBe('all_current_future');
  expect(await factOf(page, 'Token response', 'granted_actions')).toBe('["fan:tickets:read","fan:listings:write"]');
  await page.getByRole('heading', { name: 'Userinfo' }).waitFor();
  expect(await factOf(page, 'Userinfo', 'sub')).toBe(firstTestUser(app).id);
});

test('a plain sign-in asks for no permission and grants none', async () => {
  await reachConsent(page, app, ['openid']);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Token response' }).waitFor();

  expect(await factOf(page, 'Token response', 'granted_actions')).toBe('[]');
});

test('RFC 6749 §4.1.2.1: "Deny" takes the fan back to the partner with access_denied', async () => {
  await reachConsent(page, app);
  await page.getByRole('button', { name: 'Deny' }).click();

  await page.getByRole('alert').getByText('The fan denied access.').waitFor();
  await page.getByText('access_denied', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { name: 'Token response' }).count()).toBe(0);
});

test('the fifth wrong code ends the sign-in; until then the page says how many tries are left', async () => {
  const user = firstTestUser(app);
  await beginSignIn(page, app);
  await enterPhone(page, user.phone);
  for (const left of ['4 tries left', '3 tries left', '2 tries left', '1 try left']) {
    await enterCode(page, wrongCodeFor(user.code));
    await page.getByRole('alert').getByText(left).waitFor();
  }
  await enterCode(page, wrongCodeFor(user.code));
  await page.getByRole('heading', { name: 'Too many wrong codes' }).waitFor();

  expect(await page.getByRole('textbox').count()).toBe(0);
  await page.reload();
  await page.getByRole('heading', { name: 'Too many wrong codes' }).waitFor();
});

test('a session link works in the browser that began it, and in no other', async () => {
  await beginSignIn(page, app);
  const stranger = await newFan(browser);
  const other = await stranger.newPage();
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'This sign-in belongs to another browser' }).waitFor();

  expect(await other.getByText('Front Row').count()).toBe(0);
  expect(await other.getByRole('link').count()).toBe(0);
  await stranger.close();
  await page.reload();
  await page.getByLabel('Mobile number').waitFor();
});

test('spec §5.7: only what is ticked is granted, also after a reload', async () => {
  const user = firstTestUser(app);
  await beginSignIn(page, app);
  await page.getByLabel('Country').selectOption('DE');
  await page.getByLabel('Mobile number').fill('030 9018');
  await page.reload();
  await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe('030 9018');
  expect(await page.getByLabel('Country').inputValue()).toBe('DE');

  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('checkbox', { name: 'Put your tickets up for sale' }).uncheck();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('group', { name: 'City Derby' }).getByRole('checkbox').check();
  await page.reload();
  await page.getByText('1 of 4 selected').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(await listedTickets(page)).toEqual(['City Derby · North stand']);
  expect(await factOf(page, 'Token response', 'granted_actions')).toBe('["fan:tickets:read"]');
  expect(await factOf(page, 'Token response', 'grant_mode')).toBe('selected');
});

test('"back" in the middle leads to the partner, and "forward" to the step where the sign-in stands', async () => {
  await beginSignIn(page, app);
  await enterPhone(page, firstTestUser(app).phone);
  await page.goBack();
  await page.getByRole('heading', { name: 'Fan API playground' }).waitFor();
  await page.goForward();

  await enterCode(page, firstTestUser(app).code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
});

test('a code that is pasted from a message, with its spaces or dashes, is sent at once and only once', async () => {
  const { phone, code } = firstTestUser(app);
  const checks: string[] = [];
  page.on('request', (request) => checks.push(...(request.url().includes('verifyCode') ? [request.url()] : [])));
  await beginSignIn(page, app);
  await enterPhone(page, phone);
  await page.getByLabel('6-digit code').fill(` ${code.slice(0, 3)} - ${code.slice(3)} `);
  await page.getByRole('button', { name: 'Allow' }).waitFor();

  expect(checks).toHaveLength(1);
});

test('of many tickets some are found by a search, and what it hides stays as it was ticked', async () => {
  // Not the first one, whose four tickets other tests count.
  const user = app.kit.test_users[1] ?? expect.unreachable('the starter kit has two test users');
  for (const eventName of [
    'Café Müller',
    'Café Müller',
    'Jazz at the Mill',
    'Jazz at the Mill',
    'Winter Ball',
    'Winter Ball',
  ])
    await giveTicket(app, user, { mode: 'sandbox', eventName });
  await beginSignIn(page, app);
  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('group', { name: 'City Derby' }).getByRole('checkbox').check();
  await page.getByLabel('Search your tickets').fill('cafe mull');
  await expect.poll(() => page.locator('.ticket').count()).toBe(2);
  await page.getByRole('button', { name: 'Select these' }).click();
  await page.getByText(/^3 of \d+ selected$/).waitFor();
  await page.getByLabel('Search your tickets').fill('no such evening');
  await page.getByRole('status').getByText('No tickets match').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();

  expect((await listedTickets(page)).sort()).toEqual([
    'Café Müller · Standing',
    'Café Müller · Standing',
    'City Derby · North stand',
  ]);
});

test('a sign-in that took too long says so and leads back to the partner, who is told that it was not finished', async () => {
  await beginSignIn(page, app);
  app.advance(601);
  try {
    await page.reload();
    await page.getByRole('heading', { name: 'This sign-in has expired' }).waitFor();
    await page.getByRole('link', { name: 'Back to Front Row' }).click();
    await page.getByText('access_denied', { exact: true }).waitFor();
    await page.getByRole('alert').getByText('did not finish the sign-in').waitFor();
  } finally {
    app.resetClock();
  }
});

test('while a number is sent, a sandbox sign-in does not speak of a code that is sent', async () => {
  let busy = '';
  await page.route('**/phone.sendCode*', async (route) => {
    await expect.poll(() => page.locator('form').innerText()).not.toBe(before);
    busy = await page.locator('form').innerText();
    await route.continue();
  });
  await beginSignIn(page, app);
  const before = await page.locator('form').innerText();
  await enterPhone(page, firstTestUser(app).phone);
  await page.unroute('**/phone.sendCode*');
  expect(busy).toContain('Checking the number');
  expect(busy).not.toMatch(/sending/i);
});

test('a sandbox sign-in shows the sandbox badge on every step', async () => {
  const badge = page.getByRole('banner').getByText('Sandbox', { exact: true });
  const user = firstTestUser(app);
  await beginSignIn(page, app);
  expect(await badge.isVisible()).toBe(true);
  await enterPhone(page, user.phone);
  expect(await badge.isVisible()).toBe(true);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  expect(await badge.isVisible()).toBe(true);
});

test('a number with a typing slip can be corrected from the code step', async () => {
  const user = firstTestUser(app);
  await beginSignIn(page, app);
  await enterPhone(page, app.kit.test_users[1]?.phone ?? expect.unreachable('the starter kit has two test users'));
  await page.getByRole('button', { name: 'Use another number' }).click();
  await enterPhone(page, user.phone);
  await page.getByText(user.phone.slice(-4)).waitFor();
  await enterCode(page, user.code);

  await page.getByRole('button', { name: 'Allow' }).waitFor();
});
