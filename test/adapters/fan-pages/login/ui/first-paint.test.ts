import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorizeUrl } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { newFan } from './fan.ts';

/** 400 kbit/s both ways, as bytes per second, and 400 ms for every answer: what browsers call slow 3G. */
const SLOW_3G = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 };

let fan: BrowserContext;
let page: Page;

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeEach(async () => {
  fan = await newFan(browser);
  page = await fan.newPage();
});
afterEach(() => fan.close());

/**
 * The partner sends the browser to the authorize endpoint.
 * @returns milliseconds from there to the frame that shows the form
 */
async function timeToForm(): Promise<number> {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('#phone') === null) return;
      observer.disconnect();
      // The second frame begins when the first, with the form, has been painted.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          document.documentElement.dataset.paintedAt = String(performance.timeOrigin + performance.now());
        }),
      );
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  const { url } = await authorizeUrl(app);
  const startedAt = Date.now();
  await page.goto(url.href, { waitUntil: 'commit' });
  const shown = page.locator('html[data-painted-at]');
  await shown.waitFor({ state: 'attached', timeout: 20_000 });
  return Number(await shown.getAttribute('data-painted-at')) - startedAt;
}

test('on slow 3G the form is there in less than 3 seconds, and can be used before the rest has come', async () => {
  const line = await fan.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', SLOW_3G);
  const time = await timeToForm();
  console.log(`slow 3G: ${Math.round(time)} ms from the authorize request to the form`);

  expect(time).toBeLessThan(3_000);
  // Redirect, page, script and session come one after the other, 400 ms each: less would mean that the line was not slow.
  expect(time).toBeGreaterThan(1_600);
  await page.getByLabel('Mobile number').fill('2125550142');
  await expect.poll(() => page.getByLabel('Mobile number').inputValue(), { timeout: 8_000 }).toBe('(212) 555-0142');
});

test('on a fast line the form is there within a second', async () => {
  const first = await timeToForm();
  const second = await timeToForm();
  console.log(`fast line: ${Math.round(first)} ms, on the second visit ${Math.round(second)} ms`);

  expect(second).toBeLessThan(1_000);
});

test('without JavaScript the login pages and the portal say so at once, in the language of the browser and with their style', async () => {
  const plain = await newFan(browser, { javaScriptEnabled: false, locale: 'de-AT' });
  const unscripted = await plain.newPage();
  for (const address of [(await authorizeUrl(app)).url.href, `${app.config.loginUrl}/apps`]) {
    await unscripted.goto(address);
    const heading = unscripted.getByRole('heading', { name: 'JavaScript ist ausgeschaltet' });
    expect((await heading.boundingBox())?.y).toBeLessThan(200);
    expect(await unscripted.locator('noscript main.card .panel p').isVisible()).toBe(true);
    expect(await unscripted.locator('.spinner').isVisible()).toBe(false);
  }
  await plain.close();
});
