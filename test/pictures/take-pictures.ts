/** Writes docs/pictures: what a fan, a partner and staff see, in a real browser on the running service. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { newPage, reachConsent } from '../adapters/fan-pages/login/ui/fan.ts';
import { newDeveloper, openPlayground, openStep, signInAs } from '../adapters/public/playground/ui/developer.ts';
import { openConsole, openView } from '../support/console.ts';
import { testBrowser } from '../support/test-browser.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { drawSpeed } from './draw-speed.ts';

const FOLDER = join(import.meta.dirname, '../../docs/pictures');

/** Two pixels for each of the page's, so that they are sharp on every screen. */
const SHARP = { deviceScaleFactor: 2 };

/** Narrow enough that its words can be read in the README. */
const DESK = { width: 860, height: 590 };

const [app, browser] = await Promise.all([testChainApp({ env: { OPERATOR_NAME: 'Example Tickets' } }), testBrowser()]);

/** The page as far as the window shows it, as WebP, which Playwright cannot write. */
async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready);
  const devtools = await page.context().newCDPSession(page);
  const y = await page.evaluate(() => scrollY);
  const clip = { x: 0, y, ...(page.viewportSize() ?? DESK), scale: SHARP.deviceScaleFactor };
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80, clip });
  writeFileSync(join(FOLDER, `${name}.webp`), data, 'base64');
}

test('a fan decides on a phone what an app may do', async () => {
  const page = await newPage(browser, { ...SHARP, viewport: { width: 390, height: 1195 } });
  await reachConsent(page, app, ['openid', 'fan:tickets:read', 'fan:listings:write']);
  await take(page, 'consent');
});

test('a partner lists a ticket in the playground, and staff see why the first try was refused', {
  timeout: 120_000,
}, async () => {
  const page = await newDeveloper(browser, { ...SHARP, viewport: DESK });
  await openPlayground(page, app);
  await signInAs(page, app.users[0]);
  await openStep(page, 'Read the tickets');
  await page
    .getByRole('button', { name: /^List it: / })
    .first()
    .click();
  const listing = page.getByRole('region', { name: 'List the ticket' });
  const haveSigned = async (price: string) => {
    await page.getByLabel('Price in SOL').fill(price);
    await listing.getByRole('button', { name: 'Build the transaction' }).click();
    const answer = page.waitForResponse((response) => response.url().endsWith('/authorizations'));
    await listing.getByRole('button', { name: 'Have it signed' }).click();
    return (await answer).headers()['x-request-id'];
  };

  const refused = await haveSigned('0');
  await haveSigned('2');
  await listing.getByRole('button', { name: 'Submit it' }).click();
  await page.getByText('It is listed.').waitFor();
  // below the banner, which stays at the top
  await listing.evaluate((region) => scrollBy(0, region.getBoundingClientRect().top - 56));
  await take(page, 'playground');

  await app.runtime.activity.flush();
  const desk = await openConsole(browser, app, 'support', { ...SHARP, viewport: DESK, name: 'Robin Reed' });
  await openView(desk, app, `/requests/${refused}`, 'Request');
  await take(desk, 'request');
});

test('what a request costs is drawn from the table of docs/speed.md', () => {
  const page = readFileSync(join(FOLDER, '../speed.md'), 'utf8');
  writeFileSync(join(FOLDER, 'speed.svg'), drawSpeed(page));
});
