import { afterEach, expect, test } from 'vitest';
import { registerFan } from '../../../../../src/sign-in/fan/register-fan.ts';
import { leaveAlone } from '../../../../src/sign-in/verification/long-unused.ts';
import { barriersFrom } from '../../../../support/find-barriers.ts';
import { authorizeUrl } from '../../../../support/partner.ts';
import { portalCodeSent } from '../../../../support/phone-challenge.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../../../../support/production.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { enterCode, enterPhone, newPage } from './fan.ts';

/** The step of D-073 in every state, at the sign-in and at the portal. */
const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const client = await enableProductionClient(app);
afterEach(() => app.resetClock());

let numbers = 8000;

/** The number of a fan with a ticket who last proved it 366 days ago. */
async function longUnusedNumber(): Promise<string> {
  const phone = `+1404555${numbers++}`;
  const fan = await registerFan(app.context(), 'production', phone);
  await giveTicket(app, fan, { eventName: 'Secret Show' });
  await leaveAlone(app, fan);
  return phone;
}

const ENTRANCES = {
  login: async () => (await authorizeUrl(app, client)).url.href,
  portal: async () => `${app.config.loginUrl}/apps`,
} as const;

test.each(['login', 'portal'] as const)(
  'WCAG 2.2: no state of the step at the %s has a barrier or has to be scrolled sideways, on a phone and a desk screen, light and dark',
  async (at) => {
    const codeFor = readCodesFromLog(app);
    const phone = await longUnusedNumber();
    const page = await newPage(browser, { isMobile: false });
    await page.goto(await ENTRANCES[at]());
    await enterPhone(page, phone);
    if (at === 'portal') await portalCodeSent(app, phone);
    await enterCode(page, codeFor(phone));
    const found: Record<string, string[]> = {};
    const see = async (name: string) => {
      found[name] = await barriersFrom(page);
    };
    await page.getByRole('heading', { name: 'Is this account yours?' }).waitFor();
    expect(await page.content()).not.toContain('Secret Show');
    await see('asked');
    await page.getByRole('button', { name: 'Start a new account' }).click();
    await page.getByRole('button', { name: 'Yes, start a new account' }).waitFor();
    await see('sure');
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'Get a code for support' }).click();
    await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).waitFor();
    await see('support');
    expect(found).toEqual({ asked: [], sure: [], support: [] });
  },
);
