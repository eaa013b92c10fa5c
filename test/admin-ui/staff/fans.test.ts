import { expect, test } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Claim } from '../../../src/entities/claim.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { button, fillIn, openConsole, openView, take } from '../../support/console.ts';
import { signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { busyFan } from './accessibility-stage.ts';

const PHONE = '+447400123456';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const { fan: testFan, claimId } = await busyFan(app);
const fanId = (await registerFan(app.context(), 'production', PHONE)).id;
const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });

const failed = {
  state: 'failed' as const,
  failure: 'The network refused it: the permit is frozen.',
  setAside: null,
  nextAttemptAt: null,
};

test('a fan is found by a number typed in any way, which stays out of the address; it is shown whole with a reason, on record', async () => {
  await openView(page, app, '/fans', 'Fans');
  await page.getByLabel('Phone number or fan ID').fill('0044 7400 123-456');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: '+44 ••• ••• 3456' }).waitFor();
  expect(page.url()).not.toContain('7400');
  await page.getByRole('link', { name: '+44 ••• ••• 3456' }).click();
  await button(page, 'Reveal').click();
  await button(page.getByRole('dialog'), 'Reveal').click();
  await page.getByText('Enter a reason.').waitFor();
  await fillIn(page.getByRole('dialog'), { Reason: 'Case 4711, calling back.' }, 'Reveal');
  await page.getByText(PHONE).waitFor();

  const { em } = app.context();
  const entry = await em.findOneOrFail(AuditEntry, { action: 'fan.phone_revealed', subject: fanId });
  expect(entry.details).toEqual({ reason: 'Case 4711, calling back.' });
  await page.goBack();
  await page.getByRole('link', { name: '+44 ••• ••• 3456' }).waitFor();
  await page.goForward();
  await page.getByRole('button', { name: 'Reveal' }).waitFor();
});

test('a text that is no phone number, and a number of nobody, are each named as such', async () => {
  await openView(page, app, '/fans', 'Fans');
  const field = page.getByLabel('Phone number or fan ID');
  await field.fill('hello');
  await page.keyboard.press('Enter');
  await page.getByText('This is not a phone number.').waitFor();
  await field.fill('+44 7400 999999');
  await page.keyboard.press('Enter');
  await page.getByText('No fan with this number').waitFor();
  await field.fill(testFan.id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: testFan.phone, level: 1 }).waitFor();
});

test('a claim that could not be settled is found by its filter, with the reason and the next try', async () => {
  await openView(page, app, '/claims?state=STUCK', 'Claims');
  const row = page.getByRole('row', { name: /Not settled/ });
  await row.getByText('its permit could not be read').waitFor();
  await row.getByText(/Next try: in \d/).waitFor();
  await page.goto(`${app.config.adminUrl}/claims/${claimId}`);
  await page.getByText('The claim could not be settled').waitFor();
  await page.getByText(/3 attempts so far\.\s+Next try: in \d/).waitFor();
  const steps = await page.getByRole('list', { name: 'What to do' }).getByRole('listitem').allInnerTexts();
  expect(steps[0]).toMatch(/^Nothing has to be pressed: it is tried again/);
  expect(steps.at(-1)).toContain('Runbook: ClaimsSetAside');
  await page.getByRole('link', { name: 'Runbook: ClaimsSetAside' }).click();
  await page.getByRole('heading', { name: 'ClaimsSetAside', level: 1 }).waitFor();
  await page.getByText('Meaning.').waitFor();
  await page.getByRole('link', { name: 'Runbook' }).click();
  await page.getByRole('link', { name: 'PermitsWait' }).waitFor();
  await app.context().em.nativeUpdate(Claim, { id: claimId }, failed);
  await openView(page, app, '/claims?state=STUCK', 'Claims');
  await page.getByText('its permit could not be read').waitFor({ state: 'detached' });
});

test('a fan’s page leads to tickets, signatures, listings and claims; a failed claim says why', async () => {
  await app.context().em.nativeUpdate(Claim, { id: claimId }, failed);
  await openView(page, app, `/fans/${testFan.id}?tab=tickets`, testFan.phone);
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(4);
  await page.getByRole('tab', { name: 'Signatures' }).click();
  await page.getByText('List a ticket for 2500000000 lamports.').waitFor();
  await page.getByRole('tab', { name: 'Listings' }).click();
  await page.getByText('2.5 SOL').waitFor();
  await page.getByRole('tab', { name: 'Claims' }).click();
  await page.getByRole('rowheader').getByRole('link').click();
  await page.getByText('The network refused it: the permit is frozen.').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/admin/claims/${claimId}`);
});

test('a fan who is stopped is marked so, with the reason', async () => {
  await setKillSwitch(app.context(), { kind: 'fan', fanId }, 'A stolen phone.', 'system');
  await openView(page, app, `/fans/${fanId}`, '3456');
  await page.getByText('A stolen phone. (the system', { exact: false }).waitFor();
  const link = page.getByRole('link', { name: 'See the kill switch' });
  expect(await link.getAttribute('href')).toBe('/admin/kill-switches');
});

test('support ends one grant or all access of a fan and signs them out, with a reason; what only an admin can do is not offered', async () => {
  await openView(page, app, `/fans/${testFan.id}`, testFan.phone);
  const stop = page.getByRole('button', { name: 'Stop this fan' });
  expect(await stop.getAttribute('aria-disabled')).toBe('true');
  expect(await stop.innerText()).toContain('Ask an admin');
  await take(page, 'Revoke', 'The fan asked for it.');
  await page.getByText('Ended by staff').waitFor();
  const { grant_id: id } = await signIn(app);
  for (const [name, done] of [
    ['Sign out everywhere', 'The fan is signed out everywhere.'],
    ['End all access', 'No app has access any more.'],
  ] as const) {
    await take(page, name, 'Case 4712: the phone was stolen');
    await page.getByText(done).waitFor();
  }
  const grant = await app.context().em.findOneOrFail(ConsentGrant, { id: id as never });
  expect(grant.revokedReason).toBe('revoked_by_staff');
  await page.getByText('Ended by staff').first().waitFor();
});

test('after 20 phone numbers in five minutes the page asks why so many', async () => {
  const { em, now } = app.context();
  const { actor } = await em.findOneOrFail(AuditEntry, { action: 'fan.phone_revealed', subject: fanId });
  const fact = { actor, action: 'fan.phone_revealed', subject: fanId, details: { reason: 'a case' }, requestId: null };
  for (let index = 0; index < 20; index++) em.create(AuditEntry, { ...fact, at: now() });
  await em.flush();
  await openView(page, app, `/fans/${fanId}`, '+44 ••• ••• 3456');
  await page.getByRole('button', { name: 'Reveal' }).click();
  const dialog = page.getByRole('dialog');
  await fillIn(dialog, { Reason: 'Case 4713' }, 'Reveal');
  await dialog.getByText('Say why more than 20 are needed').waitFor();
  await fillIn(dialog, { 'Why so many numbers': 'The venue burned down' }, 'Reveal');
  await page.getByText(PHONE).waitFor();
  const details = { reason: 'Case 4713', bulkReason: 'The venue burned down' };
  expect(await em.count(AuditEntry, { actor, details })).toBe(1);
});
