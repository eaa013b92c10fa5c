import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Pool } from 'pg';
import { LOCKS } from '../platform/database/advisory-lock.ts';
import { connectionFor } from '../platform/database/database-url.ts';
import { BASELINE, LOCK_TIMEOUT_SQLSTATE, MIGRATIONS } from './migrations/all.ts';
import { openMigrator, poolOf } from './orm.ts';

const LOCK_POLL_MS = 500;
/** The pause between attempts, in which requests that queued up behind a migration can pass. */
const PAUSE_MS = 2_000;
const PATIENCE_MS = 300_000;

type Tell = (message: string) => void;

/**
 * Migrates the schema; of several concurrent processes, one does.
 * @param log where the ORM's own messages go
 * @param tell gets messages about waits
 * @returns names of the migrations that ran
 * @throws Error where the database is from before the first release
 */
export async function migrate(databaseUrl: string, log: Tell, tell: Tell = log): Promise<string[]> {
  const holder = new pg.Client({ ...connectionFor('migration', databaseUrl), keepAlive: true });
  // without the lock another process may migrate too; each migration is one transaction, so one of the two fails
  holder.on('error', (error) => tell(`the lock on migrations is lost: ${error.message}`));
  await holder.connect();
  try {
    await takeLock(holder, tell);
    const orm = await openMigrator(databaseUrl, log);
    try {
      const { missing } = await compareSchema(await poolOf(orm));
      await migratePatiently(() => orm.migrator.up(), tell);
      return missing;
    } finally {
      await orm.close();
    }
  } finally {
    await holder.end();
  }
}

/**
 * Takes a lock of the transaction: behind PgBouncer a session lock would stay on the server's connection. It polls, since a statement
 * that waits would block an index that the other process builds concurrently.
 */
async function takeLock(holder: pg.Client, tell: Tell): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    // without parameters, which would leave a snapshot open that a concurrent index build waits for
    const { rows } = await holder.query<{ held: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCKS.migration}) as held`,
    );
    if (rows[0]?.held) return;
    await holder.query('rollback');
    if (waited === 0) tell('another process migrates the database; waiting for it');
    await sleep(LOCK_POLL_MS);
  }
}

/** Retries a migration: it waits only briefly for its locks, then lets the statements behind it pass. */
async function migratePatiently(up: () => Promise<unknown>, tell: Tell): Promise<void> {
  const from = performance.now();
  for (;;) {
    try {
      await up();
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT_SQLSTATE;
      if (!isBusy || performance.now() - from > PATIENCE_MS) throw error;
      tell('a migration waits for a table that is in use; trying again');
      await sleep(PAUSE_MS);
    }
  }
}

/** How a database and this code differ. */
export interface SchemaDifference {
  /** Migrations of this code that have not run. */
  missing: string[];
  /** Migrations that ran in the database, but are not in this code: a newer release ran them. */
  unknown: string[];
}

/**
 * Reads which migrations have run, and creates nothing.
 * @throws Error where the database is from before the first release
 */
export async function compareSchema(pool: Pool): Promise<SchemaDifference> {
  const executed = new Set(await readExecuted(pool));
  if (executed.size > 0 && !executed.has(BASELINE)) throw new Error(START_OVER);
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  return {
    missing: [...known].filter((name) => !executed.has(name)),
    unknown: [...executed].filter((name) => !known.has(name)),
  };
}

const START_OVER =
  'The database is from before the first release and cannot be migrated. Start over: delete the folder .data, or give DATABASE_URL an empty database.';

/** The message for missing migrations: the code would fail at its first statement. */
export function describeOldSchema(missing: readonly string[]): string {
  const state =
    missing.length === MIGRATIONS.length
      ? 'The database has no schema yet.'
      : `The database’s schema is too old for this release: it lacks ${missing.join(', ')}.`;
  return `${state} Run npm run migrate first, or set MIGRATE_ON_START=true.`;
}

const UNDEFINED_TABLE = '42P01';

/** From the ORM's own table. */
async function readExecuted(pool: Pool): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ name: string }>('select name from public.mikro_orm_migrations order by id');
    return rows.map(({ name }) => name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return [];
    throw error;
  }
}
