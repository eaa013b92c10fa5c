import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { approveProposal } from '../../../src/people/proposal/decide.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { DAY, fanOf, proveNumber } from '../../src/sign-in/verification/long-unused.ts';
import { fillIn, openConsole, openView } from '../../support/console.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../../support/production.ts';
import { newStaff } from '../../support/staff-call.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { LONG_UNUSED, longUnusedFan } from './accessibility-stage.ts';

/** The section "Sign-in" of a fan's page: proofs of the number, numbers before, passkeys (D-073, D-075, D-078). */
const NEW_PHONE = '+447400123999';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const client = await enableProductionClient(app);
const fan = await longUnusedFan(app);
const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });

const section = (of = page) => of.getByRole('region', { name: 'Sign-in', exact: true });

test('it shows that the number asks for more than a code, the number before, masked, and the passkeys', async () => {
  await openView(page, app, `/fans/${fan.id}`, '+44 ••• ••• 3456');
  await section().getByText('asks for more than a code').waitFor();
  await section().getByText('+44 ••• ••• 5777, until').waitFor();
  await section().getByText('changed by the fan').waitFor();
  await section().getByText('Safari on iPhone').waitFor();
  expect(await section().textContent()).not.toContain('7400');
});

test('of a fan who never proved it, it says when the company named it; and of an account that nobody has used it asks for nothing', async () => {
  const imported = await registerFan(app.context(), 'production', '+447400123777');
  await giveTicket(app, imported);
  const numberVouchedAt = new Date(app.runtime.now().getTime() - 366 * DAY * 1000);
  await app.context().em.nativeUpdate(Fan, { id: imported.id }, { numberVouchedAt });
  await openView(page, app, `/fans/${imported.id}`, '+44 ••• ••• 3777');
  await section().getByText('never; named by the company').waitFor();
  expect(await section().getByText('asks for more than a code').count()).toBe(0);
});

test('a change of the number is proposed once its holder has proved the new one; the page then leads to the proposal', async () => {
  await openView(page, app, `/fans/${fan.id}`, '+44 ••• ••• 3456');
  await section().getByRole('button', { name: 'Change the number' }).click();
  const dialog = page.getByRole('dialog');
  await fillIn(dialog, { 'New number': NEW_PHONE, Reason: 'Knows the last two orders.' }, 'Propose');
  await dialog.getByText('Nothing was proposed').waitFor();
  await proveNumber({ app, client, codeFor: readCodesFromLog(app) }, NEW_PHONE);
  await dialog.getByRole('button', { name: 'Propose' }).click();
  await page.waitForURL('**/proposals/*');
  expect(await page.getByRole('main').textContent()).not.toContain(NEW_PHONE.slice(3));
  const proposal = new URL(page.url()).pathname;

  await openView(page, app, `/fans/${fan.id}`, '+44 ••• ••• 3456');
  const link = section().getByRole('link', { name: 'Open proposal' });
  expect(await link.getAttribute('href')).toBe(proposal);
  // nothing has moved before a second person has approved
  expect((await fanOf(app, LONG_UNUSED)).id).toBe(fan.id);
});

test('a copy of the data is proposed, approved by a second person, and then there to download; the account can be proposed for deletion', async () => {
  const asking = await registerFan(app.context(), 'production', '+447400123666');
  const data = page.getByRole('region', { name: 'Data', exact: true });
  await openView(page, app, `/fans/${asking.id}`, '+44 ••• ••• 3666');
  await data.getByRole('button', { name: 'Copy the data' }).click();
  await fillIn(page.getByRole('dialog'), { Reason: 'Call me at +447400123666.' }, 'Propose');
  await page.getByRole('dialog').getByText('not by number').waitFor();
  await fillIn(page.getByRole('dialog'), { Reason: 'The fan asked in writing.' }, 'Propose');
  await page.waitForURL('**/proposals/*');
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(await page.getByRole('link', { name: 'Page to read' }).count()).toBe(0);
  await approveProposal(app.context(), { proposalId: id, reason: 'Called back.' }, await newStaff(app, 'reviewer'));
  await page.reload();
  const link = page.getByRole('link', { name: 'Full file (JSON)' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({ account: [{ id: asking.id }] });

  await openView(page, app, `/fans/${asking.id}`, '+44 ••• ••• 3666');
  await data.getByRole('button', { name: 'Delete the account' }).click();
  await fillIn(page.getByRole('dialog'), { Reason: 'The fan asked in writing.' }, 'Propose');
  await page.waitForURL('**/proposals/*');
  const deletion = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await approveProposal(
    app.context(),
    { proposalId: deletion, reason: 'Called back.' },
    await newStaff(app, 'reviewer'),
  );
  await openView(page, app, `/fans/${asking.id}`, 'No number');
  await data.getByText('The fan deleted the account').waitFor();
});
