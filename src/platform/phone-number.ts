import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { currentPhoneForm } from './current-phone-form.ts';
import { DomainError } from './errors.ts';
import { plainDigits } from './plain-digits.ts';

/** ITU-T E.164 §6.2.1: a plus sign and at most 15 digits. */
const E164 = /^\+\d{1,15}$/;

/**
 * E.164 of a number as somebody wrote it: with a plus or `00` before the country code, or as it is dialled within `country`; in any
 * punctuation, in the digits of any script, in a form that its plan has ended since.
 * @returns undefined where it is none
 */
export function readPhone(text: string, country?: CountryCode): string | undefined {
  const typed = plainDigits(text.trim().slice(0, 40)).replace(/^(?:00|＋)/, '+');
  const written = parsePhoneNumberFromString(typed, country);
  const number = written && parsePhoneNumberFromString(currentPhoneForm(written.number));
  return number?.isPossible() && E164.test(number.number) ? number.number : undefined;
}

/** As `readPhone`, of a number with its country code. @throws DomainError `invalid_phone` */
export function toE164(text: string): string {
  const number = readPhone(text);
  if (number !== undefined) return number;
  throw new DomainError(
    'invalid_phone',
    'This is not a phone number. Begin with + and the country code, such as +1 202 555 0142.',
  );
}

/** `+1 ••• ••• 0142`: recognised by its owner, useless to others. @param phone E.164 */
export function maskPhone(phone: string): string {
  const callingCode = parsePhoneNumberFromString(phone)?.countryCallingCode ?? '';
  return `+${callingCode} ••• ••• ${phone.slice(-4)}`;
}

/** ISO 3166-1 alpha-2; several where countries share the prefix. @param phone E.164 */
export function countriesOf(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone);
  return number?.country ? [number.country] : (number?.getPossibleCountries() ?? []);
}
