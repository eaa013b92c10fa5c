import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { authorizeUrl } from '../../../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../../../support/production.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import {
  beginSignIn,
  enterCode,
  enterPhone,
  firstTestUser,
  listedTickets,
  newFan,
  reachConsent,
  type TestUser,
  watchFaults,
} from './fan.ts';

const HOUR_MS = 3_600_000;

let fan: BrowserContext;
let page: Page;
let faults: string[];
let user: TestUser;

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeAll(async () => {
  user = firstTestUser(app);
});
beforeEach(async () => {
  fan = await newFan(browser);
  page = await fan.newPage();
  faults = watchFaults(page);
});
afterEach(async () => {
  app.resetClock();
  await fan.close();
  expect(faults).toEqual([]);
});

test('another code can be asked for after 30 seconds and not before, also after a reload', async () => {
  const codeFor = readCodesFromLog(app);
  const phone = '+12025550142';
  await page.clock.install();
  await page.goto((await authorizeUrl(app, await enableProductionClient(app))).url.href);
  await enterPhone(page, phone);
  await page.reload();
  await page.getByRole('button', { name: /^Send a new code in \d+ s$/ }).waitFor();

  app.advance(31);
  await page.clock.fastForward(31_000);
  await page.getByRole('button', { name: 'Send a new code', exact: true }).click();
  await page.getByRole('status').getByText('A new code is on its way.').waitFor();
  await page.getByRole('button', { name: /^Send a new code in \d+ s$/ }).waitFor();
  await enterCode(page, codeFor(phone));
  await page.getByRole('button', { name: 'Allow' }).waitFor();
});

test('a phone whose clock is an hour ahead can sign in all the same', async () => {
  await page.clock.setSystemTime(Date.now() + HOUR_MS);
  await reachConsent(page, app);
  await page.getByRole('button', { name: 'Allow' }).click();

  expect(await listedTickets(page)).toHaveLength(4);
});

test('WCAG 2.2.1: a page that stays open warns before the sign-in expires, and says so when it has', async () => {
  await page.clock.install();
  await beginSignIn(page, app);
  await page.clock.fastForward(545_000);
  await page.getByRole('status').getByText('closes in less than a minute').waitFor();
  await page.clock.fastForward(60_000);

  await page.getByRole('heading', { name: 'This sign-in has expired' }).waitFor();
  await page.getByRole('link', { name: 'Back to Front Row' }).waitFor();
});

test('a second tab goes on where the first one is, and is told when the sign-in was done there', async () => {
  await beginSignIn(page, app);
  const second = await fan.newPage();
  await second.goto(page.url());
  await enterPhone(page, user.phone);
  await second.getByLabel('Mobile number').fill(user.phone);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();

  await second.getByRole('button', { name: 'Continue' }).click();
  await second.getByRole('button', { name: 'Allow' }).waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await listedTickets(page);
  await second.getByRole('button', { name: 'Allow' }).click();
  await second.getByRole('heading', { name: 'You’re all done' }).waitFor();
});

test('"back" from the partner does not lead into the sign-in that is over', async () => {
  await reachConsent(page, app);
  await page.getByRole('button', { name: 'Allow' }).click();
  await listedTickets(page);
  await page.goBack();

  await page.getByRole('heading', { name: 'Fan API playground' }).waitFor();
});

test('a lost connection is said where the fan is, and the same step works when it is back', async () => {
  await beginSignIn(page, app);
  await page.route('**/*', (route) => route.abort('internetdisconnected'));
  await page.getByLabel('Mobile number').fill(user.phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').getByText('No connection').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByLabel('6-digit code').waitFor();
});

test('a page whose words could not be loaded says so in the language of the browser, and loads again', async () => {
  const german = await newFan(browser, { locale: 'de-DE' });
  const stranded = await german.newPage();
  await stranded.route(/assets\/de-/, (route) => route.abort());
  await stranded.goto((await authorizeUrl(app)).url.href);
  await stranded.getByRole('heading', { name: 'Keine Verbindung' }).waitFor();
  await stranded.unroute(/assets\/de-/);
  await stranded.getByRole('button', { name: 'Noch einmal versuchen' }).click();

  await stranded.getByLabel('Mobilnummer').waitFor();
  await german.close();
});

test('a link without a session of this browser tells the way back and shows no name from the address', async () => {
  await page.goto(`${app.config.loginUrl}?session_id=sess_00000000000000000000000000&client_name=Trusted%20Bank`);
  await page.getByRole('heading', { name: 'This sign-in link doesn’t work' }).waitFor();

  expect(await page.getByText('Trusted Bank').count()).toBe(0);
});
