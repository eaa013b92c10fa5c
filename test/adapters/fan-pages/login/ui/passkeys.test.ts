import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fanOf, leaveAlone, type NumberOwner, proveNumber } from '../../../../src/sign-in/verification/long-unused.ts';
import { axeBarriers, overflow } from '../../../../support/find-barriers.ts';
import { authorizeUrl } from '../../../../support/partner.ts';
import {
  enableProductionClient,
  giveTicket,
  PRODUCTION_REDIRECT_URI,
  readCodesFromLog,
} from '../../../../support/production.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testUser } from '../login-calls.ts';
import { beginSignIn, enterCode, enterPhone, newPage } from './fan.ts';

/** D-073 and D-075 with a real browser and its virtual authenticator. */
let page: Page;
let device: Awaited<ReturnType<typeof virtualAuthenticator>>;
let owner: NumberOwner;
let numbers = 9000;

const [app, browser] = await Promise.all([testApp({ env: { PASSKEY_SIGN_IN: 'true' } }), testBrowser()]);
const client = await enableProductionClient(app);
beforeEach(async () => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  page = await newPage(browser);
  device = await virtualAuthenticator(page);
  await page.route(`${PRODUCTION_REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the partner' }));
});
afterEach(() => app.resetClock());

const button = (name: string | RegExp) => page.getByRole('button', { name });

async function toPhoneStep(): Promise<void> {
  await page.goto((await authorizeUrl(app, client)).url.href);
  await page.getByLabel('Mobile number').waitFor();
}

async function signInByCode(phone: string): Promise<void> {
  await toPhoneStep();
  await enterPhone(page, phone);
  await enterCode(page, owner.codeFor(phone));
}

/** A production fan with a passkey on this device. */
async function withPasskey(): Promise<string> {
  const phone = `+1404555${numbers++}`;
  await signInByCode(phone);
  await button('Create a passkey').click();
  await button('Allow').waitFor();
  return phone;
}

test('where a passkey does not sign in in place of the phone, the page has no button for it', async () => {
  Object.assign(app.runtime.config, { passkeySignIn: false });
  await toPhoneStep();
  expect(await button('Use a passkey').count()).toBe(0);
  Object.assign(app.runtime.config, { passkeySignIn: true });
});

test('a passkey is offered after the code, made, and signs in next time without a code', async () => {
  await beginSignIn(page, app);
  await enterPhone(page, testUser(app).phone);
  await enterCode(page, testUser(app).code);
  await page.getByRole('heading', { name: 'Sign in without a code next time' }).waitFor();
  expect(await axeBarriers(page)).toEqual([]);
  expect(await overflow(page)).toEqual([]);
  await button('Create a passkey').click();
  await page.getByRole('heading', { name: 'Choose what to allow' }).waitFor();
  expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);

  await beginSignIn(page, app);
  await button('Use a passkey').click();
  await page.getByText(`Signed in as +1 ••• ••• ${testUser(app).phone.slice(-4)}`).waitFor();
  await button('Allow').click();
  await page.getByRole('region', { name: 'Token response' }).waitFor();
});

test('without the fingerprint nobody is signed in, and the page says how to go on', async () => {
  await withPasskey();
  await device.forgetFinger();
  await toPhoneStep();
  await button('Use a passkey').click();
  await page.getByRole('alert').getByText('No passkey was used').waitFor();
});

test('or it starts a new account, after asking once more', async () => {
  const phone = `+1404555${numbers++}`;
  await proveNumber(owner, phone);
  const before = await fanOf(app, phone);
  await giveTicket(app, before);
  await leaveAlone(app, before);
  app.advance(31);
  await signInByCode(phone);
  await button('Start a new account').click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await button('Start a new account').click();
  await button('Yes, start a new account').click();
  await button('Not now').click();
  await page.getByText('You have no upcoming tickets.', { exact: false }).first().waitFor();
  expect((await fanOf(app, phone)).id).not.toBe(before.id);
});

test('at the portal: signing in by passkey, adding one, removing one, and changing the number', async () => {
  await withPasskey();
  await page.goto(`${app.config.loginUrl}/apps`);
  await button('Use a passkey').click();
  const settings = page.getByRole('region', { name: 'How you sign in' });
  await settings.getByText(/Chrome \d+/).waitFor();
  expect(await axeBarriers(page)).toEqual([]);
  expect(await overflow(page)).toEqual([]);
  await settings.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await settings.getByText('You have no passkey yet').waitFor();
  await settings.getByRole('button', { name: 'Add a passkey' }).click();
  await settings.getByText('Passkey added.').waitFor();

  const to = `+1404555${numbers++}`;
  await settings.getByRole('button', { name: 'Change number' }).click();
  await page.getByRole('heading', { name: 'Your new number' }).waitFor();
  await page.getByLabel('Mobile number').fill(to);
  await button('Continue').click();
  await page.getByRole('heading', { name: 'Confirm your new number' }).waitFor();
  expect(await axeBarriers(page)).toEqual([]);
  await enterCode(page, owner.codeFor(to));
  await page.getByText('Your number is changed.').waitFor();
  await settings.getByText(`+1 ••• ••• ${to.slice(-4)}`).waitFor();
});

/** Chromium's virtual authenticator, as a phone's own: it keeps passkeys and asks for a fingerprint, which succeeds. */
async function virtualAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      return (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    },
    /** The fingerprint is not recognised from now on. */
    async forgetFinger() {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    },
  };
}
