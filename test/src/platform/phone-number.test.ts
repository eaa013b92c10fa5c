import { describe, expect, it } from 'vitest';
import { parseRow } from '../../../src/inventory/parse-row.ts';
import { readPhone, toE164 } from '../../../src/platform/phone-number.ts';
import { plainDigits } from '../../../src/platform/plain-digits.ts';

describe('a number is read', () => {
  it.each([
    ['as it is printed', '+1 (202) 555-0142', '+12025550142'],
    ['with 00 for the plus', '004930123456', '+4930123456'],
    ['with 00, in groups', '00 49 30 123456', '+4930123456'],
    ['in Arabic digits', '+٤٩ ٣٠ ١٢٣٤٥٦', '+4930123456'],
    ['in full-width digits', '＋４９３０１２３４５６', '+4930123456'],
    ['in Devanagari digits', '+४९ ३० १२३४५६', '+4930123456'],
    ['of Mexico, with the 1 that ended in 2019', '+52 1 55 1234 5678', '+525512345678'],
    ['of Mexico, with 00 and the 1', '005215512345678', '+525512345678'],
    ['of Mexico, with the prefix of mobile phones', '+52 044 55 1234 5678', '+525512345678'],
    ['of Mexico, as it is now', '+52 55 1234 5678', '+525512345678'],
    ['of Benin, without the 01 of 2024', '+229 97 12 34 56', '+2290197123456'],
    ['of Benin, as it is now', '+229 01 97 12 34 56', '+2290197123456'],
    ['of Côte d’Ivoire, as before 2021: Orange', '+225 07 12 34 56', '+2250707123456'],
    ['of Côte d’Ivoire, as before 2021: MTN', '+225 05 12 34 56', '+2250505123456'],
    ['of Côte d’Ivoire, as before 2021: Moov', '+225 41 12 34 56', '+2250141123456'],
    ['of Côte d’Ivoire, as it is now', '+225 07 07 12 34 56', '+2250707123456'],
  ])('%s: %s', (_, typed, number) => {
    expect(readPhone(typed)).toBe(number);
    const row = { kind: 'ticket', reference: 't', event: 'e', ticket_type: 's', holder_phone: typed };
    expect(parseRow(row).row).toMatchObject({ holder_phone: number });
  });

  it.each([
    ['a mobile number of Brazil without its ninth digit, which may be a landline', '+55 11 8765 4321', '+551187654321'],
    ['a landline of Argentina, which may be a mobile number without its 9', '+54 11 5555 1234', '+541155551234'],
    ['eleven digits of Vietnam, under which fans may be stored', '+84 1689 123 456', '+841689123456'],
    ['seven digits of Gabon, under which fans may be stored', '+241 7 12 34 56', '+2417123456'],
  ])('as it is, where the two forms may be two people: %s', (_, typed, number) => {
    expect(readPhone(typed)).toBe(number);
  });

  it.each([
    ...['', '+', '00', '0', '12', '+1 202', 'call me', '+52 2 55 1234 5678', '٤٥٦', '++49 30'],
    ...['+225 21 12 34 56', '+225 60 12 34 56', '+225 69 12 34 56', '+225 90 12 34 56'],
  ])('only where it is one: not "%s"', (typed) => {
    expect(readPhone(typed)).toBeUndefined();
    expect(() => toE164(typed)).toThrow('This is not a phone number.');
  });
});

describe('digits', () => {
  it.each([
    ['٤٥٦١٢٣', '456123'],
    ['۴۵۶۱۲۳', '456123'],
    ['４５６１２３', '456123'],
    ['४५६१२३', '456123'],
    ['𝟒𝟓𝟔', '456'],
    ['𝟘𝟡𝟢𝟫', '0909'],
    ['Ⅳ ④ ½ a7', 'Ⅳ ④ ½ a7'],
  ])('of every script are 0 to 9, and nothing else changes: %s', (typed, plain) => {
    expect(plainDigits(typed)).toBe(plain);
  });

  it('have their values in every script', () => {
    const all = Array.from({ length: 0x20000 }, (_, point) => String.fromCodePoint(point)).filter((each) =>
      /\p{Nd}/u.test(each),
    );
    expect(all.length % 10).toBe(0);
    expect(plainDigits(all.join(''))).toBe('0123456789'.repeat(all.length / 10));
  });
});
