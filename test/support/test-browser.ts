import type { Browser } from 'playwright-core';
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
