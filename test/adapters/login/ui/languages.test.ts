import { expect, test } from 'vitest';
import { chooseLocale, regionOfBrowser, usableLanguages } from '../../../../adapters/page-kit/languages.ts';

test('language tags of the operating system are made usable, and those that are none are left out', () => {
  expect(usableLanguages(['en-US@posix', 'de_DE.UTF-8', 'C!', 'fr'])).toEqual(['en-US', 'de-DE', 'fr']);
});

test('OpenID Connect Core §3.1.2.1: the first language of the list that the pages have is taken', () => {
  expect(chooseLocale(['nl', 'fr-CA', 'fr', 'en'])).toEqual({ language: 'fr', locale: 'fr-CA' });
  expect(chooseLocale(['<script>', 'ja'])).toEqual({ language: 'ja', locale: 'ja' });
});

test('who wants none of the languages gets English', () => {
  expect(chooseLocale(['nl-NL', 'sv'])).toEqual({ language: 'en', locale: 'en' });
  expect(chooseLocale([])).toEqual({ language: 'en', locale: 'en' });
});

test('the country is the first that the browser’s languages name, else one that they imply', () => {
  expect(regionOfBrowser(['en-GB', 'de'])).toBe('GB');
  expect(regionOfBrowser(['de', 'de-AT'])).toBe('AT');
  expect(regionOfBrowser(['de'])).toBe('DE');
  expect(regionOfBrowser(['es-419'])).toBeUndefined();
  expect(regionOfBrowser(['eo'])).toBeUndefined();
  expect(regionOfBrowser([])).toBeUndefined();
});
