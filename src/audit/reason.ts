import { DomainError } from '../errors.ts';

/** The reason that somebody gave for what they do, as the audit log keeps it. @throws DomainError `invalid_request` */
export function reasonOf(text: string): string {
  const reason = text.trim();
  if (reason.length < 3 || reason.length > 500) {
    throw new DomainError('invalid_request', 'reason must have 3 to 500 characters.');
  }
  return reason;
}
