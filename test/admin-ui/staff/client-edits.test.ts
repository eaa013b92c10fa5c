import { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Client } from '../../../src/entities/client.ts';
import { setClientLogo } from '../../../src/partners/client/client-logo.ts';
import { editClient } from '../../../src/partners/client/edit-client.ts';
import { setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { png } from '../../src/partners/client/logo-images.ts';
import { ANN, BOB, clientAt, edit, readClient, step } from '../../src/partners/client/production-client.ts';
import { button, confirm, fillIn, openConsole, openView, take } from '../../support/console.ts';
import { changeClient } from '../../support/make-client.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const OLD = 'https://resale.example/callback';
const NEW = 'https://new.example/callback';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const [support, reviewer, admin] = await Promise.all([
  openConsole(browser, app, 'support', { name: 'Sam Support' }),
  openConsole(browser, app, 'reviewer', { name: 'Rita Reviewer' }),
  openConsole(browser, app, 'admin', { name: 'Ada Admin' }),
]);
beforeEach(() => app.resetClock());

const uri = (page: Page) => page.getByRole('textbox', { name: 'Redirect URI 1' });

/** A client with a name of its own, so that it is found among others. */
async function named(status: 'in_review' | 'enabled', name: string): Promise<Client> {
  const { id } = await clientAt(app, status);
  return edit(app, id, { name });
}

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row').allInnerTexts();

test('an edit of a live client says that fans notice nothing, and then stands beside what is in force', async () => {
  const { id, name } = await named('enabled', 'Edited Live');
  await openView(support, app, `/clients/${id}?tab=configuration`, name);
  await button(support, 'Edit').click();
  await uri(support).fill(NEW);
  await support.getByText('Nothing changes for fans until this is approved').waitFor();
  await button(support, 'Submit for review').click();
  await support.getByText('Say what the change is for.').waitFor();
  await fillIn(support, { 'Note to the reviewers': 'They moved.' }, 'Submit for review');
  await support.getByRole('heading', { name: 'Waiting for review', level: 2 }).waitFor();
  expect(await rowsOf(support, 'Edit waiting for review')).toEqual([
    expect.stringMatching(/In force\s+Waiting for review/),
    expect.stringMatching(new RegExp(`Redirect URIs\\s+.*${OLD}\\s+.*${NEW}`, 's')),
  ]);
  await support.getByText('Enabled, edit in review', { exact: true }).waitFor();
  expect(await readClient(app, id)).toMatchObject({ status: 'enabled', redirectUris: [OLD] });

  await button(support, 'Continue editing').click();
  expect(await uri(support).inputValue()).toBe(NEW);
  await uri(support).fill(OLD);
  await button(support, 'Save').click();
  await support.getByText('Enabled', { exact: true }).waitFor();
});

test('the approve dialog of an edit shows what it changes and the whole registration; approved, it is in force', async () => {
  const { id, name } = await named('enabled', 'Edited And Approved');
  await edit(app, id, { redirectUris: [NEW], scopes: ['openid', 'fan:cart:read'] });
  await openView(reviewer, app, '/reviews', 'Review queue');
  await reviewer.getByRole('link', { name }).click();
  await button(reviewer, 'Approve edit').click();
  const seen = reviewer.getByRole('dialog').getByRole('region', { name: 'What you approve' });
  await seen.getByText('No endpoint yet').waitFor();
  const text = await seen.innerText();
  for (const part of [
    OLD,
    NEW,
    'https://new.example',
    'fan:tickets:read',
    'Logo',
    'Any port on loopback',
    'Refresh retry window',
  ]) {
    expect(text).toContain(part);
  }
  expect(await seen.locator('ins').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining(NEW)]));
  expect(await seen.locator('del').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining(OLD)]));
  await confirm(reviewer, 'Approve', 'Their domain.');
  await reviewer.getByText('Enabled', { exact: true }).first().waitFor();

  expect(await readClient(app, id)).toMatchObject({ status: 'enabled', redirectUris: [NEW] });
});

test('a live client that lists on any marketplace is marked; the edit that names one is reviewed like the rest', async () => {
  const address = Keypair.generate().publicKey.toBase58();
  const { id, name } = await named('enabled', 'Lists Anywhere');
  await changeClient(app, id, { scopes: ['openid', 'fan:listings:write'] });
  await openView(support, app, `/clients/${id}?tab=configuration`, name);
  await support.getByText('Any marketplace: the next edit needs at least one').waitFor();
  await button(support, 'Edit').click();
  await support.getByRole('textbox', { name: 'Marketplace 1' }).fill(address);
  await fillIn(support, { 'Note to the reviewers': 'Theirs.' }, 'Submit for review');
  await support.getByRole('heading', { name: 'Waiting for review', level: 2 }).waitFor();
  expect(await rowsOf(support, 'Edit waiting for review')).toContainEqual(
    expect.stringMatching(new RegExp(`Marketplaces\\s+.*Any\\s+.*${address}`, 's')),
  );
  expect((await readClient(app, id)).marketplaces).toEqual([]);

  await openView(reviewer, app, `/clients/${id}?tab=review`, name);
  await button(reviewer, 'Approve edit').click();
  const seen = reviewer.getByRole('dialog').getByRole('region', { name: 'What you approve' });
  await expect.poll(() => seen.locator('ins').allInnerTexts()).toContainEqual(expect.stringContaining(address));
  await confirm(reviewer, 'Approve', 'Their key.');
  await reviewer.getByText('Enabled', { exact: true }).first().waitFor();
  expect((await readClient(app, id)).marketplaces).toEqual([address]);
});

test('a first review is approved with all of it on the screen, four clicks from Home', async () => {
  const { id, name } = await named('in_review', 'First Review');
  await setClientLogo(app.context(), id, png().toString('base64'), ANN);
  await openView(reviewer, app, '/', 'Home');
  let clicks = 0;
  const click = async (what: ReturnType<typeof button>) => {
    clicks += 1;
    await what.click();
  };
  await click(reviewer.getByRole('link', { name: /wait for review|waits for review/ }));
  await click(reviewer.getByRole('link', { name }));
  await reviewer.getByText('This is the first review, so everything is new.').waitFor();
  await click(button(reviewer, 'Approve'));
  const dialog = reviewer.getByRole('dialog');
  await dialog.getByRole('img', { name: `Logo of ${name}` }).waitFor();
  for (const part of [OLD, 'https://resale.example', 'openid', 'List the upcoming tickets']) {
    await dialog.getByText(part, { exact: false }).first().waitFor();
  }
  // the field for the reason has the focus
  await reviewer.keyboard.type('Checked against the contract.');
  await click(dialog.getByRole('button', { name: 'Approve', exact: true }));
  await dialog.waitFor({ state: 'hidden' });

  expect((await readClient(app, id)).status).toBe('approved');
  expect(clicks).toBe(4);
});

test('what was edited while the dialog was open is not approved unseen', async () => {
  const { id, name } = await named('enabled', 'Edited Meanwhile');
  const { version } = await edit(app, id, { redirectUris: [NEW] });
  await openView(reviewer, app, `/clients/${id}?tab=review`, name);
  await button(reviewer, 'Approve edit').click();
  await editClient(app.context(), { clientId: id, version, changes: { redirectUris: ['https://evil.example/'] } }, ANN);
  const dialog = reviewer.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Fine.');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await dialog.getByText('Someone else has changed this client').waitFor();

  expect((await readClient(app, id)).redirectUris).toEqual([OLD]);
});

test('the history restores what was approved before, in one step, with the difference before it', async () => {
  const { id, name } = await named('enabled', 'Restored');
  const { version } = await edit(app, id, { redirectUris: [NEW] });
  await step(app, 'approve', id, BOB, { version });
  await openView(reviewer, app, `/clients/${id}?tab=history`, name);
  await button(reviewer, 'Restore').waitFor();
  expect(await button(reviewer, 'Restore').count()).toBe(1);
  await button(reviewer, 'Restore').click();
  expect(await rowsOf(reviewer, 'What restoring changes')).toContainEqual(
    expect.stringMatching(new RegExp(`Redirect URIs\\s+.*${NEW}\\s+.*${OLD}`, 's')),
  );
  await confirm(reviewer, 'Restore', 'The new page fails.');
  await reviewer.getByText('client.restored').waitFor();

  expect(await readClient(app, id)).toMatchObject({ status: 'enabled', redirectUris: [OLD] });
});

test('a client that a kill switch stopped offers Lift, and says to others who can', async () => {
  const { id, name } = await named('enabled', 'Stopped');
  await setKillSwitch(app.context(), { kind: 'client', clientId: id }, 'It phishes.', BOB);
  await openView(support, app, `/clients/${id}`, name);
  const refused = support.getByRole('alert').filter({ hasText: 'Stopped by a kill switch' });
  await refused.getByText('Ask an admin.', { exact: false }).last().waitFor();
  expect(await refused.getByRole('button').getAttribute('aria-disabled')).toBe('true');

  await openView(admin, app, `/clients/${id}`, name);
  await take(admin, 'Lift', 'They fixed it.');
  await admin.getByText('Stopped by a kill switch').waitFor({ state: 'hidden' });
  await admin.getByText('Enabled', { exact: true }).waitFor();
});

test('Suspend and the kill switch stand side by side, each with what it is for', async () => {
  const { id, name } = await named('enabled', 'To Be Stopped');
  await openView(reviewer, app, `/clients/${id}`, name);
  const section = reviewer.getByRole('region', { name: 'Stop this client' });
  await section.getByText('until a reviewer or an admin enables it again').waitFor();
  await section.getByText('once an admin lifts it').waitFor();
  // why a button is disabled stands below it
  await section.getByText('does not have the right switches:write. Ask an admin.').last().waitFor();
  await section.getByRole('button', { name: 'Suspend this client' }).click();
  await confirm(reviewer, 'Suspend', 'A dispute.');
  expect((await readClient(app, id)).status).toBe('suspended');

  await openView(admin, app, `/clients/${id}`, name);
  await take(admin, 'Use the kill switch', 'It phishes.', 'Stop');
  await admin.getByText('Suspended, stopped', { exact: true }).waitFor();
});
