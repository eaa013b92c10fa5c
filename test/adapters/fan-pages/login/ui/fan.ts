/** What a fan does on the pages, found by role and name as a fan finds it. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { TestApp } from '../../../../support/start-app.ts';
import { testUser } from '../login-calls.ts';

export type TestUser = TestApp['kit']['test_users'][number];

/** A phone in the fan's hand. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-US',
  timezoneId: 'UTC',
};

/** Faults that a page reported by itself: uncaught errors, and what the content security policy stopped. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** A browser of its own, as far as cookies and storage go. */
export async function newFan(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ ...PHONE, ...options });
  // Below the limit of a test, so that what was waited for is named.
  context.setDefaultTimeout(8_000);
  return context;
}

/** A page in a browser of its own, which closes with the test. A fault that the page reports fails the test. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await newFan(browser, options);
  const page = await context.newPage();
  const faults = watchFaults(page);
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return page;
}

/** From the partner's page to the phone step, asking for these scopes (the playground's usual ones by default). */
export async function beginSignIn(page: Page, app: TestApp, scopes?: string[]): Promise<void> {
  await page.goto(`${app.origin}/playground`);
  const boxes = page.getByRole('group', { name: 'Scopes to ask for' }).getByRole('checkbox');
  await boxes.first().waitFor();
  for (const box of scopes === undefined ? [] : await boxes.all()) {
    const scope = (await box.getAttribute('value')) ?? '';
    await box.setChecked(scopes?.includes(scope) ?? false);
  }
  await page.getByRole('button', { name: 'Sign in as the fan' }).click();
  await page.getByLabel('Mobile number').waitFor();
}

export async function enterPhone(page: Page, phone: string): Promise<void> {
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('6-digit code').waitFor();
}

/** Typing the sixth digit sends the code. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('6-digit code').pressSequentially(code);
}

/** From the partner's page to the consent step. */
export async function reachConsent(page: Page, app: TestApp, scopes?: string[]): Promise<void> {
  const user = testUser(app);
  await beginSignIn(page, app, scopes);
  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: /^(Allow|Continue)$/ }).waitFor();
}

/** Opens a step of the playground, once the sign-in before it is done. */
async function openStep(page: Page, name: string): Promise<void> {
  const tokens = page.getByRole('region', { name: 'Token response' });
  await tokens.or(page.getByRole('region', { name: 'Tickets', exact: true })).waitFor();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name }).click();
}

/** The value beside a name in one of the playground's lists. */
export async function factOf(page: Page, list: string, name: string): Promise<string> {
  await openStep(page, 'Look at the tokens');
  const region = page.getByRole('region', { name: list });
  return region.locator(`dt:text-is("${name}") + dd`).innerText();
}

/** Event and ticket type of each row of the partner's table. */
export async function listedTickets(page: Page): Promise<string[]> {
  await openStep(page, 'Read the tickets');
  const rows = page.getByRole('region', { name: 'Tickets of the fan' }).locator('tbody tr');
  await rows.first().waitFor();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)),
  );
  return texts.map((cells) => cells.join(' · '));
}
