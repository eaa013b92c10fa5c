import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { ERRORS } from '../../../src/platform/errors.ts';
import { sendAuthorize } from '../../adapters/partner-api/oauth/send-authorize.ts';
import { openConsole } from '../../support/console.ts';
import { callFan, REDIRECT_URI, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

let page: Page;

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeAll(async () => {
  page = await openConsole(browser, app, 'support');
});

test('a partner sends the id of a request that was refused: support finds it with Ctrl K, what it was, and what led to it', async () => {
  const { access_token: token, grant_id: grantId } = await signIn(app, { scope: 'openid fan:tickets:read' });
  expect((await callFan(app, '/tickets', token)).status).toBe(200);
  const refused = await callFan(app, '/authorizations', token, { method: 'POST', body: '{}' });
  const requestId = refused.headers.get('x-request-id') ?? '';
  expect(refused.status).toBe(403);
  await app.runtime.activity.flush();

  // pasted, and Enter before anything is found
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search for anything' }).fill(requestId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1 }).getByText('Request', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/admin/requests/${requestId}`);
  const found = page.getByRole('region', { name: 'The app tried to have transactions co-signed' });
  await found.getByText(requestId, { exact: true }).waitFor();
  const told = await found.innerText();
  expect(told).toMatch(/status\s+403/);
  expect(told).toContain(String(refused.body.message));
  expect(told).toContain(`What to do: ${ERRORS.scope_missing.fix}`);

  const around = page.getByRole('region', { name: 'Before and after' });
  await around.getByText('The fan allowed access.').waitFor();
  await around.getByText('The app read the tickets.').waitFor();
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
