import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { registerPartner } from '../../../src/partners/partner/register-partner.ts';
import { inviteMember } from '../../../src/people/workspace/invite-member.ts';
import { setPartnerProvider } from '../../../src/people/workspace/set-partner-provider.ts';
import { button, fillIn } from '../../support/console.ts';
import { ADA, CLIENT_SECRET, startProvider } from '../../support/oidc-provider.ts';
import { testApp } from '../../support/test-app.ts';
import { ownBrowser, testBrowser } from '../../support/test-browser.ts';
import { kitPartner, linkTo, openMemberLink, openWorkspace } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const partner = await kitPartner(app);

async function invited(): Promise<string> {
  const email = `dev-${crypto.randomUUID().slice(0, 8)}@encore.example`;
  await inviteMember(app.context(), { partnerId: partner.id, name: 'Dana Dev', email }, 'system');
  return email;
}

/** The link that comes when somebody asks for one. */
async function askForLink(page: Page, email: string): Promise<string> {
  const before = await linkTo(app, email);
  await fillIn(page, { 'E-mail address': email }, 'Send me a link');
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  await expect.poll(() => linkTo(app, email)).not.toBe(before);
  return linkTo(app, email);
}

test('an invited person joins by the link, signs out, and signs in again by a link that they ask for', async () => {
  const email = await invited();
  const page = await ownBrowser(browser);
  const invitation = await linkTo(app, email);
  await openMemberLink(page, invitation);
  await page.getByRole('heading', { name: partner.name, level: 1 }).waitFor();

  await page.getByRole('button', { name: /Dana Dev/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').first().waitFor();

  await page.goto(invitation);
  await page.getByText('Sign-in did not work').first().waitFor();

  await page.goto(app.config.partnersUrl);
  await fillIn(page, { 'E-mail address': 'not an address' }, 'Send me a link');
  await page.getByText('Enter your e-mail address').waitFor();
  const link = await askForLink(page, email);

  const elsewhere = await ownBrowser(browser);
  await elsewhere.goto(link);
  await elsewhere.getByText('Sign-in did not work').first().waitFor();
  await elsewhere.context().close();

  await openMemberLink(page, link);
  await page.getByRole('heading', { name: partner.name, level: 1 }).waitFor();
  await page.context().close();
});

test('the page says the same for an address that nobody has', async () => {
  const page = await ownBrowser(browser);
  await page.goto(`${app.config.partnersUrl}/clients`);
  await fillIn(page, { 'E-mail address': 'nobody@nowhere.example' }, 'Send me a link');
  await page.getByText('If nobody@nowhere.example belongs to a member of a partner').waitFor();
  await page.getByRole('button', { name: 'Use another address' }).click();
  await page.getByRole('heading', { name: 'Sign in to the partner workspace' }).waitFor();
  await page.context().close();
});

test('without a connection a view says so, and a dialog says what it lacks; "Try again" shows either', async () => {
  const page = await openWorkspace(browser, app, partner);
  const graphql = `${app.config.partnersUrl}/graphql`;
  const openOffline = async (link: Locator, failure: string, then: Locator) => {
    await page.route(graphql, (route) => route.abort());
    await link.click();
    await page.getByText(failure).waitFor();
    await page.unroute(graphql);
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await then.waitFor();
  };
  const you = page.getByRole('rowheader', { name: 'Dana Dev (you)' });
  await openOffline(page.getByRole('link', { name: 'People' }), 'The service is not responding', you);
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  const type = page.getByRole('checkbox', { name: 'grant.revoked' });
  await openOffline(button(page, 'Add an endpoint').first(), 'What to choose from could not be loaded', type);
  await page.context().close();
});

test('a member of a partner with its own provider joins through it, and signs in there again', async () => {
  const provider = await startProvider();
  afterAll(() => provider.stop());
  provider.register(app.config.partnersUrl);
  const context = app.context();
  const { id, name } = await registerPartner(context, 'Provided Ltd', 'system');
  await context.em.flush();
  const wish = { partnerId: id, issuer: provider.issuer, clientId: 'console', clientSecret: CLIENT_SECRET };
  await setPartnerProvider(app.context(), wish, 'system');
  const email = `dev-${crypto.randomUUID().slice(0, 8)}@provided.example`;
  await inviteMember(app.context(), { partnerId: id, name: 'Pat Provided', email }, 'system');
  provider.person = { ...ADA, sub: 'pat', email, email_verified: true } as typeof ADA;

  const page = await ownBrowser(browser);
  await page.goto(await linkTo(app, email));
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByText('your company’s own sign-in service').waitFor();

  await page.getByRole('button', { name: /Pat Provided/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').first().waitFor();
  await page.goto(`${app.config.partnersUrl}/people`);
  await page.getByRole('link', { name: `Sign in with ${name}` }).click();
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  expect(provider.asked).toBeGreaterThan(0);
  await page.context().close();
});
