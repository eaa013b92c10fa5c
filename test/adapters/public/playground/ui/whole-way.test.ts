import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriersFrom } from '../../../../support/find-barriers.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testChainApp } from '../../../../support/test-chain-app.ts';
import { callOf, newDeveloper, openPlayground, openStep, passHostedPages, signInAs } from './developer.ts';

const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);
const [seller, buyer] = app.users;

/** Takes the page through every step, and looks at each. @returns what is in the way, by step */
async function lookAtEachStep(page: Page): Promise<[string, string[]][]> {
  const found: [string, string[]][] = [];
  const note = async (step: string) => found.push([step, await barriersFrom(page)]);
  await openPlayground(page, app);
  await note('sign-in');
  await openStep(page, 'Read the tickets');
  await note('signed out');
  await openStep(page, 'Sign a fan in');
  await signInAs(page, seller);
  await page.getByRole('region', { name: 'Userinfo' }).waitFor();
  await note('tokens');
  await openStep(page, 'Exchange the code');
  await note('callback');
  await openStep(page, 'Read the tickets');
  await page.getByRole('region', { name: 'Tickets of the fan' }).waitFor();
  await note('tickets');
  await openStep(page, 'List a ticket');
  const listing = page.getByRole('region', { name: 'List the ticket' });
  await page.getByLabel('Price in SOL').fill('0');
  await listing.getByRole('button', { name: 'Build the transaction' }).click();
  await listing.getByRole('region', { name: 'Accounts of create_listing_v1' }).waitFor();
  await listing.getByRole('button', { name: 'Explain it' }).click();
  await listing.getByText('It would be refused').waitFor();
  await note('explained');
  await listing.getByRole('button', { name: 'Have it signed' }).click();
  await page.getByRole('alert').getByText('price_zero').waitFor();
  await note('refused');
  await openStep(page, 'Sell it');
  await note('nothing to sell');
  await openStep(page, 'Force errors');
  await page.getByRole('button', { name: 'Force it: No access token' }).click();
  await page.getByText('As expected').waitFor();
  await note('errors');
  await openStep(page, 'Request log');
  await page.getByRole('region', { name: 'Requests of this client' }).waitFor();
  await note('log');
  return found;
}

test('WCAG 2.2: no step has a barrier or has to be scrolled sideways, on a phone and a desk screen, light and dark', {
  timeout: 90_000,
}, async () => {
  const page = await newDeveloper(browser, { viewport: { width: 320, height: 640 } });
  await openPlayground(page, app);
  // above a table that is scrolled its caption stays within the screen
  const caption = await page.locator('caption').first().boundingBox();
  // WCAG 2.5.8
  const box = await page
    .getByRole('checkbox', { name: /login_hint/ })
    .first()
    .boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  const found = await lookAtEachStep(page);

  expect(caption && caption.x + caption.width).toBeLessThanOrEqual(320);
  expect(found.filter(([, barriers]) => barriers.length > 0)).toEqual([]);
});

test('by keyboard alone a step is opened, takes the focus, and its button works', { timeout: 60_000 }, async () => {
  const page = await newDeveloper(browser);
  await openPlayground(page, app);
  await signInAs(page, seller);
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByRole('link', { name: 'Read the tickets' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Tickets of the fan' }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('step');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('event-id');
  await page.keyboard.type('evt_of_nobody');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  await page.getByText('has not granted any upcoming tickets').waitFor();
});

test('in the browser alone a developer gets from nothing to a sold ticket, sees each rule of the policy, and a reload loses nothing', {
  timeout: 120_000,
}, async () => {
  const page = await newDeveloper(browser);
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));

  await openPlayground(page, app);
  await signInAs(page, seller);
  const ofId = page.getByRole('region', { name: 'ID token', exact: true });
  await expect.poll(() => ofId.getByRole('list', { name: 'Checks of ID token' }).innerText()).toMatch(/Passed/);
  const checks = await ofId.getByRole('list', { name: 'Checks of ID token' }).innerText();
  expect(checks).not.toContain('Failed');
  for (const check of ['published key', 'nonce is the one', 'at_hash belongs']) expect(checks).toContain(check);
  await page.getByRole('button', { name: 'Consent receipt' }).click();
  const receipt = page.getByRole('list', { name: 'Checks of The consent receipt' });
  await receipt.waitFor();
  expect(await receipt.innerText()).not.toContain('Failed');

  await openStep(page, 'Exchange the code');
  const callback = page.getByRole('list', { name: 'Checks of the callback' });
  expect(await callback.innerText()).not.toContain('Failed');
  expect(await callOf(page, 'Exchange the code').innerText()).toContain('200');

  await openStep(page, 'Read the tickets');
  const rows = page.getByRole('region', { name: 'Tickets of the fan' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(4);
  await page.getByRole('button', { name: 'List it: City Derby, North stand' }).click();

  const listing = page.getByRole('region', { name: 'List the ticket' });
  await page.getByLabel('Price in SOL').fill('0');
  await listing.getByRole('button', { name: 'Build the transaction' }).click();
  await listing.getByRole('region', { name: 'Accounts of create_listing_v1' }).waitFor();
  await listing.getByRole('button', { name: 'Explain it' }).click();
  await listing.getByText(/It would be refused: 1 of \d+ rules fails/).waitFor();
  const refusing = listing.locator('.checks .failed');
  expect(await refusing.innerText()).toMatch(/price_zero\s+.*price above zero/);
  expect(await refusing.locator('.fix').count()).toBe(1);

  await page.getByLabel('Price in SOL').fill('2');
  await listing.getByRole('button', { name: 'Build the transaction' }).click();
  await listing.getByRole('region', { name: 'Explanation' }).waitFor({ state: 'detached' });
  await listing.getByRole('button', { name: 'Explain it' }).click();
  await listing.getByText(/It would be accepted: all \d+ rules pass/).waitFor();
  await page.reload();
  await listing.getByText(/It would be accepted: all \d+ rules pass/).waitFor();
  await listing.getByRole('button', { name: 'Have it signed' }).click();
  await listing.getByRole('button', { name: 'Copy signed, as hex' }).waitFor();
  await listing.getByRole('button', { name: 'Submit it' }).click();
  await page.getByText('It is listed.').waitFor();
  await page.getByRole('button', { name: 'Cancel it' }).click();
  await page.getByRole('region', { name: 'Cancel the listing' }).getByText('Confirmed on').waitFor();
  expect(await page.getByText('It is listed.').count()).toBe(0);
  await page.getByRole('button', { name: 'List it', exact: true }).click();
  await page.getByText('It is listed.').waitFor();

  await openStep(page, 'Sell it');
  await page.getByRole('combobox', { name: 'Buyer' }).selectOption(buyer.id);
  await page.getByRole('button', { name: 'Sign in the buyer' }).click();
  await page.getByLabel('Mobile number').waitFor();
  await passHostedPages(page, buyer);
  const sale = page.getByRole('region', { name: 'Sell and claim' });
  await sale.getByRole('button', { name: 'Build the transaction' }).click();
  await sale.getByRole('region', { name: 'Accounts of transfer_permit_v1' }).waitFor();
  await sale.getByRole('button', { name: 'Explain it' }).click();
  await sale.getByText(/It would be accepted/).waitFor();
  await sale.getByRole('button', { name: 'Sell it and claim it' }).click();
  const sold = page.getByRole('region', { name: 'Sold' });
  await sold.getByText('does not hold it').waitFor();
  await sold.getByText('holds it', { exact: true }).waitFor();
  expect(await sold.innerText()).toMatch(new RegExp(`Buyer \\${buyer.phone}\\s+holds it`));

  await openStep(page, 'Request log');
  const log = page.getByRole('region', { name: 'Requests of this client' });
  await log.getByText('POST /claims/execute', { exact: true }).first().waitFor();
  expect(await log.getByText('this tab').count()).toBeGreaterThan(5);

  // nothing is asked of anybody else
  expect([...hosts].sort()).toEqual([app.origin, app.proxy.url].map((url) => new URL(url).host).sort());
});
