import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { migrate } from '../../../src/database/migrate.ts';
import { openOrm, poolOf } from '../../../src/database/orm.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const opened: { close(): Promise<unknown> }[] = [];
const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
  for (const each of databases) await each.drop();
});

async function open(url: string) {
  const orm = await openOrm(url, 4, () => {});
  opened.push(orm);
  return orm;
}

async function database(): Promise<TestDatabase> {
  const made = await createDatabase();
  databases.push(made);
  return made;
}

/** The limit is 15 s. */
const LONGER_THAN_A_STATEMENT_MS = 16_000;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** A database without a table. */
async function emptyDatabase(): Promise<string> {
  const url = inject('postgresUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const made = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  databases.push({
    url: made,
    async drop() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`drop database ${name} with (force)`);
      await client.end();
    },
  });
  return made;
}

describe.concurrent('migrations', () => {
  it('make exactly the schema that the entities tell of', async () => {
    const orm = await open((await database()).url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('are safe to run by four processes at once on an empty database', async () => {
    const url = await emptyDatabase();
    await Promise.all([1, 2, 3, 4].map(() => migrate(url, () => {})));
    const orm = await open(url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    expect(await orm.migrator.getPending()).toEqual([]);
  });

  it('run once: a second start changes nothing', async () => {
    const { url } = await database();
    const orm = await open(url);
    const executed = await orm.migrator.getExecuted();
    await migrate(url, () => {});
    expect(await orm.migrator.getExecuted()).toEqual(executed);
  });

  it('wait for the process that is at it, however long it takes', async () => {
    const { url } = await database();
    const other = await connected(url);
    await other.query('select pg_advisory_lock(7302001)');
    const done = vi.fn();
    const migrating = migrate(url, () => {}).then(done);
    await sleep(LONGER_THAN_A_STATEMENT_MS);
    expect(done).not.toHaveBeenCalled();
    await other.end();
    await migrating;
  });

  it('may take longer than any statement of a request', async () => {
    const url = await emptyDatabase();
    const other = await connected(url);
    // what a migration waits for here, it may as well do
    await other.query('begin; create table partner ()');
    const migrating = migrate(url, () => {});
    await sleep(LONGER_THAN_A_STATEMENT_MS);
    await other.query('rollback');
    await other.end();
    await migrating;
    expect(await (await open(url)).migrator.getPending()).toEqual([]);
  });
});

describe('connections', () => {
  it('a database that was restarted is used again, and its lost connections harm nobody', async () => {
    const { url } = await database();
    const orm = await open(url);
    const pool = await poolOf(orm);
    await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.01)')));
    expect(pool.idleCount).toBeGreaterThan(0);
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await admin.end();
    await expect.poll(() => pool.query('select 1 as one').then(({ rows }) => rows[0]?.one)).toBe(1);
    expect(await orm.em.fork().execute('select 2 as two')).toEqual([{ two: 2 }]);
  });

  it('a statement that takes too long is ended by the database', async () => {
    const orm = await open((await database()).url);
    const [row] = await orm.em.fork().execute('show statement_timeout');
    expect(row).toEqual({ statement_timeout: '15s' });
  });

  it('a request that finds every connection taken is refused after five seconds and not left waiting', async () => {
    const orm = await openOrm((await database()).url, 2, () => {});
    opened.push(orm);
    const pool = await poolOf(orm);
    const busy = [1, 2].map(() => pool.query('select pg_sleep(10)'));
    const started = performance.now();
    await expect(pool.query('select 1')).rejects.toThrow(/timeout exceeded when trying to connect/);
    expect(performance.now() - started).toBeLessThan(9_500);
    await Promise.all(busy);
  });
});
