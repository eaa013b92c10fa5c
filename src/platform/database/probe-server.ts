import { TLSSocket } from 'node:tls';
import pg from 'pg';
import type { ConnectionOptions } from './database-url.ts';

/** The server at `DATABASE_URL`. */
export interface ServerFound {
  /** A pooler such as PgBouncer in front of PostgreSQL: our connection keeps a server connection for its session or a transaction. */
  pooler: 'none' | 'session' | 'transaction';
  /** How the connection is protected: the protocol and cipher in force, or `none`. */
  tls: string;
  /** Seconds; 0 where the server has no limit of its own. */
  statementTimeout: number;
}

/** As long as a request would wait for a connection. */
const TIME_LIMIT_MS = 5_000;
const OLDEST_VERSION = 15;
const ROUNDS = 3;

/**
 * Connects as requests will, and detects a pooler, TLS and limits.
 * @throws Error of `pg`; or one that says why this server can't be used
 */
export async function probeServer(options: ConnectionOptions): Promise<ServerFound> {
  const { client, processId } = await connect(options);
  try {
    const { rows } = await client.query<{ pid: number; version: number; read_only: boolean; milliseconds: number }>(
      `select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as version,
         pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
         (select setting::int from pg_settings where name = 'statement_timeout') as milliseconds`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('DATABASE_URL: the server gave no answer');
    if (found.version < OLDEST_VERSION) {
      throw new Error(`DATABASE_URL: PostgreSQL ${found.version} is too old, ${OLDEST_VERSION} or newer is needed`);
    }
    if (found.read_only) throw new Error('DATABASE_URL: the server is read-only, a primary is needed');
    return {
      // a pooler reports process ids of its own
      pooler: found.pid === processId ? 'none' : await judgePooler(client, options),
      tls: describeTls(client),
      statementTimeout: found.milliseconds / 1_000,
    };
  } finally {
    await client.end();
  }
}

async function connect(options: ConnectionOptions): Promise<{ client: pg.Client; processId: number | undefined }> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: TIME_LIMIT_MS, query_timeout: TIME_LIMIT_MS });
  // a broken connection fails its statement
  client.on('error', () => undefined);
  let processId: number | undefined;
  client.connection.once('backendKeyData', (message: { processID: number }) => {
    processId = message.processID;
  });
  try {
    await client.connect();
  } catch (error) {
    // without a password `pg` leaves the connection open; the server waits on it, and drops no database meanwhile
    client.connection.stream.destroy();
    throw error;
  }
  return { client, processId };
}

/**
 * The mode of a pooler. It must keep prepared statements across transactions, as the hot paths use them; PgBouncer 1.21 does so under
 * names of its own.
 */
async function judgePooler(client: pg.Client, options: ConnectionOptions): Promise<'session' | 'transaction'> {
  await client.query('begin').catch((cause: unknown) => {
    throw new Error('DATABASE_URL: the pooler allows no transactions; set pool_mode to transaction or session', {
      cause,
    });
  });
  await client.query('rollback');
  const name = `fan_api_${crypto.randomUUID().replaceAll('-', '')}`;
  const { rowCount } = await client.query({
    name,
    text: 'select from pg_prepared_statements where name = $1',
    values: [name],
  });
  if (rowCount === 0) return 'transaction';
  if (await keepsItsServer(client, options)) return 'session';
  throw new Error(
    'DATABASE_URL: a pooler in transaction mode that does not keep prepared statements. PgBouncer needs version 1.21 or newer with max_prepared_statements above 0, or pool_mode = session',
  );
}

/** Whether our connection keeps its server connection, even while another one of ours works. */
async function keepsItsServer(client: pg.Client, options: ConnectionOptions): Promise<boolean> {
  const { client: other } = await connect(options);
  try {
    const own = await serverOf(client);
    for (let round = 0; round < ROUNDS; round++) {
      await other.query('begin');
      if ((await serverOf(other)) === own || (await serverOf(client)) !== own) return false;
      await other.query('commit');
    }
    return true;
  } finally {
    await other.end();
  }
}

async function serverOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

function describeTls({ connection: { stream } }: pg.Client): string {
  if (!(stream instanceof TLSSocket)) return 'none';
  const verified = stream.authorized ? 'certificate verified' : 'certificate not verified';
  return `${stream.getProtocol()}, ${stream.getCipher().name}, ${verified}`;
}
