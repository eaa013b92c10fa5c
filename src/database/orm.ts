import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { ENTITIES } from '../entities/all.ts';
import { MIGRATIONS } from './migrations/all.ts';

/** How long a statement may run, and how long a request may wait for a free connection. */
const STATEMENT_TIMEOUT_MS = 15_000;
const POOL_WAIT_MS = 5_000;

/**
 * Opens the database. No connection is made before the first query.
 * @param poolSize connections this process may hold
 * @param log where the ORM's own messages go
 */
export async function openOrm(
  databaseUrl: string,
  poolSize: number,
  log: (message: string) => void,
): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: databaseUrl,
    entities: ENTITIES,
    extensions: [Migrator],
    metadataCache: { enabled: false },
    timezone: 'UTC',
    pool: { min: 0, max: poolSize },
    driverOptions: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // on this side too: a network that swallows packets tells nothing
      query_timeout: STATEMENT_TIMEOUT_MS + POOL_WAIT_MS,
      connectionTimeoutMillis: POOL_WAIT_MS,
      application_name: 'fan-api',
      keepAlive: true,
    },
    migrations: { migrationsList: MIGRATIONS, snapshot: false, transactional: true, allOrNothing: true },
    // the append-only trigger is the migrations' own, not the entities'
    schemaGenerator: { ignoreTriggers: true },
    logger: log,
    colors: false,
  });
}

/** Brings the schema up to date. An advisory lock lets many processes start at once: one migrates, the others wait. */
export async function migrate(orm: MikroORM): Promise<void> {
  const client = await (await poolOf(orm)).connect();
  try {
    // the other process's migration may take longer than any statement of a request
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await orm.migrator.up();
  } finally {
    client.release(true);
  }
}

/** Any number of our own; ends with the connection, which `migrate` closes. */
const MIGRATION_LOCK = 7_302_001;

/** The `pg` pool under the ORM, for prepared statements on the hot paths. */
export async function poolOf(orm: MikroORM): Promise<Pool> {
  return (orm.em.getConnection() as PostgreSqlConnection).getNativeClient() as Promise<Pool>;
}
