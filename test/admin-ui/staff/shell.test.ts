import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AccountSession } from '../../../src/entities/account.ts';
import { accountOf } from '../../../src/people/account/account.ts';
import { inviteStaff, makeLink } from '../../../src/people/staff/make-link.ts';
import { findBarriers, heading, openConsole, openSignInLink, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const page = await openConsole(browser, app, 'admin', { name: 'Ada Admin' });

const focused = (where = page) => where.evaluate(() => document.activeElement?.textContent ?? '');

test('the menu has a dark look', async () => {
  await openView(page, app, '/partners', 'Partners');
  await page.getByRole('button', { name: 'Ada Admin' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.locator('[data-mantine-color-scheme="dark"]').waitFor();

  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 20, 18)');
});

describe('by keyboard', () => {
  test('the first Tab reaches a link past the navigation', async () => {
    await openView(page, app, '/partners', 'Partners');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Enter');

    expect(await page.evaluate(() => document.activeElement?.id)).toBe('view');
    expect(new URL(page.url()).pathname).toBe('/admin/partners');
  });

  test('Ctrl K, a word and Enter lead anywhere; the focus is then on the title of the view', async () => {
    await openView(page, app, '/', 'Home');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for anything' }).fill('compan');
    await page.keyboard.press('Enter');
    await heading(page, 'Partners').waitFor();

    await expect.poll(() => focused()).toBe('Partners');
    expect(await page.title()).toBe('Partners · Console');
  });

  test('g and a letter go to a view, ? lists the keys, / searches in the list', async () => {
    await openView(page, app, '/', 'Home');
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await heading(page, 'Partners').waitFor();
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search partners');
    await heading(page, 'Partners').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('WCAG 2.1.4: single keys can be switched off, and stay off', async () => {
    await openView(page, app, '/partners', 'Partners');
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single keys' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await heading(page, 'Partners').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for anything' }).waitFor();

    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
    await page.evaluate(() => localStorage.clear());
  });
});

test('what fails says so where it fails, with the id of the request, and can be tried again', async () => {
  await openView(page, app, '/', 'Home');
  await page.route('**/graphql', (route) => {
    const isClients = route.request().postData()?.includes('query Clients') ?? false;
    if (!isClients) return route.continue();
    const errors = [{ message: 'Something went wrong on our side.', extensions: { code: 'internal' } }];
    return route.fulfill({ status: 200, headers: { 'X-Request-Id': 'req-of-this-call' }, json: { errors } });
  });
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Clients' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Clients could not be loaded' });
  await alert.getByText('req-of-this-call').waitFor();
  await page.unroute('**/graphql');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('rowheader', { name: 'Front Row' }).waitFor();
});

test('a page of which nothing can be read still has a title, and is read again at one press', async () => {
  await page.route('**/graphql', (route) =>
    (route.request().postData() ?? '').includes('query Client(')
      ? route.fulfill({ status: 502, body: 'bad gateway' })
      : route.continue(),
  );
  await openView(page, app, `/clients/${app.kit.client_id}`, 'Client');
  await page.getByText('The client could not be read').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await heading(page, 'Front Row').waitFor();
});

test('the navigation has what a role uses, all of it above the fold of a desk screen', async () => {
  const entriesOf = async (role: 'support' | 'reviewer' | 'admin') => {
    const opened = await openConsole(browser, app, role);
    const links = opened.getByRole('navigation', { name: 'Views' }).getByRole('link');
    const last = await links.last().boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 1e6), role).toBeLessThanOrEqual(900);
    const titles = await links.allInnerTexts();
    await opened.context().close();
    return titles;
  };
  const support = await entriesOf('support');
  const reviewer = await entriesOf('reviewer');
  const without = (titles: string[], known: string[]) => titles.filter((title) => !known.includes(title)).join();
  expect(support).toHaveLength(16);
  expect(support).toEqual(expect.arrayContaining(['Fans', 'Claims', 'Requests', 'Proposals', 'Test users']));
  expect(without(reviewer, support)).toBe('Review queue,Audit log,Service accounts');
  const ofAdmins = without(await entriesOf('admin'), reviewer);
  expect(ofAdmins).toBe('Import runs,Verification,Kill switches,Keys,Staff');
});

test('a page that is left open stops asking, so that its session can end', async () => {
  const left = await openConsole(browser, app, 'support', { name: 'Lou Left' });
  await left.clock.install();
  await openView(left, app, '/partners', 'Partners');
  let calls = 0;
  left.on('request', (request) => {
    if (request.url().endsWith('/graphql')) calls += 1;
  });
  await left.clock.runFor(60_000);
  await expect.poll(() => calls).toBeGreaterThan(0);
  await left.clock.runFor(3 * 60_000);
  calls = 0;
  await left.clock.runFor(5 * 60_000);

  expect(calls).toBe(0);
  await left.context().close();
});

test('somebody who is not signed in sees how to sign in, and returns to the same address', async () => {
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(`${app.config.adminUrl}/partners?search=abc`);
  await stranger.getByRole('heading', { name: 'Sign in to the console' }).waitFor();

  const href = await stranger.getByRole('link', { name: 'Sign in' }).getAttribute('href');
  expect(href).toBe('/admin/auth/sign-in?returnTo=%2Fadmin%2Fpartners%3Fsearch%3Dabc');
  await stranger.context().close();
});

test('what one person has typed is forgotten when another has signed in in the same browser', async () => {
  const mine = await openConsole(browser, app, 'support');
  await openView(mine, app, '/partners', 'Partners');
  await mine.getByRole('button', { name: 'Register partner' }).click();
  await mine.getByLabel('Name').fill('Half typed');
  const { url } = await inviteStaff(app.context(), { name: 'Nora Next', role: 'support' }, 'system');
  await openSignInLink(await mine.context().newPage(), url);
  await mine.evaluate(() => window.dispatchEvent(new Event('focus')));

  await mine.getByRole('button', { name: 'Nora Next' }).waitFor();
  await expect.poll(() => mine.getByLabel('Name').inputValue()).toBe('');
  await mine.context().close();
});

describe('a session that ends under a view', () => {
  let left: Page;
  const ended = () => left.getByRole('heading', { name: 'Your session has ended' });
  const typed = () => left.getByLabel('Name');
  beforeEach(async () => {
    left = await openConsole(browser, app, 'support');
    // a clock that a test may turn on; it runs by itself
    await left.clock.install();
    await openView(left, app, '/partners', 'Partners');
    await left.getByRole('button', { name: 'Register partner' }).click();
    await typed().fill('Half typed');
    await left.context().clearCookies();
    // the page may find out by itself before, and covers the button then
    await left.getByRole('button', { name: 'Register', exact: true }).dispatchEvent('click');
    await ended().waitFor();
  });
  afterEach(() => left.context().close());

  const signInAgain = async (url: string) => openSignInLink(await left.context().newPage(), url);

  test('is covered, and what was typed is there when the same person has signed in again in another tab', async () => {
    const link = left.getByRole('link', { name: 'Sign in again' });
    expect(await focused(left)).toBe('Sign in again');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('href')).toBe('/admin/auth/sign-in?returnTo=%2Fadmin%2Fpartners%3Fregister%3D1');

    const [session] = await app.context().em.find(AccountSession, {}, { orderBy: { createdAt: 'desc' }, limit: 1 });
    const { url } = await makeLink(app.context(), session ? accountOf(session) : '', 'system');
    await signInAgain(url);
    await ended().waitFor({ state: 'hidden' });
    expect(await typed().inputValue()).toBe('Half typed');
    await left.getByRole('button', { name: 'Register', exact: true }).click();
    await left.getByRole('heading', { name: 'Half typed', level: 1 }).waitFor();
  });

  test('is forgotten when somebody else has signed in', async () => {
    const { url } = await inviteStaff(app.context(), { name: 'Ona Other', role: 'support' }, 'system');
    await signInAgain(url);
    await left.getByRole('button', { name: 'Ona Other' }).waitFor();
    await expect.poll(() => typed().inputValue()).toBe('');
  });

  test('is forgotten after a quarter of an hour', async () => {
    await left.clock.fastForward('14:30');
    expect(await typed().inputValue()).toBe('Half typed');
    await left.clock.fastForward('00:40');
    await left.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await typed().count()).toBe(0);
  });
});
