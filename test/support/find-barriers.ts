import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * What is in somebody's way on the page as it is: every rule of axe, its best practices too. A line for each element, with
 * the rule that it breaks.
 */
export async function axeBarriers(page: Page): Promise<string[]> {
  const { violations, passes } = await new AxeBuilder({ page })
    // leaves out frames, of which our pages have none
    .setLegacyMode()
    // of what passes nothing is told but that it was looked at
    .options({ resultTypes: ['violations'], selectors: false })
    .analyze();
  expect(passes.length).toBeGreaterThan(10);
  return violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`));
}

/** That more than areas of their own has to be scrolled sideways. */
export async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} px too wide`] : [];
}
