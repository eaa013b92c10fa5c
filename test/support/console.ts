/** Staff in the console, in a real browser. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { inviteStaff } from '../../src/people/staff/make-link.ts';
import type { StaffRole } from '../../src/platform/staff-role.ts';
import { axeBarriers, type Look, overflow } from './find-barriers.ts';
import type { TestApp } from './start-app.ts';
import { ownBrowser } from './test-browser.ts';

/**
 * A person of a role, signed in by a one-time link in a browser of their own.
 * @param name unique in the app; the role's name by default
 * @returns the console's first page
 */
export async function openConsole(
  browser: Browser,
  app: TestApp,
  role: StaffRole = 'admin',
  options: BrowserContextOptions & { name?: string } = {},
): Promise<Page> {
  const { name = `Some ${role} ${crypto.randomUUID().slice(0, 4)}`, ...around } = options;
  const page = await ownBrowser(browser, around);
  await signInAs(page, app, { name, role });
  return page;
}

/** Signs a new person in. */
export async function signInAs(page: Page, app: TestApp, person: { name: string; role: StaffRole }): Promise<void> {
  const { url } = await inviteStaff(app.context(), person, 'system');
  await openSignInLink(page, url);
}

/** Signs in by a one-time link. */
export async function openSignInLink(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

/** Opens a view by its address below the console and waits for its title. */
export async function openView(page: Page, app: TestApp, path: string, title: string): Promise<void> {
  await page.goto(`${app.config.adminUrl}${path}`);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

/**
 * What is in somebody's way on the page as it is: every rule of axe, its best practices too; and that more than areas of
 * their own has to be scrolled sideways.
 */
export async function findBarriers(page: Page, look: Look = 'all'): Promise<string[]> {
  return [...(await axeBarriers(page, look)), ...(await overflow(page))];
}

/** The button of exactly this name. */
export const button = (on: Page | Locator, name: string): Locator => on.getByRole('button', { name, exact: true });

/** The title of a view. */
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1 });

/** The rows of tables in which a text is. */
export const rowWith = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/**
 * Fills fields, found by their labels, and presses a button. A dialog that was just opened may take the focus to its first
 * field while another one is filled, and then the text goes there: so all are filled again if one has not kept its value.
 */
export async function fillIn(on: Page | Locator, fields: Record<string, string>, deed?: string): Promise<void> {
  const entries = Object.entries(fields).map(([label, value]) => [on.getByLabel(label), value] as const);
  const fillAll = async () => {
    for (const [field, value] of entries) await field.fill(value);
  };
  await fillAll();
  const kept = await Promise.all(entries.map(async ([field, value]) => (await field.inputValue()) === value));
  if (kept.includes(false)) await fillAll();
  if (deed !== undefined) await button(on, deed).click();
}

/** Opens a field that offers a list and takes an option. */
export async function choose(on: Page | Locator, field: string, option: string | RegExp): Promise<void> {
  await on.getByRole('combobox', { name: field, exact: true }).click();
  const page = 'page' in on ? on.page() : on;
  await page.getByRole('option', { name: option }).click();
}

/** Confirms what a dialog asks for, with a reason where it wants one, and waits until it is closed. */
export async function confirm(page: Page, deed: string, reason?: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (reason !== undefined) await dialog.getByRole('textbox').fill(reason);
  await button(dialog, deed).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Presses a button and confirms the dialog that it opens. */
export async function take(page: Page, step: string, reason?: string, deed = step): Promise<void> {
  await button(page, step).click();
  await confirm(page, deed, reason);
}
