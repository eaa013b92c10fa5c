import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { barriersFrom, overflow, TWO_SIDES } from '../../../../support/find-barriers.ts';
import { authorizeUrl } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { otherThan, testUser } from '../login-calls.ts';
import { beginSignIn, enterCode, enterPhone, listedTickets, newPage, reachConsent } from './fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

/** What is in the way on a small phone and a desk screen, and what would have to be scrolled if it were written from right to left. */
async function look(page: Page): Promise<string[]> {
  expect(await page.getByRole('banner').getByText('Sandbox', { exact: true }).isVisible()).toBe(true);
  const found = await barriersFrom(page, { sides: TWO_SIDES });
  const write = (direction: string) =>
    page.evaluate((to) => {
      document.documentElement.dir = to;
    }, direction);
  await page.setViewportSize({ width: 390, height: 844 });
  await write('rtl');
  found.push(...(await overflow(page)).map((fault) => `from right to left: ${fault}`));
  await write('ltr');
  return found;
}

test('every step of a sandbox sign-in shows the sandbox badge; WCAG 2.2: none has a barrier or has to be scrolled sideways, on a phone and a desk screen, light and dark, nor from right to left', {
  timeout: 90_000,
}, async () => {
  const page = await newPage(browser, { isMobile: false });
  const user = testUser(app);
  const found: Record<string, string[]> = {};
  await beginSignIn(page, app, app.kit.scopes);
  found.phone = await look(page);
  await page.getByLabel('Mobile number').fill('12');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('not a complete phone number').waitFor();
  found.phoneProblem = await look(page);
  await enterPhone(page, user.phone);
  found.code = await look(page);
  await enterCode(page, otherThan(user.code));
  await page.getByText('4 tries left').waitFor();
  found.codeProblem = await look(page);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  found.consent = await look(page);
  await page.route('**/trpc/session.get', (route) => route.abort());
  await page.reload();
  await page.getByRole('heading', { name: 'This sign-in could not be loaded' }).waitFor();
  found.failed = await look(page);
  await page.unroute('**/trpc/session.get');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Choose at least one ticket').waitFor();
  found.consentProblem = await look(page);
  await page.getByRole('button', { name: 'Select all' }).click();
  found.selected = await look(page);
  const loginUrl = page.url();
  await page.getByRole('button', { name: 'Allow' }).click();
  await listedTickets(page);
  await page.goto(loginUrl);
  await page.getByRole('heading', { name: 'You’re all done' }).waitFor();
  found.done = await look(page);

  expect(Object.keys(found)).toHaveLength(9);
  expect(Object.entries(found).filter(([, barriers]) => barriers.length > 0)).toEqual([]);
});

test('nothing moves for a fan who wants no motion', async () => {
  const countAnimations = async (reducedMotion: 'reduce' | 'no-preference') => {
    const page = await newPage(browser, { reducedMotion });
    await page.route('**/trpc/session.get', () => undefined);
    await page.goto((await authorizeUrl(app)).url.href);
    await page.locator('.spinner').waitFor();
    const animations = await page.evaluate(() => document.getAnimations().length);
    return animations;
  };
  expect(await countAnimations('reduce')).toBe(0);
  expect(await countAnimations('no-preference')).toBe(1);
});

test('WCAG 1.3.2: a screen reader goes from the badge and the partner over the step to the way out', async () => {
  const page = await newPage(browser);
  await reachConsent(page, app);
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  const heard = (await page.locator('body').ariaSnapshot()).split('\n').map((line) => line.trim().replace(/:$/, ''));
  const order = [
    /^- banner/,
    /^- strong: Sandbox/,
    /^- main/,
    /^- strong: Front Row/,
    /^- list "Progress"/,
    /^- heading "Choose what to allow"/,
    /^- group "It can see"/,
    /^- group "It can do for you"/,
    /^- group "For which tickets\?"/,
    /^- status: 0 of \d+ selected/,
    /^- group "Northern Lights Festival/,
    /^- button "Allow"/,
    /^- button "Deny"/,
    /^- contentinfo/,
  ].map((part) => heard.findIndex((line) => part.test(line)));

  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('WCAG 2.1.1: the whole sign-in can be done by keyboard, the focus always where the next thing is', async () => {
  const page = await newPage(browser, { isMobile: false, hasTouch: false });
  const user = testUser(app);
  await beginSignIn(page, app);
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('country');
  await page.keyboard.press('Tab');
  await page.keyboard.type(user.phone);
  await page.keyboard.press('Enter');
  await page.getByLabel('6-digit code').waitFor();
  await expect.poll(() => focused(page)).toBe('code');
  await page.keyboard.type(user.code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Choose what to allow');
  // it takes the focus for screen readers only, so it must not look like a field
  const heading = page.getByRole('heading', { level: 1 });
  expect(await heading.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
  await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Not you?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: 'See your tickets', checked: false }).waitFor();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('radio', { name: 'Only selected tickets', checked: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('4 of 4 selected').waitFor();
  // an event with two tickets and a box for both, two more tickets, and the link to the portal
  for (let stop = 0; stop < 7; stop += 1) await page.keyboard.press('Tab');
  await expect.poll(() => focused(page)).toBe('Allow');
  await page.keyboard.press('Enter');

  expect(await listedTickets(page)).toHaveLength(4);
});

test('what is no phone number is refused in place: nothing is sent, and a screen reader hears which field it is about', async () => {
  const page = await newPage(browser);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  // on a slow line, what formats the number comes after it was sent
  const sent = Promise.withResolvers<void>();
  await page.route(/\/phone-rules-[\w-]+\.js$/, (route) => sent.promise.then(() => route.continue()));
  await beginSignIn(page, app);
  const alert = page.locator('#phone-problem');
  expect(await alert.getAttribute('role')).toBe('alert');
  await page.getByLabel('Mobile number').fill('12');
  await page.getByRole('button', { name: 'Continue' }).click();
  sent.resolve();
  await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe('1 2');
  await alert.getByText('not a complete phone number').waitFor();

  expect(await page.getByLabel('Mobile number').getAttribute('aria-describedby')).toContain('phone-problem');
  expect(await page.getByLabel('Mobile number').getAttribute('aria-invalid')).toBe('true');
  expect(await focused(page)).toBe('phone');
  expect(calls.filter((url) => url.includes('sendCode'))).toEqual([]);
});

/** What has the focus: its id, else its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? ''));
}
