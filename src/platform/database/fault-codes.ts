/** What Node and `pg` call a fault of the way to the server. Each user adds the codes of PostgreSQL that its own question is about. @module */

/** Nothing was sent: the server was not reached. */
export const UNREACHED = ['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'];

/** The connection broke: what was sent may have been done. */
export const CUT_OFF = ['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'];

/** The message of `pg` where `query_timeout` is over. */
export const READ_TIMEOUT = 'Query read timeout';

/** A statement's plan does not fit a table that was migrated, or the server has forgotten the statement. */
export const STALE_STATEMENT = /cached plan must not change result type|prepared statement ".*" does not exist/;

/** The server takes no writes: a standby, or a primary that has become one. Another may answer at the same address. */
export const READ_ONLY = '25006';
