import { DomainError } from '../../platform/errors.ts';

/** A phone number with its country code, in any punctuation. */
const PHONE_NUMBER = /\+\s?\d(?:[\s().-]{0,2}\d){7,14}/;

/**
 * The trimmed reason of an action. The audit log keeps it for ever, so it must have no phone number.
 * @param field its name in the call
 * @throws DomainError `invalid_request`
 */
export function givenReason(text: string, field = 'reason'): string {
  const reason = text.trim();
  // a NUL can't be stored
  if (reason.length < 1 || reason.length > 1000 || reason.includes('\0')) {
    throw new DomainError('invalid_request', `${field} must have 1 to 1,000 characters.`);
  }
  if (PHONE_NUMBER.test(reason)) {
    throw new DomainError(
      'invalid_request',
      `${field} stays in the audit log: name the fan by identifier, not by number.`,
    );
  }
  return reason;
}
