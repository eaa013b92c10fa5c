/** What errors of the database and of its connections mean. The codes of the latter are those of Node and `pg`. @module */
import type { ConnectionOptions } from './database-url.ts';

/** Nothing was sent: the server was not reached. */
export const UNREACHED = ['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'];

/** The connection broke: what was sent may have been done. */
export const CUT_OFF = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** The message of `pg` once `query_timeout` has passed. */
export const READ_TIMEOUT = 'Query read timeout';

/** A statement's plan no longer fits a migrated table, or the server no longer has the prepared statement. */
export const STALE_STATEMENT = /cached plan must not change result type|prepared statement ".*" does not exist/;

/** The server accepts no writes: it is a standby, or a primary that became one. Another server may answer at the same address. */
export const READ_ONLY = '25006';

/** A connection that was refused: nothing was sent over it. ENOENT: there is no socket file. */
const NOT_CONNECTED = new RegExp(`^(${UNREACHED.join('|')}|ENOENT|08001|08004|28...|3D000|53300|57P03)$`);
/** A connection that broke: a statement may have run, and a transaction may be committed. */
const BROKEN = new RegExp(`^(${CUT_OFF.join('|')}|08...|40003)$`);
const BROKEN_MESSAGE = new RegExp(`^(Connection terminated|${READ_TIMEOUT}|Client (has encountered|was closed))`);
const NOT_CONNECTED_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;

/**
 * The kind of a database error: it was not reached, its answer was lost, so that the work may be done or not, or it refused the work and
 * did nothing. Undefined for an error from elsewhere.
 */
export function databaseFault(error: unknown): 'not_reached' | 'lost' | 'refused' | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const severity = 'severity' in error ? error.severity : undefined;
  if (NOT_CONNECTED.test(code) || NOT_CONNECTED_MESSAGE.test(error.message)) return 'not_reached';
  // FATAL ends the connection, which may happen between the commit and its answer
  if (severity === 'FATAL' || severity === 'PANIC' || BROKEN.test(code) || BROKEN_MESSAGE.test(error.message))
    return 'lost';
  return severity === undefined ? undefined : 'refused';
}

/** SQLSTATE classes: data exception, constraint violation, raised by a trigger, limit exceeded. */
const ROW_FAULTS = /^(22|23|P0|54)/;

/** Whether PostgreSQL refused a statement because of a row's data: the row would fail again, other rows may pass. */
export function isRowFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ROW_FAULTS.test(String(error.code));
}

const NO_ANSWER = new Set([...UNREACHED, ...CUT_OFF, 'ENOENT']);
const SLOW = /^timeout expired$|^Query read timeout$|timeout exceeded when trying to connect|connection timeout/;
/** Node's codes for faults of TLS and certificates. */
const TLS_FAULTS = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
const NO_TLS = /does not support SSL connections/;
/** PostgreSQL asks for a password, and `DATABASE_URL` has none. */
const NO_PASSWORD = /client password must be a(?: non-empty)? string/;

/**
 * Why a database can't be used, for the person who set `DATABASE_URL`. Never contains the password.
 * @returns undefined for an error that the address and its parameters did not cause
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
      return `the server at ${at} accepts no connections now: ${message}`;
  }
  if (TLS_FAULTS.test(code) || NO_TLS.test(message)) return `no TLS with ${at}: ${message}`;
  // FATAL ends a connection; poolers have no more specific code
  const isFatal = error instanceof Error && 'severity' in error && error.severity === 'FATAL';
  return isFatal ? `the server at ${at} refuses the connection: ${message}` : undefined;
}

/** The code and message of an error. A host name with several addresses has one error for each. */
function readFault(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const code = 'code' in error ? String(error.code) : '';
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const [message = ''] = (error.message || (inner instanceof Error ? inner.message : '') || error.name).split('\n');
  return { code, message };
}
