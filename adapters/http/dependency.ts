import { DomainError } from '../../src/errors.ts';

const DOWN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read_only_sql_transaction: a standby, until the connections lead to the new primary
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected: the other transaction continues, and this one has left nothing
]);
/**
 * SQLSTATE classes: connection exception, insufficient resources (too many clients, disk full), operator intervention (shutdown, and a
 * statement that took too long), system error.
 */
const DOWN_CLASSES = /^(08|53|57|58)[0-9A-Z]{3}$/;
const DOWN_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable|after calling end on the pool|cached plan must not change result type|prepared statement ".*" does not exist/;

/** Whether an error means that a dependency is down, so that a later try may succeed. */
export function isDependencyDown(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return DOWN.has(code) || DOWN_CLASSES.test(code) || DOWN_MESSAGE.test(error.message) || isDependencyDown(error.cause);
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

/** What a caller sees of an error that is not the caller's: 503 where a dependency is down, else 500. */
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
