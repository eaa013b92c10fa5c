import { expect, test } from 'vitest';
import { readMails } from '../../../src/platform/mail/mail-inbox.ts';
import { fillIn, openConsole, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { ownBrowser, testBrowser } from '../../support/test-browser.ts';
import { kitPartner, linkTo, openMemberLink } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const partner = await kitPartner(app);

const page = await openConsole(browser, app, 'admin');

const email = 'dana@encore.example';
const row = () => page.getByRole('row').filter({ hasText: email });
const mails = async () => (await readMails(app.runtime.pool)).filter(({ to }) => to === email).length;

test('a person of a partner is invited, invited again, joins, becomes an administrator, and is removed with a reason', async () => {
  await openView(page, app, `/partners/${partner.id}`, partner.name);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('Enter an e-mail address.').waitFor();
  await fillIn(page, { Name: 'Dana Dev', 'E-mail address': email }, 'Send the invitation');
  await row().getByText('Invited', { exact: true }).waitFor();
  const first = await linkTo(app, email);

  await row().getByRole('button', { name: 'Invite again Dana Dev' }).click();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await expect.poll(mails).toBe(2);

  const theirs = await ownBrowser(browser);
  await theirs.goto(first);
  await theirs.getByText('Sign-in did not work').first().waitFor();
  await openMemberLink(theirs, await linkTo(app, email));
  await theirs.getByRole('heading', { name: partner.name, level: 1 }).waitFor();

  await page.reload();
  await row().getByText('Joined', { exact: true }).waitFor();
  await row().getByRole('button', { name: 'Make an administrator Dana Dev' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make an administrator' }).click();
  await row().getByText('Administrator', { exact: true }).waitFor();
  await row().getByRole('button', { name: 'Remove Dana Dev' }).click();
  await fillIn(page.getByRole('dialog'), { Reason: 'Left the company.' }, 'Remove');
  await row().getByText('Removed', { exact: true }).waitFor();

  await theirs.goto(`${app.config.partnersUrl}/clients`);
  await theirs.getByRole('heading', { name: 'Sign in to the partner workspace' }).waitFor();
  await theirs.context().close();
});

test('a provider that does not answer is refused, with what is wrong', async () => {
  await openView(page, app, `/partners/${partner.id}`, partner.name);
  await page.getByRole('button', { name: 'Set a provider' }).click();
  await fillIn(page, { Issuer: 'http://localhost:1/oidc', 'Client ID': 'workspace' }, 'Set the provider');
  await page.getByRole('dialog').getByText('Nothing was changed').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('By a link in an e-mail.').waitFor();
});
