import { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect, test } from 'vitest';
import { CodeBreaker } from '../../../src/entities/code-limits.ts';
import { EndedAccess } from '../../../src/entities/ended-access.ts';
import { KillSwitch } from '../../../src/entities/kill-switch.ts';
import { findServiceAccount, findStaffToken } from '../../../src/people/staff/find-token.ts';
import { sealAudit } from '../../../src/record/audit/seal-audit.ts';
import {
  button,
  choose,
  confirm,
  fillIn,
  openConsole,
  openSignInLink,
  openView,
  rowWith,
  take,
} from '../../support/console.ts';
import { authorizeUrl } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { ownBrowser, testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const [admin, support] = await Promise.all([
  openConsole(browser, app, 'admin', { name: 'Ada Admin' }),
  openConsole(browser, app, 'support', { name: 'Sam Support' }),
]);
afterEach(() => app.resetClock());

describe('rights', () => {
  test('six minutes after the sign-in a fresh one is asked for first, and nothing happens without it', async () => {
    const page = await openConsole(browser, app, 'admin');
    app.advance(360);
    await openView(page, app, '/staff', 'Staff');
    await button(page, 'Invite a person').click();
    const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
    const link = await asked.getByRole('link', { name: 'Sign in again' }).getAttribute('href');
    expect(link).toBe('/admin/auth/step-up?returnTo=%2Fadmin%2Fstaff');
    await asked.getByRole('button', { name: 'Not now' }).click();
    await asked.waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.context().close();
  });

  test('support sees what it may not do, and why', async () => {
    await openView(support, app, '/keys', 'Keys');
    const rotate = support.getByRole('button', {
      name: 'Rotate (Your role, support, does not have the right keys:rotate. Ask an admin.',
    });
    expect(await rotate.getAttribute('aria-disabled')).toBe('true');
    await openView(support, app, '/kill-switches?stop=CO_SIGNING', 'Kill switches');
    await support.getByText('Nothing is stopped').waitFor();
    await support.getByRole('alert').filter({ hasText: 'You can’t stop all co-signing' }).waitFor();
    expect(await support.getByRole('dialog').count()).toBe(0);
    expect(await support.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });
});

describe('kill switches', () => {
  test('a link stops a client: its sign-in is refused, every view says so; lifting goes on, and can be taken back', async () => {
    const works = async () => (await fetch((await authorizeUrl(app)).url, { redirect: 'manual' })).headers;
    await openView(admin, app, `/kill-switches?stop=CLIENT&subject=${app.kit.client_id}`, 'Kill switches');
    await button(admin, 'Stop').click();
    await admin.getByText('Enter a reason. All staff see it while this is stopped.').waitFor();
    await confirm(admin, 'Stop', 'Their key leaked.');
    await rowWith(admin, 'Their key leaked.').getByRole('link', { name: 'Front Row' }).waitFor();
    expect((await works()).get('location')).toContain('error=unauthorized_client');
    await openView(support, app, '/partners', 'Partners');
    await support.getByRole('status').getByText('Stopped: client Front Row').waitFor();

    await take(admin, 'Lift', 'They have a new one.');
    await admin.getByText('Nothing is stopped').waitFor();
    // the row is gone, and with it the button that opened the dialog
    await expect.poll(() => admin.evaluate(() => document.activeElement?.textContent)).toBe('Kill switches');
    expect((await works()).get('location')).toContain('session_id=');
    await button(admin, 'Undo').click();
    await rowWith(admin, 'Their key leaked.').waitFor();
    await take(admin, 'Lift', 'They really have.');
    expect(await app.context().em.count(KillSwitch, {})).toBe(0);
  });

  test('a marketplace is stopped by its address, and what is on sale there is taken off sale where that is wanted', async () => {
    const address = Keypair.generate().publicKey.toBase58();
    await openView(admin, app, '/kill-switches?stop=MARKETPLACE', 'Kill switches');
    const dialog = admin.getByRole('dialog');
    await fillIn(dialog, { Address: 'O0l', Reason: 'Its key has leaked.' }, 'Stop');
    await dialog.getByText('An address has 32 to 44 letters and digits').waitFor();
    expect(await dialog.getByLabel('Also take off sale what is on sale there').isChecked()).toBe(true);
    await fillIn(dialog, { Address: address }, 'Stop');
    const row = rowWith(admin, 'Its key has leaked.');
    await row.getByText(`Marketplace ${address.slice(0, 4)}…${address.slice(-6)}`).waitFor();
    await openView(support, app, '/partners', 'Partners');
    await support
      .getByRole('status')
      .getByText(`Stopped: marketplace ${address.slice(0, 4)}`)
      .waitFor();
    const { em } = app.context();
    expect(await em.count(EndedAccess, { marketplace: address, cause: 'marketplace_stopped' })).toBe(1);

    await take(admin, 'Lift', 'It has a new one.');
    await admin.getByText('Nothing is stopped').waitFor();
    expect(await em.count(KillSwitch, {})).toBe(0);
  });

  test('a text that names no country is refused where it is typed, and an unknown fan by the service', async () => {
    await openView(admin, app, '/kill-switches?stop=SMS_COUNTRY', 'Kill switches');
    const dialog = admin.getByRole('dialog');
    await fillIn(dialog, { Country: 'ZZ', Reason: 'A flood of codes.' }, 'Stop');
    await dialog.getByText('Two letters, such as FR.').waitFor();
    await dialog.getByLabel('Country').fill('fr');
    await dialog.getByText('France').waitFor();
    await openView(admin, app, '/kill-switches?stop=FAN&subject=usr_01h455vb4pex5vsknk084sn02q', 'Kill switches');
    await fillIn(dialog, { Reason: 'Chargebacks.' }, 'Stop');
    await dialog.getByText('Nothing was stopped').waitFor();
    await admin.keyboard.press('Escape');
  });
});

describe('the audit log', () => {
  test('is narrowed by who and what, all of it in the address; an edit shows before and after', async () => {
    await openView(admin, app, `/clients/${app.kit.client_id}?tab=configuration`, 'Front Row');
    await button(admin, 'Edit').click();
    await fillIn(admin, { 'Refresh retry window': '5' }, 'Save');
    await button(admin, 'Edit').waitFor();
    await openView(admin, app, '/audit', 'Audit log');
    await choose(admin, 'What', 'Clients');
    await choose(admin, 'Who', 'By staff');
    await admin.getByText('1 change, before and after').click();
    const diff = admin.getByRole('region', { name: 'What client.edited changed' });
    expect((await diff.innerText()).replace(/\s+/g, ' ')).toContain('Refresh retry window − removed: 0 s + added: 5 s');

    expect(await admin.getByRole('rowheader').allInnerTexts()).toContain('client.edited');
    expect(new URL(admin.url()).search).toBe('?action=client&actor=staff');
  });

  test('its export goes as far as the filters, and is on record itself', async () => {
    await openView(admin, app, '/audit?action=kill_switch', 'Audit log');
    await admin.getByText('kill_switch.lifted').first().waitFor();
    const [download] = await Promise.all([
      admin.waitForEvent('download'),
      admin.getByRole('link', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...lines] = await readAll(download);
    expect(head).toContain('action');
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.every((line) => line.includes('kill_switch.'))).toBe(true);
    await openView(admin, app, '/audit?action=audit', 'Audit log');
    await admin.getByText('audit.exported').waitFor();
  });

  test('the chain is verified on demand, against a head that was kept', async () => {
    app.advance(120);
    await sealAudit(app.context());
    await openView(admin, app, '/audit', 'Audit log');
    await button(admin, 'Verify log').click();
    await admin.getByText('The audit log is intact').waitFor();
    const told = await admin.getByRole('region', { name: 'Verify the audit log' }).innerText();
    const [head = ''] = /\d+:\S{20,}/.exec(told) ?? [];
    await fillIn(admin, { 'Saved head': head.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }, 'Verify log');
    await admin.getByText('The audit log was altered').waitFor();
    await fillIn(admin, { 'Saved head': head }, 'Verify log');
    await admin.getByText('The audit log is intact').waitFor();
  });
});

test('a link for a new person is shown once and lets them in; disabled, they are out at once, and an undo lets them in again', async () => {
  await openView(admin, app, '/staff', 'Staff');
  await button(admin, 'Invite a person').click();
  await admin.getByRole('dialog').getByLabel('Name').fill('Rita Reviewer');
  await admin.getByRole('radio', { name: 'Reviewer' }).check();
  await button(admin, 'Create link').click();
  const dialog = admin.getByRole('dialog', { name: 'Sign-in link for Rita Reviewer' });
  const [url = ''] = /http\S+/.exec(await dialog.innerText()) ?? [];
  await button(admin, 'Done').click();
  const rita = await ownBrowser(browser);
  await openSignInLink(rita, url);
  await rita.getByRole('button', { name: /Rita Reviewer/ }).waitFor();

  await rowWith(admin, 'Rita Reviewer').getByRole('button', { name: 'Disable' }).click();
  await confirm(admin, 'Disable', 'She has left.');
  await rowWith(admin, 'Rita Reviewer').getByText('Disabled').waitFor();
  await rita.reload();
  await rita.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await button(admin, 'Undo').click();
  await rowWith(admin, 'Rita Reviewer').getByText('Active').waitFor();
  await rita.context().close();

  const own = rowWith(admin, 'Ada Admin').getByRole('button', { name: 'You can’t disable yourself' });
  expect(await own.getAttribute('aria-disabled')).toBe('true');
});

test('the value of a token is shown once and works; revoked, it does not', async () => {
  await openView(support, app, '/tokens', 'Tokens');
  await button(support, 'Create a token').first().click();
  await support.getByLabel('Name').fill('nightly report');
  await support.getByRole('checkbox', { name: 'clients:write' }).check();
  expect(await support.getByRole('checkbox', { name: 'tokens:write' }).count()).toBe(0);
  await button(support, 'Create').click();
  const dialog = support.getByRole('dialog', { name: 'Token nightly report' });
  const [value = ''] = /st_[\w-]{43}/.exec(await dialog.innerText()) ?? [];
  await button(support, 'Done').click();
  const scopes = ['console:read', 'clients:write'];
  expect(await findStaffToken(app.context(), value)).toMatchObject({ name: 'Sam Support', scopes });
  expect(await support.content()).not.toContain(value);
  await rowWith(support, 'nightly report').getByRole('button', { name: 'Revoke' }).click();
  await confirm(support, 'Revoke');
  await rowWith(support, 'nightly report').getByText('Revoked').waitFor();

  expect(await findStaffToken(app.context(), value)).toBeUndefined();
});

test('an admin makes a service account, gives it another token, and disables it', async () => {
  await openView(admin, app, '/service-accounts', 'Service accounts');
  await admin.getByRole('button', { name: 'Create a service account' }).first().click();
  const form = admin.getByRole('dialog', { name: 'Create a service account' });
  await fillIn(form, { Name: 'Box office' }, 'Create');

  const shown = admin.getByRole('dialog', { name: 'Token of Box office' });
  const readValue = async () => /sv_[\w-]{43}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  await shown.waitFor();
  const first = await readValue();
  expect(await findServiceAccount(app.context(), first)).toMatchObject({ scopes: ['inventory:write'] });
  await shown.getByRole('button', { name: 'Done' }).click();

  await admin.getByRole('button', { name: 'New token for Box office' }).click();
  await admin.getByRole('button', { name: 'Create token' }).click();
  await shown.waitFor();
  const second = await readValue();
  expect(second).not.toBe(first);
  expect(await findServiceAccount(app.context(), first)).toBeDefined();
  expect(await findServiceAccount(app.context(), second)).toBeDefined();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => rowWith(admin, 'Box office').getByText('Valid').count()).toBe(2);

  await admin.getByRole('button', { name: 'Disable Box office' }).click();
  const asking = admin.getByRole('dialog', { name: 'Disable Box office' });
  await fillIn(asking, { Reason: 'No longer used' }, 'Disable');
  await admin.getByRole('row', { name: /Box office.*Disabled/ }).waitFor();
  expect(await findServiceAccount(app.context(), second)).toBeUndefined();

  await openView(admin, app, '/audit?actor=staff&action=service_account', 'Audit log');
  await expect.poll(() => admin.getByRole('row', { name: /Box office/ }).count()).toBe(3);
});

test('one’s own sessions: another browser is ended from this one', async () => {
  const here = await openConsole(browser, app, 'support', { name: 'Two Browsers' });
  await openView(admin, app, '/staff?search=Two+Browsers', 'Staff');
  await rowWith(admin, 'Two Browsers').getByRole('button', { name: 'New link' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  const shown = admin.getByRole('dialog', { name: 'Sign-in link for Two Browsers' });
  const [url = ''] = /http\S+/.exec(await shown.innerText()) ?? [];
  await button(admin, 'Done').click();
  const there = await ownBrowser(browser);
  await openSignInLink(there, url);

  await openView(here, app, '/sessions', 'My sessions');
  await here.getByRole('article').filter({ hasText: 'This browser' }).waitFor();
  await take(here, 'End session');
  await expect.poll(() => here.getByRole('article').count()).toBe(1);
  await there.reload();
  await there.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  await Promise.all([here.context().close(), there.context().close()]);
});

test('a breaker that stopped a country is seen with what it waits for, and is told to try now', async () => {
  const { em, now } = app.context();
  const retryAt = new Date(now().getTime() + 1_800_000);
  await em.insert(CodeBreaker, { scope: 'FR', openedAt: now(), retryAt, trips: 2, trials: 0, verified: 0 });
  await openView(admin, app, '/verification', 'Verification');
  const stopped = admin.getByRole('region', { name: 'Stopped by the breaker: France' });
  await stopped.getByRole('button', { name: 'Try now' }).click();
  await confirm(admin, 'Try now', 'A concert in Paris; their app was broken for an hour.');
  await stopped.getByText('On trial', { exact: true }).waitFor();

  const breaker = await app.context().em.findOneOrFail(CodeBreaker, { scope: 'FR' });
  expect(breaker.retryAt.getTime()).toBeLessThanOrEqual(now().getTime());
});

async function readAll(download: { createReadStream(): Promise<NodeJS.ReadableStream> }): Promise<string[]> {
  let text = '';
  for await (const part of await download.createReadStream()) text += part.toString();
  return text.trim().split('\n');
}
