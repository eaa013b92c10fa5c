import type { Logger } from 'pino';
import { CUT_OFF, READ_ONLY, READ_TIMEOUT, STALE_STATEMENT, UNREACHED } from '../../src/platform/database/faults.ts';
import { DomainError } from '../../src/platform/errors.ts';
import type { RequestState } from './request-state.ts';

const DOWN = new Set([
  ...UNREACHED,
  ...CUT_OFF,
  READ_ONLY, // a standby, until the connections lead to the new primary
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected: the other transaction continues, this one is rolled back
]);
/**
 * SQLSTATE classes: connection exception, insufficient resources (too many clients, disk full), operator intervention (shutdown, and a
 * statement that took too long), system error.
 */
const DOWN_CLASSES = /^(08|53|57|58)[0-9A-Z]{3}$/;
const DOWN_MESSAGES = [
  STALE_STATEMENT,
  new RegExp(READ_TIMEOUT),
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|after calling end on the pool/,
];

/** Whether an error means that a dependency is down, so that a later try may succeed. */
export function isDependencyDown(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isDown = DOWN.has(code) || DOWN_CLASSES.test(code) || DOWN_MESSAGES.some((part) => part.test(error.message));
  return isDown || isDependencyDown(error.cause);
}

/** Seconds to wait where no better value is known. */
export const RETRY_AFTER_SECONDS = 5;

interface ServerError {
  status: 500 | 503;
  code: 'internal' | 'unavailable';
  message: string;
  /** In seconds. */
  retryAfter?: number;
}

/** What a caller sees of an error that is not the caller's: 503 where a dependency is down, otherwise 500. */
export function serverError(error: unknown): ServerError {
  if (!isDependencyDown(error)) {
    return { status: 500, code: 'internal', message: 'Something went wrong on our side.' };
  }
  const { message, retryAfter } = error instanceof DomainError ? error : DEPENDENCY_DOWN;
  return { status: 503, code: 'unavailable', message, retryAfter: retryAfter ?? RETRY_AFTER_SECONDS };
}

const DEPENDENCY_DOWN = {
  message: 'The service is unavailable for the moment; try again.',
  retryAfter: RETRY_AFTER_SECONDS,
};

/** Logs a call that failed on our side, or that meets a failure which a sandbox client's tests simulate. */
export function logFailure(log: Logger, state: RequestState, err: unknown, text: string): void {
  const { requestId, simulated } = state;
  if (simulated && serverError(err).status !== 500) log.info({ requestId, result: 'simulated' }, text);
  else log.error({ err, requestId }, text);
}
