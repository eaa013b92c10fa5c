import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Locator, Page, Request } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/**
 * What of a page a look is for: all of it; only its colours, where it was looked at in the other colour scheme; or its colours and
 * what depends on the width, where names, roles and structure were looked at on another screen.
 */
export type Look = 'all' | 'colours' | 'screen';

/** The rules of what a colour scheme changes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const RULES = { colours: COLOUR_RULES, screen: [...COLOUR_RULES, 'target-size', 'scrollable-region-focusable'] };

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
    ...(look !== 'all' && { runOnly: { type: 'rule', values: RULES[look] } }),
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

/** A screen and a colour scheme. */
export interface Side {
  width: number;
  colorScheme: 'light' | 'dark';
  look: Look;
}

/** All rules are asked once on a phone and once on a desk screen, and those of colours in both schemes on each. */
export const sidesFor = (phone: number): readonly Side[] => [
  { width: phone, colorScheme: 'dark', look: 'all' },
  { width: phone, colorScheme: 'light', look: 'colours' },
  { width: 1440, colorScheme: 'light', look: 'all' },
  { width: 1440, colorScheme: 'dark', look: 'colours' },
];

/** 320 px are a small phone, or a desk screen at 400 % (WCAG 2.2 §1.4.10). */
export const SIDES = sidesFor(320);

/** Those from which all rules are asked: both screens and both schemes, each once. */
export const twoSidesFor = (phone: number): readonly Side[] => sidesFor(phone).filter(({ look }) => look === 'all');
export const TWO_SIDES = twoSidesFor(320);

/** A desk screen as a whole, and of a phone what differs there: for views whose parts were seen by all rules on both. */
export const DESK_AND_PHONE: readonly Side[] = TWO_SIDES.map((side) =>
  side.width === 320 ? { ...side, look: 'screen' } : side,
);

/**
 * Looks at a page as it is from several sides, without loading it again.
 * @param within what has to be in sight from each
 */
export async function barriersFrom(
  page: Page,
  { sides = SIDES, within }: { sides?: readonly Side[]; within?: Locator } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme, look } of sides) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await within?.waitFor();
    await atRest(page);
    const faults = [...(await axeBarriers(page, look)), ...(await overflow(page))];
    found.push(...faults.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
  }
  return found;
}

/** Waits until nothing moves or fades any more; what turns for ever is left out. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () =>
      document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    // a change of state or colours begins to move with the next frames
    for (let frames = 0; frames < 3; frames++) await frame();
    while (moving().some(({ playState }) => playState === 'running')) await frame();
  });
}

/** Requests of a page that are under way. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Waits until a page has what it asked for and drew it. Requests count from the first call for a page on. */
export async function quiet(page: Page): Promise<void> {
  const asked = underWay.get(page) ?? watchRequests(page);
  for (let looks = 0; looks < 2; looks++) {
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    if (asked.size === 0) continue;
    await expect.poll(() => asked.size, { interval: 10, timeout: 8_000 }).toBe(0);
    looks = -1;
  }
}

function watchRequests(page: Page): Set<Request> {
  const asked = new Set<Request>();
  underWay.set(page, asked);
  page.on('request', (request) => asked.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const) {
    page.on(end as 'requestfinished', (request) => asked.delete(request));
  }
  return asked;
}

/** Moves to another address of an application of one page, without loading it again, and waits for the title of the view. */
export async function moveTo(page: Page, url: string, title: string | RegExp): Promise<void> {
  await quiet(page);
  await page.evaluate((to) => history.pushState(null, '', to), url);
  await quiet(page);
  const exact = typeof title === 'string';
  await page.getByRole('heading', { name: title, level: 1, ...(exact && { exact }) }).waitFor();
}

/** That more than areas of their own has to be scrolled sideways. */
export async function overflow(page: Page): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} px too wide`] : [];
}
