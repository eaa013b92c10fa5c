import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ERRORS } from '../../../src/platform/errors.ts';
import { sendAuthorize } from '../../adapters/partner-api/oauth/send-authorize.ts';
import { choose, openConsole, openView } from '../../support/console.ts';
import { callFan, REDIRECT_URI, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
for (let call = 0; call < 3; call++) await callFan(app, '/tickets', tokens.access_token);
for (let call = 0; call < 2; call++) await callFan(app, '/tickets?limit=0', tokens.access_token);
const refused = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
const refusedId = refused.headers.get('x-request-id') ?? '';
await app.runtime.activity.flush();
const page = await openConsole(browser, app, 'support', { permissions: ['clipboard-read', 'clipboard-write'] });

const rows = (on: Page) => on.getByRole('table').getByRole('row');
const status = (on: Page) => on.getByText(/^[\d,]+ entr(y|ies)$/);

test('the answer for a partner is copied whole: request ID, time, call, answer, message and what to do', async () => {
  await openView(page, app, `/requests/${refusedId}`, 'Request');
  await page.getByRole('button', { name: 'Copy answer for the partner' }).click();
  await page.getByRole('button', { name: 'Answer copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n')).toEqual([
    `Request ID: ${refusedId}`,
    expect.stringMatching(/^Time: \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC$/),
    'Call: POST /authorizations',
    'Answer: 403 scope_missing',
    'Message: The access token does not include the required scope fan:listings:write.',
    expect.stringMatching(/^What to do: Add the scope/),
  ]);
});

test('a bar of a chart opens the requests behind it, as many as it counts, also by keyboard', async () => {
  await openView(page, app, `/?period=HOUR&client=${app.kit.client_id}`, 'Home');
  const bars = page.getByRole('group', { name: 'Fan API calls by status: bars' });
  const bar = bars.getByRole('link', { name: /, Refused \(4xx\): 3$/ });
  await bar.waitFor();
  await bars.getByRole('link').first().focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/Refused \(4xx\): 3$/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
  await page.getByText('3 entries').waitFor();
  expect(await rows(page).count()).toBe(1 + 3);
  const asked = new URL(page.url()).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({ operation: 'fan', status: '4xx', client: app.kit.client_id });
  expect(Date.parse(`${asked.get('to')}Z`) - Date.parse(`${asked.get('from')}Z`)).toBe(300_000);

  await page.goBack();
  await bars.getByRole('link', { name: /, Succeeded \(2xx\): 3$/ }).click();
  await page.getByText('3 entries').waitFor();
});

test('a step of the funnel and an operation’s latency open their requests', async () => {
  await openView(page, app, '/?period=HOUR', 'Home');
  const latency = page.getByRole('region', { name: 'Latency', exact: true });
  expect(await latency.getByRole('row').filter({ hasText: 'GET /tickets' }).innerText()).toMatch(
    /GET \/tickets\s+5\s+\d+ ms\s+\d+ ms\s+\d+ ms/,
  );
  await latency.getByRole('link', { name: 'GET /tickets' }).click();
  await page.getByText('5 entries').waitFor();
  await page.goBack();
  await page.getByRole('list', { name: 'Sign-in funnel' }).getByRole('link', { name: 'Access allowed' }).click();
  await page.getByText('1 entry').waitFor();
});

test('the calls of the console and its files are left out until a switch shows them', async () => {
  await openView(page, app, '/requests', 'Requests');
  const ofConsole = rows(page).filter({ hasText: /Console: read|Page files/ });
  await rows(page).filter({ hasText: 'GET /tickets' }).first().waitFor();
  expect(await ofConsole.count()).toBe(0);
  expect(await rows(page).filter({ hasText: 'Other calls' }).filter({ hasText: '200' }).count()).toBeLessThan(3);
  await page.getByRole('switch', { name: 'Console and page files' }).click();
  await ofConsole.first().waitFor();
  await page.reload();
  await ofConsole.first().waitFor();
  await page.getByRole('switch', { name: 'Console and page files' }).click();
  await expect.poll(() => ofConsole.count()).toBe(0);
  await page.getByRole('combobox', { name: 'Operation' }).fill('Console: read');
  await page.getByRole('option', { name: 'Console: read' }).click();
  await ofConsole.first().waitFor();
});

test('filters of requests are in the address, survive a reload, and leave what they say', async () => {
  await openView(page, app, '/requests', 'Requests');
  await choose(page, 'Outcome', 'Refused or failed');
  await page.getByRole('combobox', { name: 'Operation' }).fill('GET /tick');
  await page.getByRole('option', { name: 'GET /tickets' }).click();
  await choose(page, 'Time', 'Last hour');
  await page.getByText('2 entries').waitFor();
  expect(await rows(page).nth(1).innerText()).toContain('limit must be a whole number from 1 to 200');
  await page.reload();
  await page.getByText('2 entries').waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    outcome: 'failed',
    operation: 'tickets.list',
    last: '1h',
  });
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await status(page).waitFor();
  expect(new URL(page.url()).search).toBe('');
});

test('a partner sends the id of a request that was refused: support finds it with Ctrl K, what it was, and what led to it', async () => {
  const { grant_id: grantId } = tokens;
  // pasted, and Enter before anything is found
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search for anything' }).fill(refusedId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText('Request', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/admin/requests/${refusedId}`);
  const found = page.getByRole('region', { name: 'The app tried to have transactions co-signed' });
  await found.getByText(refusedId, { exact: true }).waitFor();
  const told = await found.innerText();
  expect(told).toMatch(/status\s+403/);
  expect(told).toContain(String(refused.body.message));
  expect(told).toContain(`What to do: ${ERRORS.scope_missing.fix}`);

  const around = page.getByRole('region', { name: 'Before and after' });
  await around.getByText('The fan allowed access.').waitFor();
  await around.getByText('The app read the tickets.').first().waitFor();
  await found.getByRole('link', { name: grantId.slice(-6) }).click();
  await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor();
  await page.getByText('The app exchanged its code for tokens.').waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe(grantId);
});

test('a sign-in whose redirect_uri is not registered shows the one that was sent beside those registered', async () => {
  const sent = `${REDIRECT_URI}/`;
  const { headers } = await sendAuthorize(app, { parameters: { redirect_uri: sent } });
  await app.runtime.activity.flush();
  for (const way of ['/requests/', '/timeline?search=']) {
    await page.goto(`${app.config.adminUrl}${way}${headers.get('x-request-id')}`);
    await page.getByText(`Sent: ${sent}`).first().waitFor();
    await page.getByRole('listitem').getByText(REDIRECT_URI, { exact: true }).first().waitFor();
  }
});
