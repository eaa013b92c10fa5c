import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Permit, UnreadPermit } from '../../../src/entities/permit.ts';
import { setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { registerPartner } from '../../../src/partners/partner/register-partner.ts';
import { testUser } from '../../adapters/fan-pages/login/login-calls.ts';
import { watchFaults } from '../../adapters/fan-pages/login/ui/fan.ts';
import { openConsole, openView } from '../../support/console.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { writeAuditEntry } from '../../support/write-audit-entry.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const tokens = await signIn(app, { scope: 'openid offline_access fan:tickets:read' });
await callFan(app, '/tickets', tokens.access_token);
await callFan(app, '/tickets', tokens.access_token);
await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
await app.runtime.activity.flush();
const page = await openConsole(browser, app, 'support');

const search = (on: Page) => on.getByRole('searchbox', { name: 'Find a timeline' });
const entries = (on: Page) => on.locator('.entry');

describe('the timeline', () => {
  test('a phone typed in any way leads to one story by day, with what was refused, and nothing of the number but its end', async () => {
    const { phone } = testUser(app);
    await openView(page, app, '/timeline', 'Timeline');
    await page.getByRole('heading', { name: 'Paste what you have' }).waitFor();
    await search(page).fill(`${phone.slice(0, 2)} (${phone.slice(2, 5)}) ${phone.slice(5)}`);
    await page.keyboard.press('Enter');
    await page.getByText('The fan allowed access.', { exact: true }).waitFor();
    await page.getByText('The app tried to have transactions co-signed.').waitFor();
    const days = await page.getByRole('heading', { level: 2 }).allInnerTexts();

    expect(days.join()).toMatch(new RegExp(`^\\w+day\\b.* ${app.runtime.now().getUTCFullYear()}$`));
    expect(await page.getByRole('main').innerText()).not.toContain(phone.slice(-7));
    // addresses are written into logs and sent on
    expect(new URL(page.url()).search).toBe('');
    await page.reload();
    await page.getByText('The fan allowed access.', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Paste what you have' }).waitFor();
  });

  test.each([
    (phone: string) => `(${phone.slice(0, 2)}) ${phone.slice(2)}`,
    (phone: string) => `${phone.slice(0, 5)}\u2013${phone.slice(5)}`,
  ])('a number is kept out of the address in whatever way it is set apart, known or not (%#)', async (written) => {
    await openView(page, app, '/timeline', 'Timeline');
    const { phone } = testUser(app);
    await search(page).fill(written(`${phone}`));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Paste what you have' }).waitFor({ state: 'hidden' });

    expect(new URL(page.url()).search).toBe('');
  });

  test('details open on demand, references lead to stories of their own, and each of them is a link to keep', async () => {
    await openView(page, app, `/timeline?search=${app.kit.client_id}`, 'Timeline');
    const read = entries(page).filter({ hasText: 'The app read the tickets.' }).first();
    const status = read.getByText('status', { exact: true });
    expect(await status.isVisible()).toBe(false);
    await read.getByText('Details').click();
    await status.waitFor();
    await read.getByRole('link', { name: tokens.grant_id.slice(-6) }).click();
    await page.waitForURL((url) => url.searchParams.get('search') === tokens.grant_id);
    await page.getByText('The app exchanged its code for tokens.').waitFor();

    expect(await search(page).inputValue()).toBe(tokens.grant_id);
  });

  test('a long story comes in parts, each at an address of its own', async () => {
    const context = app.context();
    const { id: subject } = await registerPartner(context, 'Busy Tickets', 'system');
    for (let at = 0; at < 130; at++) {
      app.advance(1);
      writeAuditEntry(context, { actor: 'system', action: `partner.step_${at}`, subject });
    }
    await context.em.flush();
    app.resetClock();
    await openView(page, app, `/timeline?search=${subject}`, 'Timeline');
    await page.getByText('Partner step 129.').waitFor();
    expect(await page.getByText('Partner step 29.').count()).toBe(0);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await page.getByText('Partner step 29.').waitFor();
    expect(await entries(page).count()).toBe(31);
    await page.reload();
    await page.getByText('Partner step 0.').waitFor();
    await page.getByRole('button', { name: 'Show newest' }).click();
    await page.getByText('Partner step 129.').waitFor();
  });

  test('an ambiguous name offers what it may mean; for an unknown one the page says what can be looked up', async () => {
    await openView(page, app, '/timeline?search=front+r', 'Timeline');
    await page.getByRole('link', { name: 'Front Row' }).first().waitFor();
    await openView(page, app, '/timeline?search=nobody-knows-this', 'Timeline');
    await page.getByText('Nothing found for “nobody-knows-this”').waitFor();
  });
});

describe('the traffic on Home', () => {
  test('shows what happened in figures, charts and tables, and the content security policy stops none of it', async () => {
    const faults = watchFaults(page);
    await openView(page, app, '/?period=HOUR', 'Home');
    const calls = page.getByRole('region', { name: 'Fan API calls by status' });
    await calls.getByRole('group', { name: 'Fan API calls by status: bars' }).waitFor();
    expect((await calls.getByRole('listitem').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Succeeded (2xx) 2',
      'Refused (4xx) 1',
      'Failed (5xx) 0',
    ]);
    await calls.getByText('Fan API calls by status as a table').click();
    const rows = await calls.getByRole('row').allInnerTexts();
    expect(rows).toHaveLength(13);
    // the calls may have come before and after the start of a bucket
    const counts = rows.slice(1).map((row) => row.split('\t').slice(1).map(Number));
    expect([0, 1, 2].map((column) => counts.reduce((sum, row) => sum + (row[column] ?? 0), 0))).toEqual([2, 1, 0]);
    const funnel = page.getByRole('list', { name: 'Sign-in funnel' });
    expect(await funnel.getByRole('listitem').count()).toBe(5);
    expect(await funnel.innerText()).toMatch(/Code exchanged for tokens\s+100%\s+1/);
    expect(faults).toEqual([]);
  });

  test('is narrowed to a client, and says what would be counted where nothing was', async () => {
    const none = 'client_01h455vb4pex5vsknk084sn02q';
    await openView(page, app, `/?period=MONTH&client=${none}`, 'Home');
    await page.getByText('No Fan API calls.').waitFor();
    await openView(page, app, '/', 'Home');
    await page.getByRole('combobox', { name: 'Client' }).fill('Front');
    await page.getByRole('option', { name: 'Front Row (sandbox)' }).click();
    await page.waitForURL((url) => url.searchParams.get('client') === app.kit.client_id);
    await page.getByText('Fan API calls', { exact: true }).waitFor();
    await page.getByText('Last 30 days').click();
    await page.waitForURL((url) => url.searchParams.get('period') === 'MONTH');
  });
});

test('Home lists what needs somebody, each with a link to where it is dealt with, and decisions to those who take them', async () => {
  const needs = (on: Page) => on.getByRole('region', { name: 'Needs somebody' });
  await openView(page, app, '/', 'Home');
  await needs(page).getByText('Nothing needs anybody now.').waitFor();
  const context = app.context();
  const { em, now } = context;
  const production = { mode: 'production' as const, redirectUris: ['https://needs.example/cb'] };
  const waiting = await makeClient(app, { ...production, name: 'Waiting Room', status: 'approved' });
  const unread = await em.findOneOrFail(Permit, { revokedAt: null }, { orderBy: { id: 'asc' } });
  em.create(UnreadPermit, { permit: unread, reason: 'state 7', since: now(), tries: 1, slot: 7n, retryAt: now() });
  await em.flush();
  await setKillSwitch(context, { kind: 'sms_country', country: 'FR' }, 'Pumping.', 'system');
  await page.reload();
  await needs(page).getByText('Stopped: codes by SMS to France').waitFor();

  await expect.poll(() => needs(page).getByRole('listitem').count()).toBe(2);
  const links = await needs(page)
    .getByRole('link')
    .evaluateAll((all) => all.map((a) => [a.textContent, a.getAttribute('href')]));
  expect(links).toEqual([
    ['Stopped: codes by SMS to France', '/admin/kill-switches'],
    ['The onchain state of 1 permit can’t be read', '/admin/permits?chain=unread'],
    ['Runbook: PermitsUnreadable', '/admin/runbook/PermitsUnreadable'],
  ]);
  expect(await page.getByRole('status').filter({ hasText: 'Stopped' }).count()).toBe(0);
  await needs(page).getByRole('link', { name: 'The onchain state of 1 permit' }).click();
  await page.getByRole('row', { name: /Not readable/ }).waitFor();

  const reviewer = await openConsole(browser, app, 'reviewer');
  await needs(reviewer).getByRole('link', { name: '1 client is approved and not enabled' }).waitFor();
  const named = needs(reviewer).getByRole('link', { name: 'Waiting Room' });
  expect(await named.getAttribute('href')).toBe(`/admin/clients/${waiting}`);
  await reviewer.context().close();
});
