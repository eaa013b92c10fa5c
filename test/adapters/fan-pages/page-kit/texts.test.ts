import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import {
  byLanguage,
  chooseCatalogue,
  regionOfBrowser,
  usableLanguages,
} from '../../../../adapters/fan-pages/page-kit/languages.ts';
import { describeAction } from '../../../../adapters/fan-pages/page-kit/texts/describe-action.ts';
import { formatIn } from '../../../../adapters/fan-pages/page-kit/texts/format-message.ts';
import { hostedLanguages, readCatalogues } from '../../../../adapters/fan-pages/page-kit/texts/read-catalogues.ts';
import { durationIn, type Texts } from '../../../../adapters/fan-pages/page-kit/texts/words.ts';
import { ACTION_SCOPES } from '../../../../src/partners/scopes.ts';

/** Alone: the texts of the pages are found by Vite. */
const FOLDERS = ['page-kit/texts', 'portal/ui/texts', 'portal/receipt/texts', 'own-data/texts', 'plain-pages/texts'];

const LANGUAGES = hostedLanguages();

function cataloguesOf<Of = unknown>(folder: string): Readonly<Record<string, Of>> {
  return readCatalogues<Of>(new URL(`../../../../adapters/fan-pages/${folder}/`, import.meta.url));
}

const catalogues = Object.entries(cataloguesOf<Texts>('page-kit/texts')).map(([language, texts]) => ({
  language,
  texts,
}));

/** Every message with its place. */
function messagesOf(node: unknown, path = ''): [string, string][] {
  if (typeof node === 'string') return [[path, node]];
  return Object.entries(node as object).flatMap(([key, value]) => messagesOf(value, `${path}.${key}`));
}

/** The names of a message's arguments, each once. */
const argumentsOf = (message: string): string[] =>
  [...new Set([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => name))].sort();

test('spec §5.13: every action is explained to the fan in words of its own', () => {
  for (const { language, texts } of catalogues) {
    const titles = ACTION_SCOPES.map((scope) => texts.actions[scope].title);
    expect(new Set(titles).size, language).toBe(titles.length);
  }
});

test('an action that only reads is shown under "see", one that writes under "do"', () => {
  for (const { texts } of catalogues) {
    for (const scope of ACTION_SCOPES) {
      expect(describeAction(texts, scope).kind, scope).toBe(scope.endsWith('read') ? 'see' : 'act');
    }
  }
});

describe.each(FOLDERS)('the catalogues in %s', (folder) => {
  const inFolder = cataloguesOf(folder);
  const english = messagesOf(inFolder.en);

  test('are in every language', () => expect(Object.keys(inFolder)).toEqual(LANGUAGES));

  describe.each(LANGUAGES)('%s', (language) => {
    const messages = messagesOf(inFolder[language] ?? {});

    test('has the keys of the English one, in its order, with the same arguments', () => {
      const shapeOf = (all: [string, string][]) => all.map(([path, message]) => [path, ...argumentsOf(message)]);
      expect(shapeOf(messages)).toEqual(shapeOf(english));
    });

    test.each([0, 1, 3, 1000])('has a whole text for every place, with the number %d', (number) => {
      const values = Object.fromEntries(
        messages.flatMap(([, message]) => argumentsOf(message).map((name) => [name, number] as const)),
      );
      const format = formatIn(language, 'ltr');
      const texts = messages.map(([path, message]) => [path, format(compile(message), values)] as const);
      expect(
        texts.filter(([, text]) => text.trim() !== text || text === '' || /[{}]|undefined|NaN/.test(text)),
      ).toEqual([]);
    });

    test.skipIf(language === 'en')('is translated', () => {
      const englishAt = new Map(english);
      const same = messages.filter(([path, message]) => englishAt.get(path) === message);
      const may = /^\.(direction|sandbox\.name|steps\.code|modes\.sandbox|tickets|details\.docs)$/;
      expect(same.filter(([path]) => !may.test(path))).toEqual([]);
    });
  });
});

test('a language’s plural rules choose the form, and its units write a time to wait', () => {
  const say = (language: string, tries: number) => {
    const { texts } = catalogues.find((catalogue) => catalogue.language === language)!;
    return formatIn(language, texts.direction)(compile(texts.code.triesLeft), { tries });
  };
  expect([say('en', 1), say('en', 3), say('es', 1), say('es', 3)]).toEqual([
    '1 try left.',
    '3 tries left.',
    'Te queda 1 intento.',
    'Te quedan 3 intentos.',
  ]);
  expect([durationIn('en')(59.2), durationIn('de')(61), durationIn('fr')(7200)]).toEqual([
    '60 seconds',
    '2 Minuten',
    '2\u00a0heures',
  ]);
});

test('UAX #9 §2.4.2: names and numbers are set apart in a text of the other direction, and chosen forms stay chosen', () => {
  const message = compile(
    '{reason, select, over {{client}: {tickets, plural, one {# of +1} other {{phone}}}} other {-}}',
  );
  const values = { reason: 'over', client: 'Front Row (Beta)', phone: '+1 555 0100' };
  const say = (direction: string, more: object) => formatIn('ar', direction)(message, { ...values, ...more });
  expect(say('rtl', { tickets: 3 })).toBe('\u2068Front Row (Beta)\u2069: \u2068+1 555 0100\u2069');
  expect(say('ltr', { tickets: 3 })).toBe('Front Row (Beta): +1 555 0100');
  expect(say('ltr', { tickets: 3, client: 'Fan\u202Eepop' })).toBe(
    '\u2068Fan\u202Eepop\u2069: \u2068+1 555 0100\u2069',
  );
  expect(say('ltr', { tickets: 3, client: 'تذاكر' })).toBe('\u2068تذاكر\u2069: \u2068+1 555 0100\u2069');
});

const CATALOGUES = { en: 'EN', fr: 'FR', ja: 'JA' };
const choose = (wanted: string[]) => chooseCatalogue(wanted, CATALOGUES);

test('language tags of the operating system are made usable, and those that are none are left out', () => {
  expect(usableLanguages(['en-US@posix', 'de_DE.UTF-8', 'C!', 'fr'])).toEqual(['en-US', 'de-DE', 'fr']);
});

test('OpenID Connect Core §3.1.2.1: the first language of the list that the pages have is taken', () => {
  expect(choose(['nl', 'fr-CA', 'fr', 'en'])).toEqual({ catalogue: 'FR', language: 'fr', locale: 'fr-CA' });
  expect(choose(['<script>', 'ja'])).toEqual({ catalogue: 'JA', language: 'ja', locale: 'ja' });
});

test('who wants none of the languages gets English', () => {
  for (const wanted of [['nl-NL', 'sv'], []])
    expect(choose(wanted)).toEqual({ catalogue: 'EN', language: 'en', locale: 'en' });
});

test('a language is there as soon as its catalogue is, whatever the catalogue’s place; English stays the first', () => {
  const catalogues = byLanguage({ './ar.json': 'AR', '/texts/en.json?offline': 'EN', 'he.json': 'HE' });
  expect(Object.entries(catalogues)).toEqual([
    ['en', 'EN'],
    ['ar', 'AR'],
    ['he', 'HE'],
  ]);
  expect(chooseCatalogue(['ar-EG'], catalogues)).toEqual({ catalogue: 'AR', language: 'ar', locale: 'ar-EG' });
  // its tag of old
  expect(chooseCatalogue(['iw'], catalogues).catalogue).toBe('HE');
});

test('the country is the first that the browser’s languages name, else one that they imply', () => {
  expect(regionOfBrowser(['en-GB', 'de'])).toBe('GB');
  expect(regionOfBrowser(['de', 'de-AT'])).toBe('AT');
  expect(regionOfBrowser(['de'])).toBe('DE');
  expect(regionOfBrowser(['es-419'])).toBeUndefined();
  expect(regionOfBrowser(['eo'])).toBeUndefined();
  expect(regionOfBrowser([])).toBeUndefined();
});
