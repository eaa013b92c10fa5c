import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { openBrowser } from './browser.ts';

/** One browser for the files that follow each other in a process, with which it ends. */
let opened: Promise<Browser> | undefined;

/** A browser for the tests of a file, in which nothing is open yet; what they open closes after the last one. */
export async function testBrowser(): Promise<Browser> {
  opened ??= openBrowser();
  const browser = await opened;
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return browser;
}

const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'UTC' };

/** Below the limit of a test, so that what was waited for is named. */
const PATIENCE_MS = 8_000;

/** A browser of somebody's own at a desk, in which nobody is signed in. */
export async function ownBrowser(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...DESK, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}
