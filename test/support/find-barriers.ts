import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** What of a page a look is for: all of it, or only its colours, where it was looked at in the other colour scheme. */
export type Look = 'all' | 'colours';

/** The rules of what a colour scheme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const source = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * What is in somebody's way on the page as it is: every rule of axe, its best practices too. A line for each element, with
 * the rule that it breaks.
 */
export async function axeBarriers(page: Page, look: Look = 'all'): Promise<string[]> {
  // once per document: to read it takes as long as a look
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(source);
  const options: axe.RunOptions = {
    // of what passes nothing is told but that it was looked at
    resultTypes: ['violations'],
    selectors: false,
    ...(look === 'colours' && { runOnly: { type: 'rule', values: COLOUR_RULES } }),
  };
  const { faults, passed } = await page.evaluate(async (given) => {
    if (!window.axe) throw new Error('axe is loaded before');
    const { violations, passes } = await window.axe.run(document, given);
    const found = violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`));
    return { faults: found, passed: passes.length };
  }, options);
  expect(passed).toBeGreaterThan(look === 'all' ? 10 : 0);
  return faults;
}

/** That more than areas of their own has to be scrolled sideways. */
export async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} px too wide`] : [];
}
