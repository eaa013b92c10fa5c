import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LOCKS } from '../platform/database/advisory-lock.ts';
import { connectionOptions } from '../platform/database/database-url.ts';
import { compareSchema } from './compare-schema.ts';
import { LOCK_TIMEOUT_SQLSTATE } from './migrations/all.ts';
import { openMigrator, poolOf } from './orm.ts';

const LOCK_POLL_MS = 500;
/** Between attempts, so that the requests that queued up behind a migration can pass. */
const PAUSE_MS = 2_000;
const PATIENCE_MS = 300_000;

type Tell = (message: string) => void;

/**
 * Migrates the schema; of several processes at once, one does.
 * @param log where the ORM's own messages go
 * @param tell where it says what it waits for
 * @returns names of the migrations that ran
 * @throws Error where the database is from before the first release
 */
export async function migrate(databaseUrl: string, log: Tell, tell: Tell = log): Promise<string[]> {
  const holder = new pg.Client({ ...connectionOptions(databaseUrl), keepAlive: true });
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
 * Of a transaction, not of the session: behind PgBouncer a session lock stays on the server's connection. It is tried over and over, since a
 * statement that waits would hold up an index that the other process builds concurrently.
 */
async function takeLock(holder: pg.Client, tell: Tell): Promise<void> {
  for (let waited = 0; ; waited += LOCK_POLL_MS) {
    await holder.query('begin');
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    // without parameters: those leave a snapshot open, for which an index that is built concurrently waits
    const { rows } = await holder.query<{ held: boolean }>(
      `select pg_try_advisory_xact_lock(${LOCKS.migration}) as held`,
    );
    if (rows[0]?.held) return;
    await holder.query('rollback');
    if (waited === 0) tell('another process migrates the database; waiting for it');
    await sleep(LOCK_POLL_MS);
  }
}

/** A migration waits for its locks for a short time only, and then lets those pass who wait behind it. */
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
