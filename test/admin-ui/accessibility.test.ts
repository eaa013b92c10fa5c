import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { editClient } from '../../src/client/edit-client.ts';
import { registerClient } from '../../src/client/register-client.ts';
import { takeClientStep } from '../../src/client/take-step.ts';
import { setKillSwitch } from '../../src/kill-switch/kill-switch.ts';
import { registerPartner } from '../../src/partner/register-partner.ts';
import { findBarriers, openConsole, openView } from '../support/console.ts';
import { newStaff } from '../support/staff-call.ts';
import type { TestApp } from '../support/start-app.ts';
import { testApp } from '../support/test-app.ts';
import { testBrowser } from '../support/test-browser.ts';

let partnerId: string;
let clientId: string;

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeAll(async () => {
  [partnerId, clientId] = await reviewedTwice(app);
  await setKillSwitch(app.context(), { kind: 'sms_country', country: 'US' }, 'A flood of codes.', 'system');
});

/** A production client that was approved, edited since, and waits once more: there is something to see in every part. */
async function reviewedTwice({ context }: TestApp): Promise<[partnerId: string, clientId: string]> {
  const begun = context();
  const [support, reviewer] = [await newStaff(app, 'support'), await newStaff(app, 'reviewer')];
  const partner = await registerPartner(begun, 'Encore Tickets', `staff:${support.id}`);
  const registration = { redirectUris: ['https://encore.example/cb'], scopes: ['openid', 'fan:tickets:read'] };
  const client = registerClient(
    begun,
    partner,
    { name: 'Encore', mode: 'production', ...registration },
    `staff:${support.id}`,
  );
  await begun.em.flush();
  const { id } = client;
  await takeClientStep(context(), 'submit', { clientId: id, reason: 'Goes live in May.' }, `staff:${support.id}`);
  const decision = { clientId: id, version: 2, reason: 'As in the contract.' };
  const { version } = await takeClientStep(context(), 'approve', decision, `staff:${reviewer.id}`);
  const changes = { redirectUris: ['https://encore.example/new'], name: 'Encore 2' };
  await editClient(context(), { clientId: id, version, changes, note: 'They moved.' }, `staff:${support.id}`);
  return [partner.id, id];
}

/** Looks at every view and dialog of partners, clients and reviews. @returns what was found, by view */
async function lookEverywhere(page: Page): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const see = async (name: string) => {
    // what moves in or fades has come to rest
    await page.waitForTimeout(150);
    found[name] = await findBarriers(page);
  };
  const visit = async (path: string, title: string) => {
    await openView(page, app, path, title);
    await page.waitForLoadState('networkidle');
    await see(path);
  };
  await visit('/', 'Home');
  await visit('/partners', 'Partners');
  await page.getByRole('button', { name: 'Register partner' }).click();
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText('Enter a name.').waitFor();
  await see('register partner');
  await visit(`/partners/${partnerId}`, 'Encore Tickets');
  await visit('/clients', 'Clients');
  await visit('/clients?search=nothing-has-this-name', 'Clients');
  for (const tab of ['overview', 'configuration', 'review', 'history']) {
    await visit(`/clients/${clientId}?tab=${tab}`, 'Encore 2');
  }
  await page.getByRole('button', { name: 'Approve edit' }).click();
  await page.getByRole('dialog').getByRole('region', { name: 'What you approve' }).waitFor();
  await see('approve an edit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reject edit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Enter a reason').waitFor();
  await see('reject without a reason');
  await page.keyboard.press('Escape');
  await page.goto(`${app.config.adminUrl}/clients/${clientId}?tab=configuration`);
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://encore.example/#x');
  await page.getByText('It must have no fragment').waitFor();
  await see('edit with a fault');
  await visit('/reviews', 'Review queue');
  await visit(`/clients/new?partner=${partnerId}`, 'Register a client');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('It must have 1 to 120 characters.').waitFor();
  await see('wizard without a name');
  await page.getByLabel('Name').fill('Encore dev');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://localhost:3000/cb');
  await page.getByText('http://localhost:3000', { exact: true }).waitFor();
  await see('wizard, redirect URIs');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('checkbox', { name: 'fan:tickets:read' }).waitFor();
  await see('wizard, scopes');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'Summary' }).waitFor();
  await see('wizard, summary');
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Search for anything' }).fill('Encore');
  await page.getByText('Client of Encore Tickets', { exact: false }).first().waitFor();
  await see('search');
  await visit('/no/such/view', 'Page not found');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await see('keys');
  await page.context().clearCookies();
  await visit('/clients', 'Sign in to the console');
  return found;
}

test.each([
  { screen: 'a phone of 320 px, or a desk screen at 400 %', width: 320, colorScheme: 'dark' },
  { screen: 'a desk screen', width: 1440, colorScheme: 'light' },
] as const)(
  'WCAG 2.2: no view has a barrier that axe finds, or has to be scrolled sideways, on $screen, $colorScheme',
  { timeout: 120_000 },
  async ({ width, colorScheme }) => {
    const page = await openConsole(browser, app, 'admin', { viewport: { width, height: 900 }, colorScheme });
    const found = await lookEverywhere(page);
    await page.context().close();

    expect(Object.keys(found).length).toBeGreaterThan(20);
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  },
);
