import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CodeLimits } from '../../platform/config/config.ts';
import { DomainError } from '../../platform/errors.ts';

export interface ReachableNumber {
  /** E.164. */
  phone: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The number without its last four digits: its block of 10,000 numbers. Attackers (SMS pumping) rent numbers by the block. */
  range: string;
}

/** Types of numbers that are no person's; some pay their holder for each message. */
const REFUSED_TYPES: ReadonlySet<NumberType> = new Set<NumberType>([
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
]);

const DIGITS_WITHIN_RANGE = 4;

/**
 * Checks by the numbering plans that a number can be a person's, in a country to which codes are sent. Numbers without a country
 * (satellites, international networks) are refused.
 * @throws DomainError `invalid_phone`, `verification_unavailable`
 */
export function checkNumber({ countries }: Pick<CodeLimits, 'countries'>, phone: string): ReachableNumber {
  const number = parsePhoneNumberFromString(phone);
  const country = number?.country;
  if (country === undefined || !number?.isValid() || REFUSED_TYPES.has(number.getType())) {
    throw new DomainError('invalid_phone', 'No code can be sent to this number. Check it, or use a mobile number.');
  }
  if (countries && !countries.has(country)) {
    throw new DomainError(
      'verification_unavailable',
      'Codes are not sent to numbers in this country. Use a number from another country.',
    );
  }
  return { phone, country, range: phone.slice(0, -DIGITS_WITHIN_RANGE) };
}

/** ISO 3166-1 alpha-2. @param phone E.164 */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(phone)?.country;
}
