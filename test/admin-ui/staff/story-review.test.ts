import { pino } from 'pino';
import { expect, test } from 'vitest';
import { Client } from '../../../src/entities/client.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import {
  button,
  confirm,
  fillIn,
  heading,
  openConsole,
  openSignInLink,
  openView,
  take,
} from '../../support/console.ts';
import { PRODUCTION_REDIRECT_URI } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

let printed = '';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
app.runtime.log = pino({
  hooks: {
    logMethod([fields]) {
      const { link } = fields as unknown as { link?: string };
      if (link !== undefined) printed = link;
    },
  },
});
const [sam, rita] = await Promise.all([
  openConsole(browser, app, 'support', { name: 'Sam Support' }),
  openConsole(browser, app, 'reviewer', { name: 'Rita Reviewer' }),
]);

test('two people take a production client from the wizard to enabled; a sign-in of long ago is proved again on the way', {
  timeout: 60_000,
}, async () => {
  await openView(sam, app, '/partners?register=1', 'Partners');
  await fillIn(sam.getByRole('dialog'), { Name: 'Encore Tickets' }, 'Register');
  await heading(sam, 'Encore Tickets').waitFor();
  await button(sam, 'Register client').first().click();
  await sam.getByRole('radio', { name: 'Production' }).check();
  await fillIn(sam, { Name: 'Encore' }, 'Next');
  await sam.getByRole('textbox', { name: 'Redirect URI 1' }).fill(PRODUCTION_REDIRECT_URI);
  await button(sam, 'Next').click();
  await sam.getByRole('checkbox', { name: 'fan:tickets:read' }).waitFor();
  await button(sam, 'Next').click();
  await button(sam, 'Register client').click();
  await sam.getByText('Draft', { exact: true }).first().waitFor();
  const id = knownId('client', new URL(sam.url()).pathname.split('/').at(-1) ?? '');
  await take(sam, 'Submit for review', 'Goes live in May; asked for by their head of product.', 'Submit');
  await sam.getByText('In review', { exact: true }).waitFor();
  expect(await sam.getByRole('button', { name: 'Approve (' }).getAttribute('aria-disabled')).toBe('true');

  await openView(rita, app, '/reviews', 'Review queue');
  await rita.getByRole('link', { name: 'Encore' }).click();
  await take(rita, 'Approve', 'As in the contract.');
  await rita.getByText('Approved', { exact: true }).first().waitFor();

  // Rita signed in six minutes ago: that is not fresh enough to let real fans in
  app.advance(360);
  await rita.reload();
  await button(rita, 'Enable').click();
  const asked = rita.getByRole('dialog', { name: 'Confirm it’s you' });
  const [tab] = await Promise.all([
    rita.context().waitForEvent('page'),
    asked.getByRole('link', { name: 'Sign in again' }).click(),
  ]);
  await tab.getByRole('button').click();
  await tab.getByText('Rita Reviewer').waitFor();
  await openSignInLink(tab, printed);
  await asked.waitFor({ state: 'hidden' });
  // the step that was asked for goes on by itself
  await confirm(rita, 'Enable', 'Launch day.');
  await rita.getByText('Enabled', { exact: true }).first().waitFor();
  expect((await app.context().em.findOneOrFail(Client, { id })).status).toBe('enabled');
});
