/** Phone numbers as fans write them: formatted while typed, and read as E.164 with the browser's region as the default. */
import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { usableLanguages } from './languages.ts';

/** The region of the first language that names or implies one; undefined when none does. */
export function regionOfBrowser(languages: readonly string[]): CountryCode | undefined {
  for (const language of usableLanguages(languages)) {
    const region = new Intl.Locale(language).maximize().region;
    if (region !== undefined && isSupportedCountry(region)) return region;
  }
  return undefined;
}

/** Calling code of a region, without the plus sign: `1` for `US`. */
export const callingCodeOf = (region: CountryCode): string => getCountryCallingCode(region);

/** Groups the digits as the number's country does. */
export const formatAsTyped = (typed: string, region: CountryCode | undefined): string =>
  new AsYouType(region).input(typed);

/**
 * The number in E.164, or undefined when it can't be one. A number with a plus sign that is not known here is passed on:
 * the server has the last word, and sandbox numbers need not exist.
 */
export function toE164(typed: string, region: CountryCode | undefined): string | undefined {
  const parsed = parsePhoneNumberFromString(typed, region);
  if (parsed?.isPossible()) return parsed.number;
  const digits = typed.replace(/\D/g, '');
  return typed.trim().startsWith('+') && digits.length >= 7 && digits.length <= 15 ? `+${digits}` : undefined;
}
