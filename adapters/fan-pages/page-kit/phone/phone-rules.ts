/**
 * Phone numbers as fans type them: formatted while typed, and parsed to E.164 with a default region. The numbering plans
 * are most of the page's script, so this file is loaded on its own, after the form is on the screen.
 */
import {
  AsYouType,
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { currentPhoneForm } from '../../../../src/platform/current-phone-form.ts';
import { plainDigits } from '../../../../src/platform/plain-digits.ts';

export type PhoneRules = typeof import('./phone-rules.ts');

/** The region, where it has a numbering plan. */
const known = (region: string | undefined): CountryCode | undefined =>
  region !== undefined && isSupportedCountry(region) ? region : undefined;

/** Every region that has numbers, in no useful order. */
export const regionsWithNumbers = (): readonly string[] => getCountries();

/** Calling code of a region, without the plus sign: `1` for `US`. */
export function callingCodeOf(region: string | undefined): string | undefined {
  const supported = known(region);
  return supported && getCountryCallingCode(supported);
}

/** Groups the digits as the number's country does. */
export const formatAsTyped = (typed: string, region: string | undefined): string =>
  new AsYouType(known(region)).input(typed);

/**
 * The region of a number that begins with a calling code, otherwise the chosen one. Where regions share the code, the chosen
 * one stays until the digits decide; if it has another code, the result is the largest region: `US` for `+1`, `GB` for `+44`.
 */
export function regionOf(typed: string, chosen: string | undefined): string | undefined {
  const reader = new AsYouType(known(chosen));
  reader.input(typed);
  const callingCode = reader.isInternational() ? reader.getCallingCode() : undefined;
  if (callingCode === undefined) return chosen;
  const sharing = metadata.country_calling_codes[callingCode] ?? [];
  return reader.getCountry() ?? sharing.find((region) => region === chosen) ?? sharing[0] ?? chosen;
}

/** The same number for another region that the fan chose: a typed calling code is removed. */
export function moveToRegion(typed: string, from: string | undefined, to: string): string {
  const reader = new AsYouType(known(from));
  reader.input(typed);
  const isInternational = reader.isInternational() || typed.trim().startsWith('+');
  return formatAsTyped(
    isInternational ? (reader.getNumber()?.nationalNumber ?? '') : plainDigits(typed).replace(/\D/g, ''),
    to,
  );
}

/**
 * The number in E.164, or undefined when it can't be one. An unknown number with a plus sign is passed on: the server
 * decides, and sandbox numbers need not exist.
 */
export function toE164(typed: string, region: string | undefined): string | undefined {
  const plain = plainDigits(typed).trim();
  for (const spelling of [plain, plain.replace(/^(?:00|＋)/, '+')]) {
    const parsed = parsePhoneNumberFromString(spelling, known(region));
    const current = parsed && parsePhoneNumberFromString(currentPhoneForm(parsed.number));
    if (current?.isPossible()) return current.number;
  }
  const digits = plain.replace(/\D/g, '');
  return plain.startsWith('+') && digits.length >= 7 && digits.length <= 15 ? `+${digits}` : undefined;
}
