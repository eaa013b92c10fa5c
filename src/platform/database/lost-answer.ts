import { CUT_OFF, READ_TIMEOUT, UNREACHED } from './fault-codes.ts';

/** A connection that was refused: nothing was sent over it. No socket file is ENOENT. */
const NOT_CONNECTED = new RegExp(`^(${UNREACHED.join('|')}|ENOENT|08001|08004|28...|3D000|53300|57P03)$`);
/** A connection that broke: a statement may have run, and a transaction may be committed. */
const BROKEN = new RegExp(`^(${CUT_OFF.join('|')}|08...|40003)$`);
const BROKEN_MESSAGE = new RegExp(`^(Connection terminated|${READ_TIMEOUT}|Client (has encountered|was closed))`);
const NOT_CONNECTED_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)/;

/**
 * What an error says of the database: it was not `reached`, its answer was `lost`, so that the work may be done or not, or it `refused`
 * and did nothing. Undefined for an error from elsewhere.
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
