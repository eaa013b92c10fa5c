import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { watchFaults } from '../../adapters/fan-pages/login/ui/fan.ts';
import { openConsole, openView } from '../../support/console.ts';
import { callFan, REDIRECT_URI, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** What the page of a starter kit has to copy, as JSON. */
async function configurationOn(page: Page) {
  await page.getByText('JSON', { exact: true }).click();
  const text = await page.getByRole('region', { name: 'Configuration as JSON' }).innerText();
  return JSON.parse(text) as {
    client_id: string;
    redirect_uris: string[];
    scopes: string[];
    test_users: { phone: string; code: string; wallet_address: string }[];
    api_url: string;
  };
}

test('a sandbox client is registered and given a starter kit, signs the test user in and lists the tickets', async () => {
  const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });
  const faults = watchFaults(page);
  await openView(page, app, '/partners?register=1', 'Partners');
  await page.getByLabel('Name').fill('Encore Tickets');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await title(page, 'Encore Tickets').waitFor();
  await page.getByRole('button', { name: 'Register client' }).first().click();
  await title(page, 'Register a client').waitFor();
  await page.getByLabel('Name').fill('Encore dev');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill(REDIRECT_URI);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('checkbox', { name: 'fan:tickets:read' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Summary' }).waitFor();
  await page.getByRole('button', { name: 'Register client' }).click();
  await title(page, 'Encore dev').waitFor();
  await page.getByRole('button', { name: 'Create a starter kit' }).click();
  await title(page, 'Starter kit').waitFor();
  const environment = await page.getByRole('region', { name: 'Configuration as .env' }).innerText();
  const kit = await configurationOn(page);
  const [user] = kit.test_users;

  expect(environment).toContain(`FAN_CLIENT_ID=${kit.client_id}\n`);
  expect(environment).toContain(`FAN_TEST_PHONE=${user?.phone}\n`);
  expect(environment).toContain('FAN_SCOPES="openid offline_access fan:tickets:read"\n');
  const tokens = await signIn(app, {
    clientId: kit.client_id,
    redirectUri: kit.redirect_uris[0] ?? '',
    scope: kit.scopes.join(' '),
    phone: user?.phone ?? '',
    code: user?.code ?? '',
  });
  const { status, body } = await callFan(app, '/tickets', tokens.access_token);
  expect(status).toBe(200);
  const tickets = body.tickets as { event_name: string; ticket_type_name: string }[];
  expect(tickets.map(({ event_name, ticket_type_name }) => `${event_name}: ${ticket_type_name}`).sort()).toEqual([
    'Opening Night: Backstage',
    'Opening Night: Seated',
    'Opening Night: Standing',
  ]);

  await page.getByRole('link', { name: 'the test user’s page' }).click();
  await page.getByRole('link', { name: 'Encore dev' }).click();
  await title(page, 'Grant to Encore dev').waitFor();
  await page.getByText('allowed', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});
