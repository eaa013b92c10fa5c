import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { watchFaults } from '../../adapters/fan-pages/login/ui/fan.ts';
import { heading, openConsole, openView } from '../../support/console.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

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

test('a sandbox client is given a starter kit, signs the test user in and lists the tickets', async () => {
  const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });
  const faults = watchFaults(page);
  await openView(page, app, `/clients/${app.kit.client_id}`, 'Front Row');
  await page.getByRole('button', { name: 'Create a starter kit' }).click();
  await heading(page, 'Starter kit').waitFor();
  const environment = await page.getByRole('region', { name: 'Configuration as .env' }).innerText();
  const kit = await configurationOn(page);
  const [user] = kit.test_users;

  expect(environment).toContain(`FAN_CLIENT_ID=${kit.client_id}\n`);
  expect(environment).toContain(`FAN_TEST_PHONE=${user?.phone}\n`);
  expect(environment).toContain(`FAN_SCOPES="${kit.scopes.join(' ')}"\n`);
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
  await page.getByRole('rowheader').getByRole('link', { name: 'Front Row' }).click();
  await heading(page, 'Grant to Front Row').waitFor();
  await page.getByText('allowed', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});
