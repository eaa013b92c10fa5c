import { DomainError } from '../../platform/errors.ts';

/** The trimmed reason of an action. @param field its name in the call @throws DomainError `invalid_request` */
export function givenReason(text: string, field = 'reason'): string {
  const reason = text.trim();
  // a NUL can't be stored
  if (reason.length < 1 || reason.length > 1000 || reason.includes('\0')) {
    throw new DomainError('invalid_request', `${field} must have 1 to 1,000 characters.`);
  }
  return reason;
}
