import { Fan } from '../../entities/fan.ts';
import { FormerNumber } from '../../entities/former-number.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { MODES } from '../../platform/mode.ts';
import { readPhone } from '../../platform/phone-number.ts';
import { plainDigits } from '../../platform/plain-digits.ts';

/** Assumed for a number without a country code. */
const DEFAULT_COUNTRY = 'US';

/**
 * The fans of a phone number as typed or pasted: with or without country code, in any punctuation, with `00` for the plus.
 * @returns at most one per mode and possible number, sandbox first; then those for whom it is a former number
 * @throws DomainError `invalid_phone`
 */
export async function findFans({ em }: Pick<Context, 'em'>, typed: string): Promise<Fan[]> {
  const readings = readingsOf(typed.trim().slice(0, 40));
  if (readings.length === 0) throw new DomainError('invalid_phone', 'This is not a phone number.');
  const fans = await em.find(Fan, { mode: { $in: [...MODES] }, phone: { $in: readings } });
  const former = await em.find(
    FormerNumber,
    { phone: { $in: readings } },
    { populate: ['fan'], orderBy: { givenUpAt: 'desc' } },
  );
  fans.sort((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode));
  return [...new Set([...fans, ...former.map(({ fan }) => fan)])];
}

/** Possible E.164 numbers of a text. */
function readingsOf(typed: string): string[] {
  const spellings = /^\+|^00/.test(typed) ? [typed] : [typed, `+${plainDigits(typed).replace(/^\D+/, '')}`];
  return [...new Set(spellings.flatMap((spelling) => readPhone(spelling, DEFAULT_COUNTRY) ?? []))];
}

/** A fan's number (E.164). @throws DomainError `conflict` where the number that the fan had is another fan's now */
export function numberOf({ phone }: Pick<Fan, 'phone'>): string {
  if (!phone) throw new DomainError('conflict', 'This fan has no number: the one before is another fan’s now.');
  return phone;
}
