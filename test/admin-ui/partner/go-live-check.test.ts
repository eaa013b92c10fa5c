import { expect, test } from 'vitest';
import { GoLiveRun } from '../../../src/entities/go-live-check.ts';
import { takeClientStep } from '../../../src/partners/client/take-step.ts';
import { runAddresses } from '../../../src/sandbox/go-live-check/run-addresses.ts';
import { startPartnerApp } from '../../flows/go-live-check/partner-app.ts';
import { choose, openConsole, openView, take } from '../../support/console.ts';
import { axeBarriers, overflow } from '../../support/find-barriers.ts';
import { makeClient } from '../../support/make-client.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

test('a partner runs a go-live check with live results, and a reviewer reads the sheet', async () => {
  const partner = await kitPartner(app);
  const sandbox = await makeClient(app, { name: 'Encore Sandbox' });
  const production = await makeClient(app, {
    name: 'Encore',
    mode: 'production',
    status: 'draft',
    redirectUris: ['https://encore.example/callback'],
  });
  const page = await openWorkspace(browser, app, partner);

  await openWorkspaceView(page, app, '/go-live-checks', 'Go-live checks');
  await page.getByRole('button', { name: 'Start a go-live check' }).first().click();
  await choose(page, 'Sandbox client', 'Encore Sandbox');
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'Go-live check', level: 1, exact: true }).waitFor();
  const run = await app.context().em.findOneOrFail(GoLiveRun, { client: sandbox });
  await page.getByText(runAddresses(app.config, run.id).issuer, { exact: true }).waitFor();

  const partnerApp = await startPartnerApp(runAddresses(app.config, run.id), sandbox, { noState: true });
  await page.getByRole('button', { name: 'Start Ordinary sign-in' }).click();
  await page.getByText('(on now: sign in with your app)').waitFor();
  // by keyboard one goes on where one was
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('My app is done with Ordinary sign-in');
  await partnerApp.signIn();
  await page.getByText('The code was exchanged and the access token used: userinfo.').waitFor();
  await page.getByRole('button', { name: 'Start Wrong state' }).click();
  await page.getByRole('button', { name: 'My app is done with Wrong state' }).waitFor();
  await partnerApp.signIn();
  await page.getByText('was sent to the token endpoint after').waitFor();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect([...(await axeBarriers(page)), ...(await overflow(page))]).toEqual([]);
  }

  await page.getByRole('button', { name: 'Attach to a review' }).click();
  await choose(page, 'Production client', 'Encore');
  await page.getByRole('button', { name: 'Attach', exact: true }).click();
  await page.getByText('Attached to').waitFor();
  await take(page, 'Finish');
  await page.getByText(/^1 passed, 1 failed, \d+ not observed$/).waitFor();
  // beside the title: that it is finished is not all
  await page.getByText('1 check failed', { exact: true }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await axeBarriers(page)).toEqual([]);

  await takeClientStep(app.context(), 'submit', { clientId: production, reason: 'See the sheet.' }, 'member:test');
  const review = await openConsole(browser, app, 'reviewer');
  await openView(review, app, `/clients/${production}?tab=review`, 'Encore');
  await review.getByText('1 check failed').waitFor();
  await review.getByText('was sent to the token endpoint after').waitFor();
  expect([...(await axeBarriers(review)), ...(await overflow(review))]).toEqual([]);
});
