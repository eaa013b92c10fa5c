import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { authorizeUrl, REDIRECT_URI } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { otherThan, testUser } from '../login-calls.ts';
import { newPage } from './fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
afterEach(() => app.resetClock());

/** The fan comes from a partner that asks for these languages, and has a page that notes which catalogues it loads. */
async function arrive(options: BrowserContextOptions, uiLocales?: string) {
  const page = await newPage(browser, options);
  const catalogues: string[] = [];
  page.on('request', (request) => catalogues.push(...(/assets\/(\w\w)-/.exec(request.url())?.slice(1) ?? [])));
  await page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the partner' }));
  const { url, state } = await authorizeUrl(app, { parameters: { ui_locales: uiLocales } });
  await page.goto(url.href);
  await page.locator('#phone').waitFor();
  return { page, state, catalogues };
}

const languageOf = (page: Page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

test('OpenID Connect Core §3.1.2.1: the whole sign-in is in the language that the partner asks for', async () => {
  const { page, state } = await arrive({ locale: 'en-US' }, 'nl de-AT fr');
  const { phone, code } = testUser(app);
  expect(await languageOf(page)).toEqual(['de-AT', 'ltr']);
  expect(await page.title()).toBe('Mit deinem Telefon anmelden · Front Row');
  await page.getByLabel('Mobilnummer').fill(phone);
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.getByLabel('6-stelliger Code').pressSequentially(otherThan(code));
  await page.getByRole('alert').getByText('Dieser Code stimmt nicht. Noch 4 Versuche.').waitFor();
  await page.getByLabel('6-stelliger Code').pressSequentially(code);
  await page.getByRole('radio', { name: 'Nur ausgewählte Tickets' }).check();
  await page.getByRole('button', { name: 'Erlauben' }).click();
  await page.getByRole('alert').getByText('Wähle mindestens ein Ticket').waitFor();
  await page.getByRole('button', { name: 'Alle auswählen' }).click();
  await page.getByRole('button', { name: 'Erlauben' }).click();
  await page.getByText('the partner').waitFor();

  const callback = new URL(page.url());
  expect(callback.searchParams.get('state')).toBe(state);
  expect(callback.searchParams.get('code')).toMatch(/^ac_/);
});

test('without a wish of the partner the browser’s language is taken: dates and countries follow it', async () => {
  const { page, catalogues } = await arrive({ locale: 'ja-JP', timezoneId: 'Asia/Tokyo' });
  const { phone, code } = testUser(app);
  expect(await languageOf(page)).toEqual(['ja-JP', 'ltr']);
  const germany = page.getByLabel('国・地域').locator('option[value=DE]');
  await expect.poll(() => germany.textContent()).toBe('ドイツ (+49)');
  expect(await page.getByLabel('国・地域').inputValue()).toBe('JP');
  await page.getByLabel('携帯電話番号').fill(phone);
  await page.getByRole('button', { name: '次へ' }).click();
  await page.getByLabel('6桁のコード').pressSequentially(code);
  await page.getByRole('radio', { name: '選んだチケットだけ' }).check();

  const derby = page.getByRole('group', { name: 'City Derby' });
  await derby.getByText(/\d{4}年\d+月\d+日/).waitFor();
  expect([...new Set(catalogues)]).toEqual(['ja']);
});

test('an expired sign-in says so in the language of the partner, also after a reload', async () => {
  const { page } = await arrive({ locale: 'en-US' }, 'pt');
  app.advance(601);
  await page.reload();
  await page.getByRole('heading', { name: 'Este login expirou' }).waitFor();
  await page.getByRole('link', { name: 'Voltar para Front Row' }).waitFor();
});

test('the country follows a calling code that is typed, and a national number is sent with the country chosen', async () => {
  const { page } = await arrive({ locale: 'es-ES' });
  const number = page.getByLabel('Número de móvil');
  const country = page.getByLabel('País');
  await country.locator('option[value=GB]').waitFor({ state: 'attached' });
  expect(await country.inputValue()).toBe('ES');
  await number.pressSequentially('+44');
  await expect.poll(() => country.inputValue()).toBe('GB');
  await number.pressSequentially('7911123456');
  await expect.poll(() => number.inputValue()).toBe('+44 7911 123456');

  await country.selectOption('US');
  await number.fill('');
  await number.pressSequentially('2125550142');
  await expect.poll(() => number.inputValue()).toBe('(212) 555-0142');
  const sent = page.waitForRequest('**/trpc/phone.sendCode');
  await page.getByRole('button', { name: 'Continuar' }).click();
  expect((await sent).postDataJSON()).toEqual({ phone: '+12125550142' });
});
