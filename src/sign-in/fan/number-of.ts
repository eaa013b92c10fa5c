import type { Fan } from '../../entities/fan.ts';
import { DomainError } from '../../platform/errors.ts';

/** A fan's number (E.164). @throws DomainError `conflict` where the number that the fan had is another fan's now */
export function numberOf({ phone }: Pick<Fan, 'phone'>): string {
  if (!phone) throw new DomainError('conflict', 'This fan has no number: the one before is another fan’s now.');
  return phone;
}
