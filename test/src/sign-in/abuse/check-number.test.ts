import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../../src/platform/errors.ts';
import { maskPhone, toE164 } from '../../../../src/platform/phone-number.ts';
import { checkNumber } from '../../../../src/sign-in/abuse/check-number.ts';
import { networkOf } from '../../../../src/sign-in/abuse/network-of.ts';

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

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('ITU-T E.164: a number as a person types it', () => {
  it.each([
    ['+12025550142', '+12025550142'],
    [' +1 202 555 0142 ', '+12025550142'],
    ['+1 (202) 555-0142', '+12025550142'],
    ['+44 20 7946 0000', '+442079460000'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+49 30 901820', '+4930901820'],
    ['0049 30 901820', '+4930901820'],
  ])('%s is %s', (typed, e164) => {
    expect(toE164(typed)).toBe(e164);
  });

  it.each([
    '',
    ' ',
    '+',
    '+1',
    '2025550142',
    'hello',
    '+999123456',
    '+1 202',
    '+39 12',
    '+1 202 555 0142 0142',
    '+1-800-FLOWERS-NOW-AND-THEN',
    "+1'; drop table fan; --",
    '+49123456789012345',
    '+4912345678901234',
  ])('"%s" is refused as invalid_phone', (typed) => {
    let refusal: unknown;
    try {
      refusal = toE164(typed);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'invalid_phone', message: expect.stringContaining('+1 202 555 0142') });
  });
});

it.each([
  ['+12025550142', '+1 ••• ••• 0142'],
  ['+442079460000', '+44 ••• ••• 0000'],
])('a masked number: of %s shows the country and the last four digits: %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});
