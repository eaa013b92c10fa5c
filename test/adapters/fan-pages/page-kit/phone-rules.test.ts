import { describe, expect, test } from 'vitest';
import {
  callingCodeOf,
  formatAsTyped,
  moveToRegion,
  regionOf,
  regionsWithNumbers,
  toE164,
} from '../../../../adapters/fan-pages/page-kit/phone/phone-rules.ts';

describe('reading a phone number', () => {
  test.each([
    ['(212) 555-0142', 'US', '+12125550142'],
    ['212 555 0142', 'US', '+12125550142'],
    ['+49 30 901820', 'US', '+4930901820'],
    ['030 901820', 'DE', '+4930901820'],
    ['+1 212 555 0142', undefined, '+12125550142'],
    ['+1 212 555 0142', 'AQ', '+12125550142'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['0049 30 901820', 'US', '+4930901820'],
    ['011 49 30 901820', 'US', '+4930901820'],
    ['+52 1 55 1234 5678', 'US', '+525512345678'],
    ['1 55 1234 5678', 'MX', '+525512345678'],
    ['97 12 34 56', 'BJ', '+2290197123456'],
    ['٠٣٠ ٩٠١٨٢٠', 'DE', '+4930901820'],
    ['＋４９ ３０ ９０１８２０', undefined, '+4930901820'],
  ])('%s in %s is %s', (typed, region, expected) => {
    expect(toE164(typed, region)).toBe(expected);
  });

  test('a number with a plus sign that no country has is left to the server to judge', () => {
    expect(toE164('+999 1234 567', 'US')).toBe('+9991234567');
  });

  test.each([
    ['', 'US'],
    ['12', 'US'],
    ['+1 212', 'US'],
    ['call me', 'US'],
    ['212 555 0142', undefined],
    ['212 555 0142', 'AQ'],
  ])('"%s" in %s is no number', (typed, region) => {
    expect(toE164(typed, region)).toBeUndefined();
  });
});

test('digits are grouped while they are typed', () => {
  expect(formatAsTyped('2125550142', 'US')).toBe('(212) 555-0142');
  expect(formatAsTyped('+4930901820', 'US')).toBe('+49 30 901820');
});

describe('the country follows what is typed', () => {
  test.each([
    ['+44', 'US', 'GB'],
    ['+44 7911', 'US', 'GB'],
    ['+1', 'GB', 'US'],
    ['+1 416 555 0142', 'US', 'CA'],
    ['+7', 'DE', 'RU'],
    ['0049 30', 'FR', 'DE'],
    ['+44', undefined, 'GB'],
  ])('%s, with %s chosen, is a number of %s', (typed, chosen, expected) => {
    expect(regionOf(typed, chosen)).toBe(expected);
  });

  test.each([
    ['212', 'US'],
    ['+', 'DE'],
    ['+999', 'DE'],
    ['+44', 'GG'],
    ['', undefined],
  ])('%j leaves the choice of %s', (typed, chosen) => {
    expect(regionOf(typed, chosen)).toBe(chosen);
  });
});

test('a country that is chosen takes the calling code of another off the number', () => {
  expect(moveToRegion('+1 212 555 0142', 'US', 'DE').replace(/\D/g, '')).toBe('2125550142');
  expect(moveToRegion('030 901820', 'DE', 'FR').replace(/\D/g, '')).toBe('030901820');
  expect(moveToRegion('+', 'US', 'FR')).toBe('');
});

test('every country that can be chosen has a calling code and a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(regionsWithNumbers().length).toBeGreaterThan(200);
  for (const region of regionsWithNumbers()) {
    expect(callingCodeOf(region), region).toMatch(/^\d{1,3}$/);
    expect(names.of(region), region).toBeDefined();
  }
});
