import { expect, test } from 'vitest';
import {
  byLanguage,
  chooseCatalogue,
  regionOfBrowser,
  usableLanguages,
} from '../../../../../adapters/fan-pages/page-kit/languages.ts';

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
