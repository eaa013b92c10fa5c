import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { PartnerMember } from '../../../src/entities/partner-member.ts';
import { clientAt, readClient } from '../../src/partners/client/production-client.ts';
import { button, choose, fillIn, take } from '../../support/console.ts';
import { axeBarriers } from '../../support/find-barriers.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const partner = await kitPartner(app);
const { id: liveId } = await clientAt(app, 'approved');
const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
await callFan(app, '/tickets', tokens.access_token);
const refused = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
const refusedId = refused.headers.get('x-request-id') ?? '';
await app.runtime.activity.flush();
const page = await openWorkspace(browser, app, partner, { permissions: ['clipboard-read', 'clipboard-write'] });

test('an event and permits for a test user are made, revoked and restored', async () => {
  await openWorkspaceView(page, app, '/test-events', 'Test events');
  await page.getByRole('button', { name: 'Create a test event' }).click();
  await fillIn(page, { Name: 'Opening Night' }, 'Create');
  await page.getByRole('link', { name: 'Opening Night' }).click();
  await page.getByRole('button', { name: 'Grant permits' }).first().click();
  const dialog = page.getByRole('dialog');
  await choose(dialog, 'Ticket type', 'Seated');
  await dialog.getByRole('combobox', { name: 'Test users' }).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Grant 1 permit' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Opening Night, Seated' });
  await row.getByText('Not onchain yet').waitFor();
  await row.getByRole('checkbox').check();
  await take(page, 'Revoke 1 permit', 'Tried it.', 'Revoke');
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
  await openWorkspaceView(page, app, `/clients/${liveId}?tab=configuration`, 'Resale');
  await page.getByRole('button', { name: 'Request a change' }).click();
  expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0);
  const uri = page.getByRole('textbox', { name: 'Redirect URI 1' });
  await uri.fill('https://resale.example/#new');
  await page.getByText('It must have no fragment').waitFor();
  await uri.fill('https://resale.example/new');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByText('Say what the change is for.').waitFor();
  await fillIn(page, { 'Note to the reviewers': 'We moved the callback.' }, 'Submit for review');
  await page.getByRole('heading', { name: 'Waiting for review' }).waitFor();

  expect((await readClient(app, liveId)).redirectUris).toEqual(['https://resale.example/callback']);

  await page.getByRole('link', { name: 'See the review' }).click();
  await page.getByText('We moved the callback.').waitFor();
  await take(page, 'Withdraw the change', 'Not needed.', 'Withdraw');
  await page.getByText('Withdrawn', { exact: true }).first().waitFor();
});

test('a sandbox client is registered, and its settings are ready to copy', async () => {
  await openWorkspaceView(page, app, '/clients/new', 'Register a client');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByText('It must have 1 to 120 characters.').waitFor();
  await page.getByLabel('Name').fill('My first app');
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://localhost:3000/cb');
  await page.getByText('Set 10 for an app that keeps refresh tokens in browsers').waitFor();
  await fillIn(page, { 'Refresh retry window': '10' }, 'Register client');
  await page.getByRole('heading', { name: 'My first app', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'How to call' }).click();
  const settings = await page.getByRole('region', { name: 'Settings as .env' }).textContent();
  expect(settings).toContain(`FAN_ISSUER=${app.config.authUrl}`);
  expect(settings).toContain('FAN_REDIRECT_URI=http://localhost:3000/cb');
  expect(settings).toContain('FAN_REFRESH_RETRY_WINDOW=10');
});

test('an app that lists tickets names its marketplaces, and a production one is told that it needs one', async () => {
  const address = Keypair.generate().publicKey.toBase58();
  await openWorkspaceView(page, app, '/clients/new?mode=PRODUCTION', 'Register a client');
  const marketplace = page.getByRole('textbox', { name: 'Marketplace 1' });
  expect(await marketplace.count()).toBe(0);
  await page.getByRole('checkbox', { name: 'fan:listings:write' }).check();
  await page.getByText('A production client that lists tickets is not approved without one.').waitFor();
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('https://lists.example/cb');
  await page.getByLabel('Name').fill('Lists there');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByRole('heading', { name: 'Lists there', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Configuration' }).click();
  await page.getByText('Any marketplace: it is not approved without one').waitFor();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await marketplace.fill(`${address}x`);
  await page.getByText('It must be an address: 32 bytes in base58.').waitFor();
  await marketplace.fill(address);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(address).waitFor();
});

test('a failure is armed and met, the clock moves on, and a sandbox key is shown once', async () => {
  await openWorkspaceView(page, app, `/failures?client=${app.kit.client_id}`, 'Failures');
  const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
  const read = async () => (await callFan(app, '/tickets', tokens.access_token)).status;
  await page.getByRole('button', { name: 'Arm Too many requests (429)' }).click();
  await choose(page, 'Call', 'GET /wallet');
  await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Too many requests (429): the next call of GET /wallet, ends').waitFor();
  expect(await read()).toBe(200);
  await page.getByRole('button', { name: 'Arm again Too many requests (429)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Too many requests (429): the next call, ends').waitFor();
  expect([await read(), await read()]).toEqual([429, 200]);
  await page.getByText('Met by a call: Too many requests (429)').waitFor();

  await page.getByRole('button', { name: /^1 day on/ }).click();
  await page.getByText('The clock is 1 day ahead.', { exact: true }).first().waitFor();
  expect(await read()).toBe(401);

  await page.getByRole('button', { name: 'Make a key' }).click();
  await button(page.getByRole('dialog'), 'Make a key').click();
  const key = (await page.getByRole('dialog').getByText(/^sbk_/).textContent()) ?? '';
  const answer = await fetch(`${app.config.apiUrl}/sandbox`, { headers: { authorization: `Bearer ${key}` } });
  expect(await answer.json()).toMatchObject({ client_id: app.kit.client_id, clock: { ahead_seconds: 86_400 } });
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

  await take(page, 'End the simulation');
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
  await fillIn(page, { Name: 'Nia New', 'E-mail address': 'nia@encore.example' }, 'Send the invitation');
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
  await choose(page, 'Outcome', 'scope_missing');
  await page.getByRole('row').filter({ hasText: 'POST /authorizations' }).first().waitFor();
});
