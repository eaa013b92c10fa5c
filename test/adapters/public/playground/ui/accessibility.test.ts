import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriersFrom } from '../../../../support/find-barriers.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testChainApp } from '../../../../support/test-chain-app.ts';
import { newDeveloper, openPlayground, openStep, signInAs } from './developer.ts';

const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);
const [user] = app.users;

/** Takes the page through every step, and looks at each. @returns what is in the way, by step */
async function lookAtEachStep(page: Page): Promise<[string, string[]][]> {
  const found: [string, string[]][] = [];
  const note = async (step: string) => found.push([step, await barriersFrom(page)]);
  await openPlayground(page, app);
  await note('sign-in');
  await openStep(page, 'Read the tickets');
  await note('signed out');
  await openStep(page, 'Sign a fan in');
  await signInAs(page, user);
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
  const context = await newDeveloper(browser, { viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await openPlayground(page, app);
  // above a table that is scrolled its caption stays within the screen
  const caption = await page.locator('caption').first().boundingBox();
  const found = await lookAtEachStep(page);
  await context.close();

  expect(caption && caption.x + caption.width).toBeLessThanOrEqual(320);
  expect(found.filter(([, barriers]) => barriers.length > 0)).toEqual([]);
});

test('by keyboard alone a step is opened, takes the focus, and its button works', { timeout: 60_000 }, async () => {
  const context = await newDeveloper(browser);
  const page = await context.newPage();
  await openPlayground(page, app);
  await signInAs(page, user);
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
  await context.close();
});
