import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { compareSchema, describeOldSchema, migrate } from '../../src/entities/migrate.ts';
import { openOrm, poolOf } from '../../src/entities/orm.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { connectionOptions } from '../../src/platform/database/database-url.ts';
import { describeFault } from '../../src/platform/database/faults.ts';
import { probeServer } from '../../src/platform/database/probe-server.ts';

/**
 * Opens the database for requests and jobs, with a schema that this code can work on.
 * @param databaseUrl of the embedded server where `config` has none
 * @throws Error that names `DATABASE_URL` and what is wrong with it, or the migrations that are missing
 */
export async function openDatabase(
  config: Config,
  databaseUrl: string,
  log: Logger,
  use: 'requests' | 'command' = 'requests',
): Promise<MikroORM> {
  if (config.databaseUrl === undefined) return openMigrated(config, databaseUrl, log, false, use);
  return namingVariable(databaseUrl, async () =>
    openMigrated(config, databaseUrl, log, await examineServer(databaseUrl, log), use),
  );
}

/** Runs work on the database of `DATABASE_URL`, and names the variable in the error where the database is the fault. */
export async function namingVariable<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = describeFault(error, connectionOptions(databaseUrl));
    throw fault === undefined ? error : new Error(`DATABASE_URL: ${fault}`);
  }
}

/** @returns whether the connection leads through a pooler */
async function examineServer(databaseUrl: string, log: Logger): Promise<boolean> {
  const { pooler, tls, statementTimeout } = await probeServer(connectionOptions(databaseUrl));
  const isPooled = pooler !== 'none';
  log.info({ tls, ...(isPooled && { pooler: `in ${pooler} mode` }) }, 'connected to PostgreSQL');
  if (isPooled && statementTimeout === 0) {
    log.warn(
      'statements have no time limit here, since poolers refuse ours: alter role … set statement_timeout = 15000',
    );
  }
  return isPooled;
}

async function openMigrated(
  config: Config,
  databaseUrl: string,
  log: Logger,
  pooled: boolean,
  use: 'requests' | 'command',
): Promise<MikroORM> {
  const ormLog = (message: string) => log.debug(message);
  const orm = await openOrm(databaseUrl, config.databasePool, ormLog, pooled, use);
  try {
    const { missing, unknown } = await compareSchema(await poolOf(orm));
    if (missing.length > 0 && !config.migrateOnStart) throw new Error(describeOldSchema(missing));
    if (missing.length > 0) await migrate(databaseUrl, ormLog, (message) => log.info(message));
    if (unknown.length > 0) log.warn({ migrations: unknown }, 'the schema is newer than this release');
    return orm;
  } catch (error) {
    await orm.close();
    throw error;
  }
}
