import { describe, expect, it } from 'vitest';
import { checkNumber } from '../../../src/abuse/check-number.ts';

const everywhere = { countries: undefined };

describe('which numbers get codes', () => {
  it.each([
    ['+12025550142', 'US', '+1202555'],
    ['+447400123456', 'GB', '+44740012'],
    ['+447797712345', 'JE', '+44779771'],
    ['+4915112345678', 'DE', '+491511234'],
  ])('%s is of %s, in the range %s', (phone, country, range) => {
    expect(checkNumber(everywhere, phone)).toEqual({ phone, country, range });
  });

  it.each([
    ['a premium rate', '+19005550123'],
    ['a free call', '+18005550123'],
    ['a personal number, which forwards at a price', '+447012345678'],
    ['an international network', '+8821612345678'],
    ['a satellite', '+870773111632'],
    ['a number that the numbering plan does not have', '+447700000000000'],
    ['a number that the plan has not given out', '+15005550006'],
  ])('%s gets none: %s', (_, phone) => {
    expect(() => checkNumber(everywhere, phone)).toThrow(expect.objectContaining({ code: 'invalid_phone' }));
  });

  it('a country that is not on the list gets none', () => {
    const countries = new Set(['GB', 'JE']);
    expect(checkNumber({ countries }, '+447797712345').country).toBe('JE');
    expect(() => checkNumber({ countries }, '+12025550142')).toThrow(
      expect.objectContaining({ code: 'verification_unavailable', message: expect.stringContaining('this country') }),
    );
  });
});
