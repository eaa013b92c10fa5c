import type { Pool, PoolClient } from 'pg';
import { READ_ONLY, READ_TIMEOUT, STALE_STATEMENT } from './faults.ts';

/** "Too many clients", and "starting up" or "shutting down": a connection may be available soon. */
const FULL = new Set(['53300', '57P03']);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** The disk is full, or can't be written. */
const STORAGE_FAULTS = new Set(['53100', '58030']);
/** Allocates new pages on disk and frees them: an `update` may find room in existing pages. */
const TAKE_ROOM = 'create temporary table room on commit drop as select generate_series(1, 10000)';

interface Watched {
  /** A statement has failed because the server could not store anything. */
  lacksStorage: boolean;
  /** Closes every connection; one in use is closed when it is released. */
  renew(): void;
}

const watched = new WeakMap<Pool, Watched>();

/**
 * Makes a pool recover automatically. It closes a connection that is silent or has stale statements, and every connection once the server
 * is read-only; it replaces one that breaks in use. Where PostgreSQL has no connection left, callers wait.
 * @param waitMs how long they wait, from the call
 */
export function watchPool(pool: Pool, waitMs: number): void {
  const all = new Set<PoolClient>();
  const idle = new Set<PoolClient>();
  const unfit = new WeakSet<PoolClient>();
  const state: Watched = {
    lacksStorage: false,
    renew() {
      for (const client of all) {
        unfit.add(client);
        // as after a network failure: the pool removes it and closes it
        if (idle.has(client)) client.emit('error', new Error('the server is read-only'));
      }
    },
  };
  watched.set(pool, state);
  pool.on('connect', (client) => {
    all.add(client);
    onSilence(client, () => {
      unfit.add(client);
      // a rollback would wait behind the silent statement
      client.connection.stream.destroy();
    });
    client.connection.on('errorMessage', ({ code, message }: { code?: string; message: string }) => {
      if (code === READ_ONLY) state.renew();
      else if (STALE_STATEMENT.test(message)) unfit.add(client);
      else if (code !== undefined && STORAGE_FAULTS.has(code)) state.lacksStorage = true;
    });
  });
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_, client) => {
    idle.add(client);
    // the pool closes a client that is ending
    if (unfit.has(client)) void client.end().catch(() => undefined);
  });
  pool.on('remove', (client) => {
    all.delete(client);
    idle.delete(client);
  });
  waitWhereFull(pool, waitMs);
}

/**
 * Checks whether the server can store anything again, after a statement failed because it could not.
 * @throws Error of PostgreSQL where it still can't
 */
async function requireStorage(pool: Pool): Promise<void> {
  const state = watched.get(pool);
  if (!state?.lacksStorage) return;
  // after another fault (the role may not make temporary tables) only the next write shows it
  state.lacksStorage = false;
  await pool.query(TAKE_ROOM).catch((error: unknown) => {
    if (state.lacksStorage) throw error;
  });
}

/** Makes the next statements connect again: the present server is read-only. */
function renewConnections(pool: Pool): void {
  watched.get(pool)?.renew();
}

/** `pg` gives up on a statement after its time limit, and would send the next one on the same connection, behind it. */
function onSilence(client: PoolClient, cut: () => void): void {
  const { prototype } = client.constructor as unknown as { prototype: PoolClient };
  client.query = ((...values: unknown[]) => {
    const answer: unknown = Reflect.apply(prototype.query, client, values);
    if (answer instanceof Promise) {
      answer.catch(({ message }: Error) => {
        if (message === READ_TIMEOUT) cut();
      });
    }
    return answer;
  }) as PoolClient['query'];
}

/** The ORM does not release a connection whose rollback fails, such as a broken one. @returns a function that releases it once */
function releaseWhereBroken(client: PoolClient, release: Release): Release {
  let held = true;
  const releaseOnce = (error?: Error | boolean) => {
    if (!held) return;
    held = false;
    client.off('end', onEnd);
    release(error);
  };
  const onEnd = () => releaseOnce(true);
  client.once('end', onEnd);
  return releaseOnce;
}

type Release = (error?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;

/** All code gets its connections from `connect`, `pool.query` too. */
function waitWhereFull(pool: Pool, waitMs: number): void {
  const connect = pool.connect.bind(pool) as unknown as (connected: Connected) => void;
  const attempt = (connected: Connected, from: number, pauseMs: number) =>
    connect((error, client, release) => {
      const isLate = performance.now() - from + pauseMs > waitMs;
      if (client !== undefined) client.release = releaseWhereBroken(client, release);
      if (!isFull(error) || isLate) return connected(error, client, client?.release ?? release);
      setTimeout(() => attempt(connected, from, Math.min(2 * pauseMs, LONGEST_PAUSE_MS)), pauseMs);
    });
  pool.connect = ((connected?: Connected) => {
    const from = performance.now();
    if (connected) return attempt(connected, from, FIRST_PAUSE_MS);
    return new Promise<PoolClient>((resolve, reject) => {
      attempt((error, client) => (client === undefined ? reject(error) : resolve(client)), from, FIRST_PAUSE_MS);
    });
  }) as Pool['connect'];
}

function isFull(error: Error | undefined): boolean {
  if (error === undefined) return false;
  const code = 'code' in error ? String(error.code) : '';
  // PgBouncer has one code for all refusals
  return FULL.has(code) || /max_client_conn|max_db_connections|max_user_connections/.test(error.message);
}

/**
 * Checks that this process can write to its database, by a statement that writes nothing. After a write has failed on a full disk, it
 * also allocates pages.
 * @throws Error with the reason why not
 */
export async function checkWritable(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ read_only: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
  );
  if (rows[0]?.read_only !== false) {
    renewConnections(pool);
    throw new Error('the database is read-only');
  }
  await requireStorage(pool).catch((cause: unknown) => {
    throw new Error('the database has no room left', { cause });
  });
}
