import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../../../src/entities/client.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { PartnerMember } from '../../../src/entities/partner-member.ts';
import { registerClient } from '../../../src/partners/client/register-client.ts';
import { takeClientStep } from '../../../src/partners/client/take-step.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { axeBarriers } from '../../support/find-barriers.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { newStaff } from '../../support/staff-call.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
let page: Page;
let partner: Awaited<ReturnType<typeof kitPartner>>;
let liveId: string;
let refusedId: string;

beforeAll(async () => {
  partner = await kitPartner(app);
  liveId = await approvedClient(partner.id, 'Encore');
  const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
  await callFan(app, '/tickets', tokens.access_token);
  const refused = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
  refusedId = refused.headers.get('x-request-id') ?? '';
  await app.runtime.activity.flush();
  page = await openWorkspace(browser, app, partner, { permissions: ['clipboard-read', 'clipboard-write'] });
});

const REGISTRATION = { redirectUris: ['https://encore.example/cb'], scopes: ['openid', 'fan:tickets:read'] };

async function productionClient(partnerOf: { id: string }, name: string): Promise<string> {
  const begun = app.context();
  const owner = await begun.em.findOneOrFail(Partner, { id: knownId('ptn', partnerOf.id) });
  const client = registerClient(begun, owner, { name, mode: 'production', ...REGISTRATION }, 'system');
  await begun.em.flush();
  return client.id;
}

async function approvedClient(partnerId: string, name: string): Promise<string> {
  const clientId = await productionClient({ id: partnerId }, name);
  const reviewer = await newStaff(app, 'reviewer');
  await takeClientStep(app.context(), 'submit', { clientId, reason: 'Goes live.' }, 'system');
  const decision = { clientId, version: 2, reason: 'As agreed.' };
  await takeClientStep(app.context(), 'approve', decision, `staff:${reviewer.id}`);
  return clientId;
}

test('an event and permits for a test user are made, revoked and restored', async () => {
  await openWorkspaceView(page, app, '/test-events', 'Test events');
  await page.getByRole('button', { name: 'Create a test event' }).click();
  await page.getByLabel('Name').fill('Opening Night');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('link', { name: 'Opening Night' }).click();
  await page.getByRole('button', { name: 'Grant permits' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Ticket type' }).click();
  await page.getByRole('option', { name: 'Seated' }).click();
  await dialog.getByRole('combobox', { name: 'Test users' }).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Grant 1 permit' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Opening Night, Seated' });
  await row.getByText('Not onchain yet').waitFor();
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Revoke 1 permit' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Tried it.');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('Revoked').waitFor();
  // the one before takes the grant back
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await row.getByText('Not onchain yet').waitFor();
});

test('a request is found by its ID, explained, and copied as curl without any secret', async () => {
  await openWorkspaceView(page, app, '/people', 'People');
  await page.getByRole('searchbox', { name: 'Request ID' }).fill(refusedId);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'POST /authorizations', level: 1 }).waitFor();
  await page.getByText('The access token does not include the required scope fan:listings:write.').waitFor();
  await page.getByText('Add the scope to the authorize request').waitFor();
  const help = page.getByRole('link', { name: 'What scope_missing means' });
  expect(await help.getAttribute('href')).toBe('/docs/errors#scope_missing');

  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n')[0]).toBe(`curl -i "${app.config.apiUrl}/authorizations" \\`);
  expect(copied).toContain('Authorization: Bearer $ACCESS_TOKEN');
});

test('an ID of nobody’s request, or of another caller’s, is said not to be found', async () => {
  const { headers } = await fetch(`${app.config.apiUrl}/tickets`);
  await app.runtime.activity.flush();
  for (const id of [headers.get('x-request-id') ?? '', 'not/an id?']) {
    await page.goto(`${app.config.partnersUrl}/requests/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: 'Request not found', level: 1 }).waitFor();
    await page.getByText(id, { exact: true }).waitFor();
  }
});

test('a change of redirect URIs of an approved client is requested, waits for review, and is withdrawn', async () => {
  await openWorkspaceView(page, app, `/clients/${liveId}?tab=configuration`, 'Encore');
  await page.getByRole('button', { name: 'Request a change' }).click();
  expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0);
  const uri = page.getByRole('textbox', { name: 'Redirect URI 1' });
  await uri.fill('https://encore.example/#new');
  await page.getByText('It must have no fragment').waitFor();
  await uri.fill('https://encore.example/new');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Say what the change is for.').waitFor();
  await page.getByLabel('Note to the reviewers').fill('We moved the callback.');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('heading', { name: 'Waiting for review' }).waitFor();

  const client = await app.context().em.findOneOrFail(Client, { id: liveId } as never);
  expect(client.redirectUris).toEqual(['https://encore.example/cb']);

  await page.getByRole('link', { name: 'See the review' }).click();
  await page.getByText('We moved the callback.').waitFor();
  await page.getByRole('button', { name: 'Withdraw the change' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Not needed.');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdrawn', { exact: true }).first().waitFor();
});

test('a sandbox client is registered, and its settings are ready to copy', async () => {
  await openWorkspaceView(page, app, '/clients/new', 'Register a client');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByText('It must have 1 to 120 characters.').waitFor();
  await page.getByLabel('Name').fill('My first app');
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://localhost:3000/cb');
  await page.getByText('Set 10 for an app that keeps refresh tokens in browsers').waitFor();
  await page.getByLabel('Refresh retry window').fill('10');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByRole('heading', { name: 'My first app', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'How to call' }).click();
  const settings = await page.getByRole('region', { name: 'Settings as .env' }).textContent();
  expect(settings).toContain(`FAN_ISSUER=${app.config.authUrl}`);
  expect(settings).toContain('FAN_REDIRECT_URI=http://localhost:3000/cb');
  expect(settings).toContain('FAN_REFRESH_RETRY_WINDOW=10');
});

test('a failure is armed and met, the clock moves on, and a sandbox key is shown once', async () => {
  await openWorkspaceView(page, app, `/failures?client=${app.kit.client_id}`, 'Failures');
  const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
  const read = async () => (await callFan(app, '/tickets', tokens.access_token)).status;
  await page.getByRole('button', { name: 'Arm Too many requests (429)' }).click();
  await page.getByRole('combobox', { name: 'Call' }).click();
  await page.getByRole('option', { name: 'GET /wallet' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Too many requests (429): the next call of GET /wallet, ends').waitFor();
  expect(await read()).toBe(200);
  await page.getByRole('button', { name: 'Arm anew Too many requests (429)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Too many requests (429): the next call, ends').waitFor();
  expect([await read(), await read()]).toEqual([429, 200]);
  await page.getByText('Met by a call: Too many requests (429)').waitFor();

  await page.getByRole('button', { name: /^1 day on/ }).click();
  await page.getByText('The clock is 1 day ahead.', { exact: true }).first().waitFor();
  expect(await read()).toBe(401);

  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make a key' }).click();
  const key = (await page.getByRole('dialog').getByText(/^sbk_/).textContent()) ?? '';
  const answer = await fetch(`${app.config.apiUrl}/sandbox`, { headers: { authorization: `Bearer ${key}` } });
  expect(await answer.json()).toMatchObject({ client_id: app.kit.client_id, clock: { ahead_seconds: 86_400 } });
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'End the simulation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the simulation' }).click();
  await page.getByText('The clock is the real one.').waitFor();
});

test('an administrator invites somebody and makes them one too; a developer only sees who is there', async () => {
  await openWorkspaceView(page, app, '/people', 'People');
  expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
  const you = page.getByRole('row').filter({ hasText: 'Dana Dev (you)' });
  await you.getByText('Developer', { exact: true }).waitFor();
  await app.context().em.nativeUpdate(PartnerMember, { name: 'Dana Dev' }, { role: 'administrator' });
  await page.reload();
  await you.getByText('Administrator', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByLabel('Name').fill('Nia New');
  await page.getByLabel('E-mail address').fill('nia@encore.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  const row = page.getByRole('row').filter({ hasText: 'nia@encore.example' });
  await row.getByText('Invited', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Make an administrator Nia New' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
  await row.getByText('Administrator', { exact: true }).waitFor();
  expect(await axeBarriers(page)).toEqual([]);
});

test('the limits show what is used of them now', async () => {
  await openWorkspaceView(page, app, '/usage', 'Usage and limits');
  const calls = page.getByRole('row').filter({ hasText: 'Calls of the Fan API.' });
  await calls.getByRole('progressbar').waitFor();
  await calls.getByText(/^\d of \d/).waitFor();
  await page.getByText('Not shown: counted for all apps together.').waitFor();
});

test('requests are filtered by an error code of the partner’s own log', async () => {
  await openWorkspaceView(page, app, '/requests', 'Requests');
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'scope_missing' }).click();
  await page.getByRole('row').filter({ hasText: 'POST /authorizations' }).first().waitFor();
});
