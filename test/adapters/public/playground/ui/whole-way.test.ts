import { expect, test } from 'vitest';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testChainApp } from '../../../../support/test-chain-app.ts';
import { watchFaults } from '../../../fan-pages/login/ui/fan.ts';
import { callOf, newDeveloper, openPlayground, openStep, passHostedPages, signInAs } from './developer.ts';

const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);

test('in the browser alone a developer gets from nothing to a sold ticket, sees each rule of the policy, and a reload loses nothing', {
  timeout: 120_000,
}, async () => {
  const context = await newDeveloper(browser);
  const page = await context.newPage();
  const faults = watchFaults(page);
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  const [seller, buyer] = app.users;

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
  expect(faults).toEqual([]);
  await context.close();
});
