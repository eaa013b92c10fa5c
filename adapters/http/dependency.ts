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
  '40P01', // deadlock_detected: the other one goes on, and nothing of this one is left
  '57014', // query_canceled: it took longer than a statement may
]);
const DOWN_MESSAGE = /timeout exceeded when trying to connect|Connection terminated|Query read timeout/;

/** Whether an error means that something this service needs is away for the moment, so that a later try may succeed. */
export function isDependencyDown(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'unavailable';
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return DOWN.has(code) || DOWN_MESSAGE.test(error.message) || isDependencyDown(error.cause);
}

/** What a caller is told to wait, in seconds, when nothing better is known. */
export const RETRY_AFTER_SECONDS = 5;
