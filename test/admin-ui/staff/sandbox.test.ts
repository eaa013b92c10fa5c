import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ArmedFailure } from '../../../src/entities/armed-failure.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit, UnreadPermit } from '../../../src/entities/permit.ts';
import { TestUser } from '../../../src/entities/test-user.ts';
import { addEndpoint } from '../../../src/partners/notification/change-endpoint.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { watchFaults } from '../../adapters/fan-pages/login/ui/fan.ts';
import { choose, fillIn, heading, openConsole, openView } from '../../support/console.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const partnerId = (await app.context().em.findOneOrFail(Partner, { name: 'Front Row' })).id;
const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });

const dialog = () => page.getByRole('dialog');

/** Chooses in a field that searches. */
async function pick(field: Locator, text: string, within: Page = page): Promise<void> {
  await field.fill(text);
  await within.getByRole('option', { name: text }).first().click();
}

/** Tickets that the Fan API lists for a test user. */
async function ticketsOf(user: { phone: string; code: string }): Promise<number> {
  const { access_token: token } = await signIn(app, user);
  return ((await callFan(app, '/tickets', token)).body.tickets as unknown[]).length;
}

test('staff arm a failure with what it asks for, see it, disarm it, and pause an endpoint for events', async () => {
  const clientId = app.kit.client_id as Id<'client'>;
  const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
  await addEndpoint(app.context(), clientId, wish, 'system');
  const admin = await openConsole(browser, app, 'admin', { viewport: { width: 390, height: 844 } });
  await openView(admin, app, `/clients/${clientId}`, 'Front Row');
  const form = admin.getByRole('dialog');
  await admin.getByRole('button', { name: 'Arm a failure' }).click();
  await form.getByRole('button', { name: 'Arm', exact: true }).click();
  await form.getByText('Choose a failure.').waitFor();
  await pick(form.getByRole('combobox', { name: 'Failure' }), 'JWKS stale', admin);
  expect(await form.getByRole('textbox', { name: 'Number of calls' }).count()).toBe(0);
  expect(await form.getByRole('combobox', { name: 'Call' }).count()).toBe(0);
  await pick(form.getByRole('combobox', { name: 'Failure' }), 'Slow answer', admin);
  await form.getByRole('textbox', { name: 'Number of calls' }).fill('3');
  await choose(form, 'Call', 'GET /tickets');
  await fillIn(form, { Seconds: '' }, 'Arm');
  await form.getByText('Enter a whole number from 1 to 60.').waitFor();
  await fillIn(form, { Seconds: '7' }, 'Arm');
  await admin.getByText('Slow answer is armed for 3 calls.').waitFor();
  await admin.getByRole('button', { name: 'Disarm: Slow answer' }).waitFor();
  const [armed] = await app.context().em.find(ArmedFailure, { client: clientId });
  expect(armed).toMatchObject({ failure: 'slow_answer', operation: 'tickets.list', timesLeft: 3, seconds: 7 });
  await admin.getByRole('button', { name: 'Disarm: Slow answer' }).click();
  await admin.getByText('Slow answer is disarmed.').waitFor();

  await admin.getByRole('tab', { name: 'Events' }).click();
  await admin.getByRole('button', { name: 'Pause' }).click();
  await fillIn(form, { Reason: 'They move their server.' }, 'Pause');
  await admin.getByText('The endpoint is paused.').waitFor();
  await admin.getByText('They move their server.').waitFor();
  await admin.context().close();
});

test('test users, an event and permits are made by forms; a revocation is taken back with one press', async () => {
  await openView(page, app, '/test-users', 'Test users');
  await page.getByRole('button', { name: 'Create test users' }).click();
  await pick(dialog().getByLabel('Partner'), 'Front Row');
  await fillIn(dialog(), { 'How many': '3' }, 'Create');
  const lines = (await dialog().getByRole('region', { name: 'Test users as CSV' }).innerText()).trim().split('\n');
  expect(lines).toHaveLength(4);
  const [phone = '', code = ''] = lines[1]?.split(',') ?? [];
  await dialog().getByRole('button', { name: 'Done' }).click();
  await page.getByRole('rowheader', { name: phone }).waitFor();

  await openView(page, app, `/test-events?partner=${partnerId}`, 'Test events');
  await page.getByRole('button', { name: 'Create a test event' }).click();
  await fillIn(dialog(), { Name: 'Night of the Owls', Ends: '2020-01-01T00:00' }, 'Create');
  await dialog().getByText('Enter an end time after the start.').waitFor();
  await fillIn(dialog(), { Ends: '2040-01-01T00:00' }, 'Create');
  await page.getByRole('link', { name: 'Night of the Owls' }).click();

  await page.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Grant permits' }).click();
  await pick(dialog().getByLabel('Partner'), 'Front Row');
  await dialog().getByLabel('Ticket type').click();
  await page.getByRole('option', { name: 'Standing' }).click();
  await pick(dialog().getByRole('combobox', { name: 'Test users' }), phone);
  await page.keyboard.press('Escape');
  await fillIn(dialog(), { 'Tickets each': '2' }, 'Grant 2 permits');
  await page.getByText('2 permits granted.').waitFor();
  const ofUser = page.getByRole('checkbox', { name: 'Select Night of the Owls' });
  await expect.poll(() => ofUser.count()).toBe(2);
  expect(await ticketsOf({ phone, code })).toBe(2);

  await ofUser.first().check();
  await page.getByRole('button', { name: 'Revoke 1 permit' }).click();
  await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
  await dialog().getByText('Enter a reason').waitFor();
  await fillIn(dialog(), { Reason: 'One too many.' }, 'Revoke');
  await page.getByText('1 permit revoked.').waitFor();
  expect(await ticketsOf({ phone, code })).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('Undone.').waitFor();
  expect(await ticketsOf({ phone, code })).toBe(2);
});

test('a permit that could not be read says why, since when and when it is tried next', async () => {
  const { em, now } = app.context();
  const [bad] = await em.find(Permit, {}, { orderBy: { id: 'asc' } });
  if (!bad) throw new Error('the starter kit has permits');
  const since = new Date(now().getTime() - 900_000);
  const retryAt = new Date(now().getTime() + 600_000);
  em.create(UnreadPermit, { permit: bad, reason: 'Permit state 7', since, tries: 6, slot: 7n, retryAt });
  await em.flush();

  await page.goto(`${app.config.adminUrl}/permits/${bad.id}`);
  const alert = page.getByRole('alert').filter({ hasText: 'could not be read' });
  await alert.waitFor();
  expect(await alert.innerText()).toMatch(/Permit state 7[\s\S]+15 min\. ago, 6 tries so far\. Next try: in \d+ min\./);
});

test('a sandbox client is given a starter kit to copy; a sign-in of its test user shows as a grant', async () => {
  const faults = watchFaults(page);
  await openView(page, app, `/clients/${app.kit.client_id}`, 'Front Row');
  await page.getByRole('button', { name: 'Create a starter kit' }).click();
  await heading(page, 'Starter kit').waitFor();
  const environment = await page.getByRole('region', { name: 'Configuration as .env' }).innerText();
  await page.getByText('JSON', { exact: true }).click();
  const kit = JSON.parse(await page.getByRole('region', { name: 'Configuration as JSON' }).innerText());
  const [{ phone, code }] = kit.test_users;

  expect(environment).toContain(`FAN_CLIENT_ID=${kit.client_id}\n`);
  expect(environment).toContain(`FAN_TEST_PHONE=${phone}\n`);
  expect(environment).toContain(`FAN_SCOPES="${kit.scopes.join(' ')}"\n`);
  await signIn(app, { clientId: kit.client_id, scope: kit.scopes.join(' '), phone, code });

  await page.getByRole('link', { name: 'the test user’s page' }).click();
  await page.getByRole('rowheader').getByRole('link', { name: 'Front Row' }).click();
  await heading(page, 'Grant to Front Row').waitFor();
  await page.getByText('allowed', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});

test('a reset of a sandbox says what will end, wants the partner’s name, and lists what ended; test users stay if asked', async () => {
  const users = await app.context().em.count(TestUser, { partner: knownId('ptn', partnerId) });
  await openView(page, app, `/partners/${partnerId}/reset-sandbox`, 'Reset sandbox');
  await page.getByText(`test users are deleted, ${users} stay`).waitFor();
  await page.getByRole('button', { name: 'Reset the sandbox' }).click();
  await page.getByText('Enter the partner’s name: Front Row').waitFor();
  await fillIn(page, { 'To confirm, type Front Row': 'Front Row' }, 'Reset the sandbox');
  await page.getByText('The sandbox of Front Row is empty').waitFor();
  const permits = await page.getByRole('region', { name: 'Revoked permits', exact: true }).innerText();
  const ended = permits.trim().split('\n');

  expect(ended.every((line) => line.startsWith('perm_'))).toBe(true);
  const { em } = app.context();
  const entry = await em.findOneOrFail(AuditEntry, { action: 'sandbox.reset', subject: partnerId });
  expect(entry.details).toMatchObject({ keepTestUsers: true, permits: ended.length, testUsers: 0 });
  expect(await em.count(TestUser, { partner: knownId('ptn', partnerId) })).toBe(users);
});
