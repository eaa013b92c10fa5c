import { DomainError } from '../errors.ts';

/** Why staff do something, as it is kept: trimmed. @param field how the caller names it @throws DomainError `invalid_request` */
export function givenReason(text: string, field = 'reason'): string {
  const reason = text.trim();
  // a NUL can't be stored
  if (reason.length < 1 || reason.length > 1000 || reason.includes('\0')) {
    throw new DomainError('invalid_request', `${field} must have 1 to 1,000 characters.`);
  }
  return reason;
}
