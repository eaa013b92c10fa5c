import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { Client } from '../../../src/entities/client.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { openConsole, openView } from '../../support/console.ts';
import { authorize, codeForm, consent, login, postForm, refreshForm, type Tokens } from '../../support/partner.ts';
import { PRODUCTION_REDIRECT_URI, readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

let sam: Page;
let rita: Page;
/** The last sign-in link that the service printed. */
let printed = '';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
beforeAll(async () => {
  app.runtime.log = pino({
    hooks: {
      logMethod([fields]) {
        const { link } = fields as unknown as { link?: string };
        if (link !== undefined) printed = link;
      },
    },
  });
  [sam, rita] = await Promise.all([
    openConsole(browser, app, 'support', { name: 'Sam Support' }),
    openConsole(browser, app, 'reviewer', { name: 'Rita Reviewer' }),
  ]);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Gives the reason in the dialog and confirms. */
async function confirm(page: Page, deed: string, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(reason);
  await dialog.getByRole('button', { name: deed, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function take(page: Page, step: string, reason: string, deed = step): Promise<void> {
  await button(page, step).click();
  await confirm(page, deed, reason);
}

/** A partner and a draft of a production client, all of it in the console. @returns the client_id */
async function registerInWizard(page: Page): Promise<string> {
  await openView(page, app, '/partners?register=1', 'Partners');
  await page.getByRole('dialog').getByLabel('Name').fill('Encore Tickets');
  await button(page, 'Register').click();
  await page.getByRole('heading', { name: 'Encore Tickets', level: 1 }).waitFor();
  await button(page, 'Register client').first().click();
  await page.getByRole('radio', { name: 'Production' }).check();
  await page.getByLabel('Name').fill('Encore');
  await button(page, 'Next').click();
  await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill(PRODUCTION_REDIRECT_URI);
  await page.getByText(new URL(PRODUCTION_REDIRECT_URI).origin, { exact: true }).waitFor();
  await button(page, 'Next').click();
  await page.getByRole('checkbox', { name: 'fan:tickets:read' }).waitFor();
  await button(page, 'Next').click();
  await button(page, 'Register client').click();
  await page.getByRole('heading', { name: 'Encore', level: 1, exact: true }).waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Proves once more who is signed in, on the embedded default: by a link that the service prints, in a tab of its own. */
async function stepUp(page: Page): Promise<void> {
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    asked.getByRole('link', { name: 'Sign in again' }).click(),
  ]);
  await tab.getByRole('button').click();
  await tab.getByText('Rita Reviewer').waitFor();
  await tab.goto(printed);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await tab.close();
  await asked.waitFor({ state: 'hidden' });
}

/** A fan of a real number signs in to the client. */
async function signFanIn(clientId: string): Promise<Tokens> {
  const codeFor = readCodesFromLog(app);
  const started = await authorize(app, {
    clientId,
    redirectUri: PRODUCTION_REDIRECT_URI,
    scope: 'openid offline_access fan:tickets:read',
  });
  await login(app, started, 'phone.sendCode', { phone: '+12025550143' });
  await login(app, started, 'phone.verifyCode', { code: codeFor('+12025550143') });
  const code = (await consent(app, started)).searchParams.get('code') ?? '';
  const answer = await postForm(app, '/oauth2/token', codeForm({ ...started, code }));
  expect(answer.status).toBe(200);
  return answer.body as unknown as Tokens;
}

const refresh = (clientId: string, token: string) =>
  postForm(app, '/oauth2/token', refreshForm(app, token, { client_id: clientId }));

test('two people take a production client from draft to enabled; suspended, its refresh is refused, and the story tells why', {
  timeout: 60_000,
}, async () => {
  const clientId = await registerInWizard(sam);
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
  await stepUp(rita);
  // the step that was asked for goes on by itself
  await confirm(rita, 'Enable', 'Launch day.');
  await rita.getByText('Enabled', { exact: true }).first().waitFor();

  const tokens = await signFanIn(clientId);
  const refreshed = await refresh(clientId, tokens.refresh_token);
  expect(refreshed.status).toBe(200);

  await take(rita, 'Suspend', 'Their app leaks tokens.');
  await rita.getByText('Suspended', { exact: true }).first().waitFor();
  await rita.getByRole('tab', { name: 'History' }).click();
  await rita.getByText('Their app leaks tokens.').waitFor();
  const { status, body } = await refresh(clientId, String(refreshed.body.refresh_token));
  expect([status, body.error]).toEqual([400, 'invalid_grant']);
  expect(await app.context().em.findOneOrFail(Client, { id: knownId('client', clientId) })).toMatchObject({
    status: 'suspended',
  });

  await app.runtime.activity.flush();
  await openView(rita, app, `/timeline?search=${clientId}`, 'Timeline');
  await rita.getByText('The app tried to refresh its tokens.').waitFor();
  await rita.getByText('Client suspended.').waitFor();
});
