import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { waitingForALock } from '../../../../support/waiting-for-a-lock.ts';
import { beginSignIn, enterCode, enterPhone, firstTestUser, newFan, watchFaults, wrongCodeFor } from './fan.ts';

/** One sign-in in two tabs. */
let fan: BrowserContext;
let tabs: [Page, Page];
let faults: string[][];
const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeEach(async () => {
  fan = await newFan(browser);
  tabs = [await fan.newPage(), await fan.newPage()];
  faults = tabs.map(watchFaults);
});
afterEach(async () => {
  await fan.close();
  expect(faults).toEqual([[], []]);
});

/** Four wrong codes, then the right one in both tabs, where the first call is still under way when the second comes. */
async function raceForLastTry(): Promise<void> {
  const [first] = tabs;
  const { code } = firstTestUser(app);
  for (let left = 4; left > 0; left--) {
    await enterCode(first, wrongCodeFor(code));
    await first.getByText(left === 1 ? '1 try left' : `${left} tries left`).waitFor();
  }
  const asked = Promise.withResolvers<void>();
  let calls = 0;
  fan.on('request', (request) => {
    if (request.url().includes('phone.verifyCode')) calls += 1;
    if (calls === 2) asked.resolve();
  });
  await app.context().em.transactional(async (holder) => {
    await holder.execute('lock table test_user in access exclusive mode');
    await enterCode(first, code);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    await enterCode(tabs[1], code);
    await asked.promise;
  });
}

test('the right code in both, with one try left: both go on to consent', async () => {
  const [first, second] = tabs;
  await beginSignIn(first, app);
  await enterPhone(first, firstTestUser(app).phone);
  await second.goto(first.url());
  await second.getByLabel('6-digit code').waitFor();
  await raceForLastTry();
  for (const tab of tabs) await tab.getByRole('button', { name: 'Allow' }).waitFor();
});

test('the portal: the right code in both, with one try left, opens it in both', async () => {
  const [first, second] = tabs;
  const address = `${app.config.loginUrl}/apps`;
  await first.goto(address);
  await enterPhone(first, firstTestUser(app).phone);
  await second.goto(address);
  await second.getByLabel('6-digit code').waitFor();
  await raceForLastTry();
  for (const tab of tabs) await tab.getByRole('button', { name: 'Sign out' }).waitFor();
});
