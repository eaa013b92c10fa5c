import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeBarriers, overflow } from '../../../support/find-barriers.ts';
import { authorizeUrl, REDIRECT_URI, signIn } from '../../../support/partner.ts';
import { readRightToLeft } from '../../../support/right-to-left.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { firstTestUser, newFan, watchFaults } from './fan.ts';

/** The hosted pages in a language that is written from right to left, so that Arabic or Hebrew needs a catalogue and no code. */
const [app, browser] = await Promise.all([testApp(), testBrowser()]);

const SCREENS = [
  { name: 'a phone', options: {} },
  { name: 'a desktop', options: { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false } },
] as const;

/** Looks at a screen: nothing beside the page, no barrier, and what leads stands on the right. */
async function look(page: Page, step: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.dir), step).toBe('rtl');
  expect([await overflow(page), await axeBarriers(page)], step).toEqual([[], []]);
  const heading = page.locator('h1').first();
  expect(await heading.evaluate((element) => getComputedStyle(element).direction), step).toBe('rtl');
  expect(await heading.evaluate((element) => getComputedStyle(element).textAlign), step).not.toBe('left');
  expect(await page.locator('h1').first().textContent(), step).toMatch(/[\u0600-\u06ff]/);
  const folder = process.env.SCREENSHOTS;
  const width = page.viewportSize()?.width;
  if (folder) await page.screenshot({ path: join(folder, `rtl-${step}-${width}.png`), fullPage: true });
}

async function enterPhoneAndCode(page: Page): Promise<void> {
  const { phone, code } = firstTestUser(app);
  await page.locator('#phone').waitFor();
  await look(page, `${new URL(page.url()).pathname.split('/').pop()}-phone`);
  await page.locator('#phone').fill(phone);
  await page.locator('button[type=submit]').click();
  await page.locator('input.code').waitFor();
  await look(page, `${new URL(page.url()).pathname.split('/').pop()}-code`);
  // digits are written from left to right in every language
  expect(await page.locator('input.code').getAttribute('dir')).toBe('ltr');
  await page.locator('input.code').pressSequentially(code);
}

test.each(SCREENS)('on $name: sign-in and consent', async ({ options }) => {
  const fan = await newFan(browser, options);
  const page = await fan.newPage();
  const faults = watchFaults(page);
  await readRightToLeft(page);
  await page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the partner' }));
  await page.goto((await authorizeUrl(app)).url.href);
  await enterPhoneAndCode(page);
  await page.locator('input[type=radio]').nth(1).check();
  await look(page, 'consent');
  expect(faults).toEqual([]);
  await fan.close();
});

test.each(SCREENS)('on $name: the apps of the fan', async ({ options }) => {
  await signIn(app);
  const fan = await newFan(browser, options);
  const page = await fan.newPage();
  const faults = watchFaults(page);
  await readRightToLeft(page);
  await page.goto(`${app.config.loginUrl}/apps`);
  await enterPhoneAndCode(page);
  await page.locator('article').first().waitFor();
  await look(page, 'portal');
  expect(faults).toEqual([]);
  await fan.close();
});
