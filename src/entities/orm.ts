import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { type ConnectionOptions, connectionFor } from '../platform/database/database-url.ts';
import { watchPool } from '../platform/database/watch-pool.ts';
import { ENTITIES } from './all.ts';
import { MIGRATIONS } from './migrations/all.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
/** How long a request waits for a free connection. */
const POOL_WAIT_MS = 5_000;

/**
 * Opens the database for requests and jobs. No connection is made before the first query.
 * @param poolSize connections this process may hold
 * @param log where the ORM's own messages go
 * @param pooled whether a pooler is between, which refuses a time limit of ours
 */
export async function openOrm(
  databaseUrl: string,
  poolSize: number,
  log: (message: string) => void,
  pooled = false,
  use: 'requests' | 'command' = 'requests',
): Promise<MikroORM> {
  return init(connectionFor(use, databaseUrl), poolSize, log, {
    ...(!pooled && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    // on this side too, for a network that drops packets
    query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
  });
}

/** Opens the database for migrations: one connection, without a time limit, so that what one statement sets holds for the next. */
export async function openMigrator(databaseUrl: string, log: (message: string) => void): Promise<MikroORM> {
  return init(connectionFor('migration', databaseUrl), 1, log, {});
}

function init(
  { host, port, user, password, database, ...options }: ConnectionOptions,
  poolSize: number,
  log: (message: string) => void,
  timeLimits: { statement_timeout?: number; query_timeout?: number },
): Promise<MikroORM> {
  return MikroORM.init({
    // the ORM takes the address only; of the URL's parameters it would drop all others, TLS among them
    host,
    port,
    user,
    dbName: database,
    ...(password !== undefined && { password }),
    entities: ENTITIES,
    extensions: [Migrator],
    metadataCache: { enabled: false },
    timezone: 'UTC',
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...options,
      ...timeLimits,
      connectionTimeoutMillis: POOL_WAIT_MS,
      keepAlive: true,
      onPoolCreated: (pool: Pool) => watchPool(pool, POOL_WAIT_MS),
    },
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: false },
    // the append-only trigger is in the migrations only
    schemaGenerator: { ignoreTriggers: true },
    logger: log,
    colors: false,
  });
}

/** The `pg` pool under the ORM, for prepared statements on the hot paths. */
export async function poolOf(orm: MikroORM): Promise<Pool> {
  return (orm.em.getConnection() as PostgreSqlConnection).getNativeClient() as Promise<Pool>;
}
