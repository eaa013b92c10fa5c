import { DomainError } from '../../src/errors.ts';

const DOWN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '08006', // connection_failure
  '08001', // sqlclient_unable_to_establish_sqlconnection
  '40P01', // deadlock_detected: the other transaction continues, and this one has left nothing
  '57014', // query_canceled: it took longer than a statement may
]);
const DOWN_MESSAGE = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/;

/** Whether an error means that a dependency is down, so that a later try may succeed. */
export function isDependencyDown(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return DOWN.has(code) || DOWN_MESSAGE.test(error.message) || isDependencyDown(error.cause);
}

/** Seconds to wait where no better value is known. */
const RETRY_AFTER_SECONDS = 5;

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
