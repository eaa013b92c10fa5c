import type { ConnectionOptions } from './database-url.ts';
import { CUT_OFF, UNREACHED } from './fault-codes.ts';

const NO_ANSWER = new Set([...UNREACHED, ...CUT_OFF, 'ENOENT']);
const SLOW = /^timeout expired$|^Query read timeout$|timeout exceeded when trying to connect|connection timeout/;
/** What OpenSSL finds wrong with a certificate, as Node names it. */
const TLS_FAULTS = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const NO_TLS = /does not support SSL connections/;
/** PostgreSQL asks for a password, and `DATABASE_URL` has none. */
const NO_PASSWORD = /client password must be a(?: non-empty)? string/;

/**
 * Why a database can't be used, for the person who set `DATABASE_URL`: what it names, never the password.
 * @returns undefined where the address and its parameters are not what is wrong
 */
export function describeFault(error: unknown, options: ConnectionOptions): string | undefined {
  const { host, port, user, database } = options;
  const at = host.startsWith('/') ? host : `${host}:${port}`;
  const { code, message } = readFault(error);
  if (NO_ANSWER.has(code)) return `nothing answers at ${at} (${code})`;
  if (SLOW.test(message)) return `no answer from ${at} in time`;
  if (NO_PASSWORD.test(message)) return `the server at ${at} wants a password for user ${user}`;
  switch (code) {
    case '28P01':
    case '28000':
      return `the server at ${at} refuses user ${user}: ${message}`;
    case '3D000':
      return `the server at ${at} has no database ${database}`;
    case '42501':
      return `user ${user} lacks a right in database ${database}: ${message}`;
    case '53300':
      return `the server at ${at} has no connection left: ${message}`;
    case '57P03':
      return `the server at ${at} takes no connections now: ${message}`;
  }
  if (TLS_FAULTS.test(code) || NO_TLS.test(message)) return `no TLS with ${at}: ${message}`;
  // what ends a connection; poolers have no other codes
  const isFatal = error instanceof Error && 'severity' in error && error.severity === 'FATAL';
  return isFatal ? `the server at ${at} refuses the connection: ${message}` : undefined;
}

/** Of a name with several addresses, each fails by itself. */
function readFault(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const [message = ''] = (error.message || (inner instanceof Error ? inner.message : '') || error.name).split('\n');
  return { code, message };
}
