import { describe, expect, test } from 'vitest';
import { formatAsTyped, regionOfBrowser, toE164 } from '../../adapters/login/ui/format-phone.ts';

describe('reading a phone number', () => {
  test.each([
    ['(212) 555-0142', 'US', '+12125550142'],
    ['212 555 0142', 'US', '+12125550142'],
    ['+49 30 901820', 'US', '+4930901820'],
    ['030 901820', 'DE', '+4930901820'],
    ['+1 212 555 0142', undefined, '+12125550142'],
  ] as const)('%s in %s is %s', (typed, region, expected) => {
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
  ] as const)('"%s" in %s is no number', (typed, region) => {
    expect(toE164(typed, region)).toBeUndefined();
  });
});

test('digits are grouped while they are typed', () => {
  expect(formatAsTyped('2125550142', 'US')).toBe('(212) 555-0142');
  expect(formatAsTyped('+4930901820', 'US')).toBe('+49 30 901820');
});

test('the region comes from the first language that has one', () => {
  expect(regionOfBrowser(['en-GB', 'de'])).toBe('GB');
  expect(regionOfBrowser(['de'])).toBe('DE');
  expect(regionOfBrowser(['eo'])).toBeUndefined();
  expect(regionOfBrowser([])).toBeUndefined();
});
