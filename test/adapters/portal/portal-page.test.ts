import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { revokeOwnGrants } from '../../../src/grant/own-grants.ts';
import { axeBarriers, overflow } from '../../support/find-barriers.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { enterCode, firstTestUser, newFan, watchFaults, wrongCodeFor } from '../login/ui/fan.ts';

/** Issue 5, item 4: a fan at the portal, in a real browser on a phone-size screen with touch. */
let tokens: Tokens;
const [app, browser] = await Promise.all([testApp({ env: { ACCESS_TOKEN_TTL: '600' } }), testBrowser()]);
beforeEach(async () => {
  app.resetClock();
  await revokeOwnGrants(app.context(), firstTestUser(app).id);
  tokens = await signIn(app);
});

async function openPortal(page: Page): Promise<void> {
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').fill(firstTestUser(app).phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('6-digit code').waitFor();
}

async function signInAt(page: Page): Promise<void> {
  await openPortal(page);
  await enterCode(page, firstTestUser(app).code);
  await page.getByRole('heading', { name: 'Apps with access to your tickets' }).waitFor();
}

const notice = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

async function holdings(): Promise<number> {
  const { body } = await callFan(app, '/tickets', tokens.access_token);
  return (body.tickets as unknown[]).length;
}

test('sign in, see an app, narrow its tickets, take an action back, end its access: each counts at once', async () => {
  const fan = await newFan(browser);
  const page = await fan.newPage();
  const faults = watchFaults(page);
  await signInAt(page);
  const card = page.getByRole('article', { name: 'Front Row' });
  await card.getByText('All current and future tickets').waitFor();
  expect(await card.getByText('Sandbox').count()).toBe(1);

  await card.getByRole('button', { name: /^Change tickets/ }).click();
  await card.getByRole('radio', { name: 'Only selected tickets' }).check();
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Choose at least one ticket').waitFor();
  await card.getByRole('checkbox').first().check();
  await card.getByRole('button', { name: 'Save' }).click();
  await notice(page, 'Saved');
  expect(await holdings()).toBe(1);

  await card.getByRole('button', { name: 'Take back: See your tickets' }).click();
  await notice(page, 'may no longer do this: See your tickets');
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
  expect(await card.getByRole('button', { name: /^Take back/ }).count()).toBe(1);

  await card.getByRole('button', { name: /^End access/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  const refresh = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
  expect(refresh.body.error).toBe('invalid_grant');
  const entries = page.getByRole('region', { name: 'What happened' }).getByRole('listitem');
  // the list is loaded again behind the change
  await entries.first().filter({ hasText: 'You ended the access of' }).waitFor();
  // the call that this test sees refused is told too, as soon as the request log is written
  const told = (await entries.allInnerTexts()).filter((text) => !text.includes('It was refused'));
  expect(told.slice(0, 4).map((text) => text.split('\n').at(-1))).toEqual([
    expect.stringMatching(/^You ended the access of /),
    expect.stringMatching(/^You took this back from .*: See your tickets\.$/),
    expect.stringMatching(/^You changed the tickets for .*: 1 ticket\.$/),
    expect.stringMatching(/^You gave .* access to all your current and future tickets\.$/),
  ]);
  expect(faults).toEqual([]);
  await fan.close();
});

test('everything is ended at once, after asking; “Cancel” ends nothing', async () => {
  await signIn(app, { clientId: await makeClient(app, { name: 'Side Door' }) });
  const fan = await newFan(browser);
  const page = await fan.newPage();
  await signInAt(page);
  const all = page.getByRole('button', { name: 'End all access' }).first();
  await all.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByRole('article').count()).toBe(2);
  await all.click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
  await fan.close();
});

test('the visit outlives a reload, and ends with “Sign out” or half an hour of quiet', async () => {
  const fan = await newFan(browser);
  const page = await fan.newPage();
  await openPortal(page);
  await page.reload();
  await enterCode(page, wrongCodeFor(firstTestUser(app).code));
  await page.getByText('4 tries left').waitFor();
  await enterCode(page, firstTestUser(app).code);
  await page.getByRole('article').waitFor();
  await page.reload();
  await page.getByRole('article').waitFor();
  app.advance(31 * 60);
  await page.getByRole('button', { name: /^Change tickets/ }).click();
  await page.getByText('You were away for a while').waitFor();
  await signInAt(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
  await page.reload();
  await page.getByLabel('Mobile number').waitFor();
  await fan.close();
});

test('the receipt is saved as a file that names the grant', async () => {
  const fan = await newFan(browser);
  const page = await fan.newPage();
  await signInAt(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Download receipt/ }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${tokens.grant_id}.jwt`);
  await fan.close();
});

test.each([
  { screen: 'a phone, dark', width: 390, colorScheme: 'dark' },
  { screen: 'a desk screen, light', width: 1440, colorScheme: 'light' },
] as const)('WCAG 2.2: axe finds no barrier, and nothing is too wide, on $screen', async ({ width, colorScheme }) => {
  const fan = await newFan(browser, { viewport: { width, height: 844 }, colorScheme });
  const page = await fan.newPage();
  const found: Record<string, string[]> = {};
  const look = async (state: string) => {
    found[state] = [...(await axeBarriers(page)), ...(await overflow(page))];
  };
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').waitFor();
  await look('number');
  await openPortal(page);
  await look('code');
  await enterCode(page, firstTestUser(app).code);
  await page.getByRole('article').waitFor();
  await look('apps');
  await page.getByRole('button', { name: /^Change tickets/ }).click();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('checkbox').first().check();
  await look('tickets');
  await page.getByRole('button', { name: 'Save' }).click();
  await notice(page, 'Saved');
  await look('selected');
  await page.getByRole('button', { name: /^End access/ }).click();
  await page.getByRole('dialog').waitFor();
  await look('ask');
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  await look('none');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, []])));
  await fan.close();
});
