import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { loadOperator } from '../../../../../adapters/fan-pages/operator/load-operator.ts';
import { formatIn } from '../../../../../adapters/fan-pages/page-kit/texts/format-message.ts';
import { unknownAddressPage, unusableLinkPage } from '../../../../../adapters/fan-pages/plain-pages/fan-pages.ts';
import { homePage } from '../../../../../adapters/fan-pages/plain-pages/home-page.ts';
import { pageHtml } from '../../../../../adapters/fan-pages/plain-pages/page-html.ts';
import type { PageWords } from '../../../../../adapters/fan-pages/plain-pages/page-words.ts';
import { receiptPage } from '../../../../../adapters/fan-pages/portal/receipt/receipt-page.ts';
import { type ReceiptWords, receiptWords } from '../../../../../adapters/fan-pages/portal/receipt/receipt-words.ts';
import { signOwnReceipt } from '../../../../../src/sign-in/consent/sign-receipt.ts';
import { axeBarriers, overflow } from '../../../../support/find-barriers.ts';
import { authorizeUrl, REDIRECT_URI, signIn } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testUser } from '../login-calls.ts';
import { newPage } from './fan.ts';

/** The hosted pages in a language that is written from right to left, so that Arabic or Hebrew needs a catalogue and no code. */
const [app, browser] = await Promise.all([testApp(), testBrowser()]);

/**
 * A pseudo language that is written from right to left: the English catalogues with Arabic letters, in the place of the English
 * ones. A real one is such a catalogue, and its `direction`.
 */
const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const ARABIC = [...'ابتثجحخدذرزسشصضطظعغفقكلمنه'];

type Part = string | number | [name: string, ...more: unknown[]];

function pseudo(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => ARABIC[LATIN.indexOf(letter.toLowerCase())] ?? letter);
}

/** A compiled message, with its own texts only changed: arguments and the names of their forms stay. */
function translate(message: unknown): unknown {
  if (typeof message === 'string') return pseudo(message);
  if (!Array.isArray(message)) return message;
  return message.map((part: Part) => (Array.isArray(part) ? part.map(translateForms) : translate(part)));
}

function translateForms(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([form, message]) => [form, translate(message)]));
}

function translateAll(node: unknown): unknown {
  if (typeof node === 'string') return translate(compile(node));
  return Object.fromEntries(Object.entries(node as object).map(([key, child]) => [key, translateAll(child)]));
}

/** A catalogue of the pseudo language, with its messages compiled. @param folder below `adapters/fan-pages` */
function rightToLeftTexts<Texts>(folder: string): Texts {
  const english = JSON.parse(
    readFileSync(new URL(`../../../../../adapters/fan-pages/${folder}/en.json`, import.meta.url), 'utf8'),
  );
  const translated = translateAll(english) as Record<string, unknown>;
  if ('direction' in english) translated.direction = 'rtl';
  return translated as Texts;
}

/** The page gets the pseudo language where it asks for the English catalogues. */
async function readRightToLeft(page: Page): Promise<void> {
  const [kit, portal, ownData] = ['page-kit/texts', 'portal/ui/texts', 'own-data/texts'].map(
    (folder) => `export default ${JSON.stringify(rightToLeftTexts(folder))};`,
  );
  await page.route(/\/assets\/en-[\w-]+\.js$/, async (route) => {
    const built = await (await route.fetch()).text();
    const body = (built.includes('direction:') ? kit : built.includes('askDetail:') ? ownData : portal) ?? '';
    await route.fulfill({ contentType: 'text/javascript', body });
  });
}

const SCREENS = [
  { name: 'a phone', options: {} },
  { name: 'a desktop', options: { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false } },
] as const;

/** Looks at a screen: nothing beside the page, no barrier, and what leads stands on the right. */
async function look(page: Page, step: string): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.dir), step).toBe('rtl');
  expect([await overflow(page), await axeBarriers(page)], step).toEqual([[], []]);
  const heading = page.locator('h1').first();
  expect(await heading.evaluate((element) => getComputedStyle(element).direction), step).toBe('rtl');
  expect(await heading.evaluate((element) => getComputedStyle(element).textAlign), step).not.toBe('left');
  expect(await page.locator('main').innerText(), step).toMatch(/[\u0600-\u06ff]/);
}

async function enterPhoneAndCode(page: Page): Promise<void> {
  const { phone, code } = testUser(app);
  await page.locator('#phone').waitFor();
  await look(page, `${new URL(page.url()).pathname.split('/').pop()}-phone`);
  await page.locator('#phone').fill(phone);
  await page.locator('button[type=submit]').click();
  await page.locator('input.code').waitFor();
  await look(page, `${new URL(page.url()).pathname.split('/').pop()}-code`);
  // digits are written from left to right in every language
  expect(await page.locator('input.code').getAttribute('dir')).toBe('ltr');
  await page.locator('input.code').pressSequentially(code);
}

test.each(SCREENS)('on $name: sign-in and consent', async ({ options }) => {
  const page = await newPage(browser, options);
  await readRightToLeft(page);
  await page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the partner' }));
  await page.goto((await authorizeUrl(app)).url.href);
  await enterPhoneAndCode(page);
  await page.locator('input[type=radio]').nth(1).check();
  await look(page, 'consent');
});

test.each(SCREENS)('on $name: the apps of the fan', async ({ options }) => {
  await signIn(app);
  const page = await newPage(browser, options);
  await readRightToLeft(page);
  await page.goto(`${app.config.loginUrl}/apps`);
  await enterPhoneAndCode(page);
  await page.locator('article').first().waitFor();
  await look(page, 'portal');
});

/** Of the pages that the server writes, in the pseudo language. */
async function writtenPages(): Promise<[string, string][]> {
  const write = formatIn('ar', 'rtl');
  const words: PageWords = {
    texts: rightToLeftTexts('plain-pages/texts'),
    operator: rightToLeftTexts<Pick<PageWords, 'operator'>>('page-kit/texts').operator,
    locale: 'ar',
    format: (message, values = {}) => write(message as CompiledMessage, values),
  };
  const served = await (await fetch(`${app.origin}/`, { headers: { accept: 'text/html' } })).text();
  const style = /<style>(.*?)<\/style>/s.exec(served)?.[1] ?? '';
  const operator = await loadOperator(app.config);
  const around = { words, operator, style, isForFans: true, requestId: crypto.randomUUID() };
  const refusal = { error: 'invalid_request', description: 'The redirect_uri of the link is not one of this app.' };
  const { grant_id: grantId } = await signIn(app);
  const receipt = await signOwnReceipt(app.context(), testUser(app).id, grantId);
  const receiptInPseudo: ReceiptWords = {
    ...receiptWords(['ar'], 'UTC'),
    texts: rightToLeftTexts('portal/receipt/texts'),
    page: rightToLeftTexts('page-kit/texts'),
  };
  const keysUrl = `${app.config.authUrl}/.well-known/jwks.json`;
  return [
    ['home', pageHtml(homePage(app.config, undefined)(words), around)],
    ['unknown', pageHtml(unknownAddressPage(app.origin)(words), around)],
    ['unusable', pageHtml(unusableLinkPage(refusal)(words), around)],
    ['receipt', receiptPage(receipt, receiptInPseudo, { key: undefined, keysUrl })],
  ];
}

test.each(SCREENS)('on $name: the pages that the server writes, and the receipt', async ({ options }) => {
  const page = await newPage(browser, options);
  for (const [name, html] of await writtenPages()) {
    await page.setContent(html);
    await look(page, name);
  }
});
