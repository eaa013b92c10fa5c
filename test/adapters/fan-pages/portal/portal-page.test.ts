import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { Event } from '../../../../src/entities/event.ts';
import { TicketType } from '../../../../src/entities/ticket.ts';
import { revokeOwnGrants } from '../../../../src/oauth/grant/own-grants.ts';
import { barriersFrom, TWO_SIDES } from '../../../support/find-barriers.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, type Tokens } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { testUser } from '../login/login-calls.ts';
import { enterCode, newPage, watchFaults } from '../login/ui/fan.ts';

let tokens: Tokens;
const [app, browser] = await Promise.all([testApp({ env: { ACCESS_TOKEN_TTL: '600' } }), testBrowser()]);
beforeEach(async () => {
  app.resetClock();
  await revokeOwnGrants(app.context(), testUser(app).id);
  tokens = await signIn(app);
});

async function openPortal(page: Page): Promise<void> {
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').fill(testUser(app).phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('6-digit code').waitFor();
}

async function signInAt(page: Page): Promise<void> {
  await openPortal(page);
  await enterCode(page, testUser(app).code);
  await page.getByRole('heading', { name: 'Apps with access to your tickets' }).waitFor();
}

const notice = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

async function holdings(): Promise<number> {
  const { body } = await callFan(app, '/tickets', tokens.access_token);
  return (body.tickets as unknown[]).length;
}

test('sign in, see an app, limit its tickets, turn an action off, end its access: each counts from the next call', async () => {
  const page = await newPage(browser);
  await signInAt(page);
  const card = page.getByRole('article', { name: 'Front Row' });
  await card.getByText('All current and future tickets').waitFor();
  expect(await card.getByText('Sandbox').count()).toBe(1);

  await card.getByRole('button', { name: /^Change tickets/ }).click();
  await card.getByRole('radio', { name: 'Only selected tickets' }).check();
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Choose at least one ticket').waitFor();
  await card.getByRole('group', { name: 'City Derby' }).getByRole('checkbox').check();
  await card.getByRole('button', { name: 'Save' }).click();
  await notice(page, 'saved');
  expect(await holdings()).toBe(1);

  await card.getByRole('button', { name: 'Turn off: See your tickets' }).click();
  await notice(page, 'Turned off for Front Row: See your tickets');
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
  expect(await card.getByRole('button', { name: /^Turn off/ }).count()).toBe(1);

  await card.getByRole('button', { name: /^End access/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  const refresh = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
  expect(refresh.body.error).toBe('invalid_grant');
  const entries = page.getByRole('region', { name: 'History' }).getByRole('listitem');
  // the list is loaded again behind the change
  await entries.first().filter({ hasText: 'You ended access for' }).waitFor();
  // the call that this test sees refused is told too, as soon as the request log is written
  const told = (await entries.allInnerTexts()).filter((text) => !text.includes('This was refused'));
  expect(told.slice(0, 4).map((text) => text.split('\n').at(-1))).toEqual([
    expect.stringMatching(/^You ended access for .*\.$/),
    expect.stringMatching(/^You turned this off for .*: See your tickets\.$/),
    expect.stringMatching(/^You limited .* to 1 ticket\.$/),
    expect.stringMatching(/^You gave .* access to all your current and future tickets\.$/),
  ]);
});

test('everything is ended at once, after asking; “Cancel” ends nothing', async () => {
  await signIn(app, { clientId: await makeClient(app, { name: 'Side Door' }) });
  const page = await newPage(browser);
  await signInAt(page);
  const all = page.getByRole('button', { name: 'End all access' }).first();
  await all.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByRole('article').count()).toBe(2);
  await all.click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
});

test('what was turned off is undone, or turned on again later; the partner sees each', async () => {
  const page = await newPage(browser);
  await signInAt(page);
  const status = async () => (await callFan(app, '/tickets', tokens.access_token)).status;
  const [off, on] = ['Turn off: See your tickets', 'Turn on: See your tickets'].map((name) =>
    page.getByRole('button', { name }),
  );
  await off?.click();
  await notice(page, 'Turned off');
  expect(await status()).toBe(401);
  await page.getByRole('button', { name: 'Undo' }).click();
  await notice(page, 'Turned on for Front Row: See your tickets');
  expect(await status()).toBe(200);
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await off?.click();
  await notice(page, 'Turned off');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await on?.click();
  await notice(page, 'Turned on');
  expect(await status()).toBe(200);
  await page.getByText('You turned this on for Front Row: See your tickets.').first().waitFor();
});

test('the receipt is a page to read, without barriers on a phone and a desk screen', async () => {
  const page = await newPage(browser, { isMobile: false });
  await signInAt(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download receipt: Front Row' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^receipt-front-row-\d{4}-\d\d-\d\d\.html$/);
  // as the fan opens it: from a file, its own policy included
  const saved = await page.context().newPage();
  const faults = watchFaults(saved);
  await saved.route('http://receipt.test/', async (route) =>
    route.fulfill({ contentType: 'text/html', body: await readFile(await file.path()) }),
  );
  await saved.goto('http://receipt.test/');
  await saved.getByRole('heading', { name: 'Front Row', level: 1 }).waitFor();
  await saved.getByText('All your current and future tickets').waitFor();
  await saved.getByText('Show the signed statement').click();
  expect(await saved.locator('pre').first().innerText()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await saved.evaluate(() => getComputedStyle(document.querySelector('main')!).maxWidth)).not.toBe('none');
  expect([...(await barriersFrom(saved, { sides: TWO_SIDES })), ...faults]).toEqual([]);
  const [statement] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Signed statement/ }).click(),
  ]);
  expect(statement.suggestedFilename()).toMatch(/\.jwt$/);
});

test('the portal says of each ticket how its resale is limited, and so does the receipt of an app that sells it', async () => {
  const { em } = app.context();
  const { event, ticketType, ticket } = await giveTicket(app, testUser(app) as never, {
    mode: 'sandbox',
    eventName: 'Limited',
    startsAt: new Date('2030-12-05T19:00:00Z'),
    timeZone: 'Europe/Berlin',
  });
  await em.nativeUpdate(Event, { id: event.id }, { resaleUntil: new Date('2030-12-04T17:00:00Z') });
  const clientId = await makeClient(app, { name: 'Encore' });
  await signIn(app, { clientId, mode: 'selected', ticketIds: [ticket.id] });
  const page = await newPage(browser, { isMobile: false });
  await signInAt(page);
  const own = page.getByRole('region', { name: 'Your tickets' });
  await own.getByText('Can be resold until Wed, Dec 4, 2030, 6:00 PM CET').waitFor();
  expect(await own.getByText(/resold/).count()).toBe(1);
  const receipt = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download receipt: Encore' }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };
  expect(await receipt()).toContain('Can be resold until Wed, Dec 4, 2030, 6:00 PM CET');

  await em.nativeUpdate(TicketType, { id: ticketType.id }, { resale: false });
  await page.reload();
  await own.getByText('Can’t be resold', { exact: true }).waitFor();
  expect(await receipt()).toContain('Can’t be resold');
});

test('WCAG 2.2: axe finds no barrier, and nothing is too wide, on a phone and a desk screen, light and dark', async () => {
  const page = await newPage(browser, { isMobile: false });
  const found: Record<string, string[]> = {};
  const look = async (state: string) => {
    found[state] = await barriersFrom(page, { sides: TWO_SIDES });
  };
  await signIn(app, { actions: ['fan:tickets:read'] });
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').waitFor();
  await look('number');
  await openPortal(page);
  await look('code');
  await enterCode(page, testUser(app).code);
  await page.getByRole('article').waitFor();
  await look('apps');
  // two sign-ins that differ
  await page
    .getByText(/^Sign-in of/)
    .first()
    .click();
  await page.getByRole('button', { name: 'Turn off: See your tickets' }).first().click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await look('turned off');
  await page.getByRole('button', { name: 'Change tickets' }).first().click();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('checkbox').first().check();
  await look('tickets');
  await page.getByRole('button', { name: 'Save' }).click();
  await notice(page, 'saved');
  await look('selected');
  await page.getByRole('button', { name: /^End access/ }).click();
  await page.getByRole('dialog').waitFor();
  await look('ask');
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  await look('none');
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, []])));
});

test('a long list of tickets is short: counted by type, the rest folded', async () => {
  const fanOf = { id: testUser(app).id };
  const startsAt = new Date(Date.now() + 30 * 86_400_000);
  const give = async (eventName: string, typeName: string) => {
    const { ticket, ticketType } = await giveTicket(app, fanOf, { mode: 'sandbox', eventName, startsAt });
    await app.context().em.nativeUpdate(TicketType, { id: ticketType.id }, { name: typeName });
    return ticket.id;
  };
  const ticketIds: string[] = [];
  for (const typeName of ['Standard', 'VIP']) ticketIds.push(await give('Night Show', typeName));
  for (const row of [3, 4, 5, 6, 3]) ticketIds.push(await give('Arena', `Block 1 row ${row}`));
  await signIn(app, { clientId: await makeClient(app, { name: 'Six' }), mode: 'selected', ticketIds });
  const page = await newPage(browser);
  await signInAt(page);
  const six = page.getByRole('article', { name: 'Six' });
  await six.getByText('· Standard, VIP').waitFor();
  expect(await six.getByText('Block 1 row 6').isVisible()).toBe(false);
  await six.getByText('5 tickets: Block 1 row 3 × 2, …').click();
  expect(await six.getByText('Block 1 row 6').isVisible()).toBe(true);
});

test('of more than three apps each is a row that opens in place, and the button that ends all is above them', async () => {
  const names = Array.from({ length: 11 }, (_, at) => `Resale app ${at}`);
  const clientIds = await Promise.all(names.map((name) => makeClient(app, { name })));
  for (const clientId of clientIds) await signIn(app, { clientId });
  const [divided = '', clientId = ''] = [names[0], clientIds[0]];
  await signIn(app, { clientId, actions: ['fan:tickets:read'] });
  await callFan(app, '/tickets', (await signIn(app, { clientId, actions: ['fan:tickets:read'] })).access_token);
  await app.runtime.activity.flush();
  const page = await newPage(browser, { isMobile: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAt(page);
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(11);
  await page.getByText('See your options').waitFor();
  const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
  expect(await heightOf()).toBeLessThan(2_500);
  const end = await page.getByRole('button', { name: 'End all access' }).boundingBox();
  expect(end?.y).toBeLessThan((await page.getByRole('article').first().boundingBox())?.y ?? 0);
  expect(await barriersFrom(page, { sides: TWO_SIDES })).toEqual([]);

  const row = page.getByRole('article', { name: divided, exact: true });
  await row.getByText(/^Last used .* · See your tickets/).click();
  await row.getByText('Your sign-ins differ in what this app can do.').waitFor();
  expect(await row.getByText('This app can', { exact: true }).count()).toBe(2);
  await row.getByText('2 sign-ins, the latest on').click();
  await row.getByRole('button', { name: 'Turn off: See your tickets, 2 sign-ins' }).click();
  await notice(page, 'Turned off');
  expect(await barriersFrom(page, { sides: TWO_SIDES })).toEqual([]);
});
