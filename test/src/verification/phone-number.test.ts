import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/errors.ts';
import { maskPhone, toE164 } from '../../../src/verification/phone-number.ts';

describe('ITU-T E.164: a number as a person types it', () => {
  it.each([
    ['+12025550142', '+12025550142'],
    [' +1 202 555 0142 ', '+12025550142'],
    ['+1 (202) 555-0142', '+12025550142'],
    ['+44 20 7946 0000', '+442079460000'],
    ['+44 (0)20 7946 0000', '+442079460000'],
    ['+49 30 901820', '+4930901820'],
  ])('%s is %s', (typed, e164) => {
    expect(toE164(typed)).toBe(e164);
  });

  it.each([
    '',
    ' ',
    '+',
    '+1',
    '2025550142',
    '0049 30 901820',
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

describe('a masked number', () => {
  it.each([
    ['+12025550142', '+1 ••• ••• 0142'],
    ['+442079460000', '+44 ••• ••• 0000'],
  ])('of %s shows the country and the last four digits: %s', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});
