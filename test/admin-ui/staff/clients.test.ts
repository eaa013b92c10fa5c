import { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { editClient } from '../../../src/partners/client/edit-client.ts';
import { clientAt, readClient } from '../../src/partners/client/production-client.ts';
import { button, fillIn, heading, openConsole, openView, take } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const support = await openConsole(browser, app, 'support', { name: 'Sam Support' });

const uri = (page: Page, index = 1) => page.getByRole('textbox', { name: `Redirect URI ${index}` });

const marketplace = (page: Page) => page.getByRole('textbox', { name: 'Marketplace 1' });
const MARKETPLACE = Keypair.generate().publicKey.toBase58();

test('the wizard names the fault of each redirect URI and marketplace as it is typed, shows the origins, and registers', async () => {
  await openView(support, app, '/partners?register=1', 'Partners');
  await fillIn(support.getByRole('dialog'), { Name: 'Encore Tickets' }, 'Register');
  await heading(support, 'Encore Tickets').waitFor();
  await button(support, 'Register client').first().click();
  await fillIn(support, { Name: 'Encore dev' }, 'Next');
  await uri(support).fill('https://encore.example/cb#top');
  await support.getByText('It must have no fragment (#…).').waitFor();
  await button(support, 'Next').click();
  await expect.poll(() => uri(support).evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await uri(support).getAttribute('aria-invalid')).toBe('true');
  await uri(support).fill('http://localhost:8080/callback');
  await button(support, 'Add another').click();
  await uri(support, 2).fill('https://encore.example/cb');
  await support.getByText('https://encore.example', { exact: true }).waitFor();
  await support.getByText('Set 10 for an app that keeps refresh tokens in browsers').waitFor();
  await fillIn(support, { 'Refresh retry window': '10' }, 'Next');
  expect(await marketplace(support).count()).toBe(0);
  await support.getByRole('checkbox', { name: 'fan:listings:write' }).check();
  await marketplace(support).fill('not-an-address');
  await support.getByText('It must be an address: 32 bytes in base58.').waitFor();
  await button(support, 'Next').click();
  await expect.poll(() => marketplace(support).evaluate((field) => field === document.activeElement)).toBe(true);
  await marketplace(support).fill(MARKETPLACE);
  expect(await support.getByRole('group', { name: 'Step 3 of 4: Scopes' }).count()).toBe(1);
  await button(support, 'Next').click();
  await support.getByRole('group', { name: 'Step 4 of 4: Summary' }).getByText(MARKETPLACE).waitFor();
  await button(support, 'Register client').click();
  await heading(support, 'Encore dev').waitFor();
  await support.getByText('Ready to use').waitFor();

  const id = new URL(support.url()).pathname.split('/').at(-1) ?? '';
  expect(await readClient(app, id)).toMatchObject({
    name: 'Encore dev',
    mode: 'sandbox',
    status: 'sandbox-ready',
    redirectUris: ['http://localhost:8080/callback', 'https://encore.example/cb'],
    refreshRetryWindow: 10,
    corsOrigins: ['http://localhost:8080', 'https://encore.example'],
    scopes: ['openid', 'offline_access', 'fan:tickets:read', 'fan:listings:write'],
    marketplaces: [MARKETPLACE],
  });
});

test('submitting for review takes a reason, and can be undone', async () => {
  const { id, name } = await clientAt(app, 'draft');
  await openView(support, app, `/clients/${id}`, name);
  await button(support, 'Submit for review').click();
  await support.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await support.getByText('Enter a reason.').waitFor();
  await support.keyboard.press('Escape');
  await take(support, 'Submit for review', 'By mistake.', 'Submit');
  await button(support, 'Undo').click();
  await support.getByText('Undone.').waitFor();
  await button(support, 'Submit for review').waitFor();

  expect((await readClient(app, id)).status).toBe('draft');
});

test('a stale edit is refused and shows both versions; saving mine keeps what only they changed', async () => {
  const { id, name, version } = await clientAt(app, 'draft');
  await openView(support, app, `/clients/${id}?tab=configuration`, name);
  await button(support, 'Edit').click();
  await support.getByLabel('Name').fill('Typed by me');
  const theirs = { name: 'Saved by them', redirectUris: ['https://theirs.example/cb'] };
  await editClient(app.context(), { clientId: id, version, changes: theirs }, 'system');
  await button(support, 'Save').click();
  const alert = support.getByRole('alert').filter({ hasText: 'Someone else has saved this client' });
  await alert.waitFor();
  expect(await alert.getByRole('row').allInnerTexts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/Name[\s\S]*Saved by them[\s\S]*Typed by me/)]),
  );
  expect((await readClient(app, id)).name).toBe('Saved by them');
  await button(support, 'Save mine').click();
  await heading(support, 'Typed by me').waitFor();

  expect(await readClient(app, id)).toMatchObject({ name: 'Typed by me', redirectUris: ['https://theirs.example/cb'] });
});
