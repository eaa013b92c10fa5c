/** What a developer does in the playground, found by role and name. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { TestApp } from '../../../../support/start-app.ts';
import { enterCode, enterPhone, newPage, type TestUser } from '../../../fan-pages/login/ui/fan.ts';

/** A desk screen. */
export const DESK: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  hasTouch: false,
  isMobile: false,
  permissions: ['clipboard-read', 'clipboard-write'],
};

export async function newDeveloper(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(browser, { ...DESK, ...options });
  page.context().setDefaultTimeout(15_000);
  return page;
}

export async function openPlayground(page: Page, app: TestApp): Promise<void> {
  await page.goto(`${app.origin}/playground`);
  await page.getByRole('button', { name: 'Sign in as the fan' }).waitFor();
}

/** Through the hosted pages, from the phone step back to the playground. */
export async function passHostedPages(page: Page, user: Pick<TestUser, 'phone' | 'code'>): Promise<void> {
  await page.getByLabel('Mobile number').waitFor();
  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Fan API playground' }).waitFor();
}

/** From the playground's first step to the tokens. */
export async function signInAs(page: Page, user: Pick<TestUser, 'phone' | 'code'>): Promise<void> {
  await page.getByRole('button', { name: 'Sign in as the fan' }).click();
  await passHostedPages(page, user);
  await page.getByRole('region', { name: 'Token response' }).waitFor();
}

export async function openStep(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name }).click();
}

/** The newest call with this title. */
export function callOf(page: Page, title: string): Locator {
  const calls = page.getByRole('region', { name: 'Requests and answers' });
  return calls.locator('details', { has: page.getByText(title, { exact: true }) }).first();
}

/** Presses the button of a forced error. @returns what came of it */
export async function force(page: Page, title: string, timeout = 15_000): Promise<string> {
  await page.getByRole('button', { name: `Force it: ${title}` }).click();
  return outcomeOf(page, title, timeout);
}

/** Without the link to the error's entry in the documentation. */
export async function outcomeOf(page: Page, title: string, timeout = 15_000): Promise<string> {
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const outcome = entry.locator('.outcome');
  await outcome.waitFor({ timeout });
  return (await outcome.innerText()).replace(/ Cause and fix$/, '');
}

/** What the last copy button has put into the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
