import { readFileSync } from 'node:fs';
import compile from 'icu-minify/compile';
import type { Page } from 'playwright-core';

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
export function rightToLeftTexts<Texts>(folder: string): Texts {
  const english = JSON.parse(
    readFileSync(new URL(`../../adapters/fan-pages/${folder}/en.json`, import.meta.url), 'utf8'),
  );
  const translated = translateAll(english) as Record<string, unknown>;
  if ('direction' in english) translated.direction = 'rtl';
  return translated as Texts;
}

/** The page gets the pseudo language where it asks for the English catalogues. */
export async function readRightToLeft(page: Page): Promise<void> {
  const [kit, portal] = ['page-kit/texts', 'portal/ui/texts'].map(
    (folder) => `export default ${JSON.stringify(rightToLeftTexts(folder))};`,
  );
  await page.route(/\/assets\/en-[\w-]+\.js$/, async (route) => {
    const built = await (await route.fetch()).text();
    const body = (built.includes('direction:') ? kit : portal) ?? '';
    await route.fulfill({ contentType: 'text/javascript', body });
  });
}
