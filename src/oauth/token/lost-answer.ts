import { DomainError } from '../../platform/errors.ts';

const RETRY_AFTER_SECONDS = 5;

/** For a call that cannot tell what it did itself from what another one did. It judges nothing; the repeat of it is judged. */
export function askToRepeat(): DomainError {
  const message = 'The database’s answer was lost; send the same request again.';
  return new DomainError('unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
}
