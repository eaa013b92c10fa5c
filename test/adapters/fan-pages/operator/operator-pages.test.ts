import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { png } from '../../../src/partners/client/logo-images.ts';
import { barriersFrom, SIDES } from '../../../support/find-barriers.ts';
import { authorizeUrl } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { testUser } from '../login/login-calls.ts';
import { enterCode, enterPhone, newPage } from '../login/ui/fan.ts';

const folder = mkdtempSync(join(tmpdir(), 'fan-api-operator-'));
const logo = join(folder, 'logo.png');
const image = png({ width: 160, height: 64 });
writeFileSync(logo, image);
afterAll(() => rmSync(folder, { recursive: true }));

/** Also what a page that trusts its operator too much would run. */
const NAME = 'Nordic <b>Tickets</b> & "Co"';
const LINKS = {
  Privacy: 'https://n.example/privacy?a=1&b=2',
  Terms: 'https://n.example/terms',
  Help: 'https://n.example/help',
};
const ENV = {
  OPERATOR_NAME: NAME,
  OPERATOR_LOGO: logo,
  OPERATOR_COLOR: '#c81e3c',
  OPERATOR_PRIVACY_URL: LINKS.Privacy,
  OPERATOR_TERMS_URL: LINKS.Terms,
  OPERATOR_HELP_URL: LINKS.Help,
};
const [app, neutral, browser] = await Promise.all([testApp({ env: ENV }), testApp(), testBrowser()]);

/** The address of each kind of page that a fan can meet. */
const PAGES: [string, (of: typeof app) => Promise<string>][] = [
  ['the login page', async (of) => (await authorizeUrl(of)).url.href],
  ['the login page of an unknown link', async (of) => `${of.origin}/login?session_id=sess_x`],
  ['the portal', async (of) => `${of.origin}/login/apps`],
  ['the error page', async (of) => `${of.origin}/oauth2/authorize?client_id=x`],
  ['an unknown address', async (of) => `${of.origin}/login/nothing`],
  ['the start page', async (of) => `${of.origin}/`],
];

const ON_A_PHONE = SIDES.filter(({ width }) => width === 320);

async function visit(url: string, options: BrowserContextOptions = {}) {
  const page = await newPage(browser, { isMobile: false, ...options });
  await page.goto(url);
  await page.locator('h1').waitFor();
  return page;
}

describe('whose account it is', () => {
  test.each(PAGES)("%s shows the operator's name, logo, colour and links, without a barrier", async (_, urlOf) => {
    const page = await visit(await urlOf(app));
    expect(await page.getByRole('banner').innerText()).toContain(`${NAME} account`);
    const shown = page.locator('.operator img');
    await expect.poll(() => shown.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(160);
    const footer = page.getByRole('contentinfo');
    for (const [name, href] of Object.entries(LINKS)) {
      expect(await footer.getByRole('link', { name }).getAttribute('href')).toBe(href);
    }
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--fill'))).toBe(
      '#c81e3c',
    );
    const [button] = await page.locator('.button.primary').all();
    const colour = await button?.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(['rgb(200, 30, 60)', undefined]).toContain(colour);
    expect(await page.locator('b').count()).toBe(0);
    expect(await barriersFrom(page, { sides: ON_A_PHONE })).toEqual([]);
  });

  test.each(PAGES)(
    'without a configuration %s is for the fan account, with no link that leads nowhere, and without a barrier',
    async (_, urlOf) => {
      const page = await visit(await urlOf(neutral));
      expect(await page.getByRole('banner').innerText()).toContain('Fan account');
      expect(await page.locator('.operator img, .operator-links').count()).toBe(0);
      expect(await barriersFrom(page, { sides: ON_A_PHONE })).toEqual([]);
    },
  );

  test('the portal shows it while the fan is signed in as well', async () => {
    const page = await visit(`${app.origin}/login/apps`);
    const { phone, code } = testUser(app);
    await enterPhone(page, phone);
    await enterCode(page, code);
    await page.locator('.portal h1').waitFor();
    expect(await page.getByRole('banner').innerText()).toContain(`${NAME} account`);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).waitFor();
    expect(await barriersFrom(page, { sides: ON_A_PHONE })).toEqual([]);
  });

  test('a link opens beside the sign-in, which goes on', async () => {
    const page = await visit((await authorizeUrl(app)).url.href);
    await page.context().route('https://n.example/**', (route) => route.fulfill({ body: 'terms' }));
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Terms' }).click()]);
    await opened.waitForURL(LINKS.Terms);
    expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, '']);
    await page.getByLabel('Mobile number').waitFor();
  });

  test('staff see the name, and none of the links for fans', async () => {
    const page = await visit(`${app.config.adminUrl}/auth/sign-in`);
    expect(await page.getByRole('banner').innerText()).toBe(NAME);
    expect(await page.getByRole('contentinfo').count()).toBe(0);
  });

  test('the policy of built pages allows the one style more, and nothing else', async () => {
    const policyOf = async (of: typeof app) =>
      (await fetch(`${of.origin}/login/apps`)).headers.get('content-security-policy') ?? '';
    const [branded, plain] = [await policyOf(app), await policyOf(neutral)];
    expect(branded.replace(/ 'sha256-[\w+/]{43}='/, '')).toBe(plain);
    expect(plain).not.toMatch(/unsafe|sha256/);
  });

  test('the logo is served by its hash, for good, as nothing but an image', async () => {
    const url = app.config.operator.logo?.hash.slice(0, 16) ?? '';
    const answer = await fetch(`${app.origin}/login/operator/${url}`);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(image);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    for (const path of ['', url.slice(1), `x${url}`]) {
      expect((await fetch(`${app.origin}/login/operator/${path}`)).status, path).toBe(404);
    }
  });
});
