import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { DomainError } from './errors.ts';

/** ITU-T E.164 §6.2.1: a plus sign and at most 15 digits. */
const E164 = /^\+\d{1,15}$/;

/** E.164 of a number as typed, with country code. @throws DomainError `invalid_phone` */
export function toE164(text: string): string {
  const number = parsePhoneNumberFromString(text.slice(0, 40));
  if (!number?.isPossible() || !E164.test(number.number)) {
    throw new DomainError(
      'invalid_phone',
      'This is not a phone number. Begin with + and the country code, such as +1 202 555 0142.',
    );
  }
  return number.number;
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
