import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { compareSchema, migrate } from '../../../src/entities/migrate.ts';
import { MIGRATIONS, migrationOf } from '../../../src/entities/migrations/all.ts';
import { openMigrator, openOrm, poolOf } from '../../../src/entities/orm.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const RELEASED = MIGRATIONS.length;
/** A migration waits for its locks for two seconds. */
const LONGEST_QUEUE_MS = 6_000;
const opened: { close(): Promise<unknown> }[] = [];
const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
  for (const each of databases) await each.drop();
});

async function database(): Promise<string> {
  const made = await createDatabase();
  databases.push(made);
  return made.url;
}

/** A database without a table. */
async function emptyDatabase(): Promise<string> {
  const url = inject('postgresUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  const asAdmin = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await asAdmin(`create database ${name}`);
  const made = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  databases.push({ url: made, drop: () => asAdmin(`drop database ${name} with (force)`) });
  return made;
}

async function open(url: string) {
  const orm = await openOrm(url, 4, () => {});
  opened.push(orm);
  return orm;
}

const run = (url: string, told: string[] = []) =>
  migrate(
    url,
    () => {},
    (message) => told.push(message),
  );

describe.concurrent('migrations', () => {
  it('make exactly the schema that the entities describe', async () => {
    const orm = await open(await database());
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('are safe to run by four processes at once on an empty database', async () => {
    const url = await emptyDatabase();
    await Promise.all([1, 2, 3, 4].map(() => run(url)));
    const orm = await open(url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    expect(await orm.migrator.getPending()).toEqual([]);
  });

  it('run once: a second start changes nothing', async () => {
    const url = await database();
    const orm = await open(url);
    const executed = await orm.migrator.getExecuted();
    await run(url);
    expect(await orm.migrator.getExecuted()).toEqual(executed);
  });

  it('wait for the process that is at it, and do not give up', async () => {
    const url = await database();
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('select pg_advisory_lock(7302001)');
    const told: string[] = [];
    const done = vi.fn();
    const migrating = run(url, told).then(done);
    // between two tries
    const waits = `select from pg_stat_activity where datname = current_database() and query = 'rollback'`;
    await vi.waitFor(async () => expect((await other.query(waits)).rowCount).toBe(1), 5_000);
    expect(told).toEqual(['another process migrates the database; waiting for it']);
    expect(done).not.toHaveBeenCalled();
    await other.end();
    await migrating;
  });

  it('may take longer than any statement of a request', async () => {
    const orm = await openMigrator(await database(), () => {});
    opened.push(orm);
    const pool = await poolOf(orm);
    expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
    expect(pool.options.query_timeout).toBeUndefined();
  });
});

describe('D-224: a migration beside a process that serves', () => {
  let url: string;
  let pool: pg.Pool;
  beforeEach(async () => {
    url = await database();
    pool = new pg.Pool({ connectionString: url });
  });
  afterEach(async () => {
    MIGRATIONS.length = RELEASED;
    await pool.end();
  });

  const addPartner = () =>
    pool.query(`insert into partner (id, name, created_at) values (gen_random_uuid(), gen_random_uuid(), now())`);

  it('lets requests pass while the table that it waits for is in use', async () => {
    MIGRATIONS.push(migrationOf('9999-added', ['alter table partner add added int']));
    const reader = await pool.connect();
    await reader.query('begin; select from partner');
    const told: string[] = [];
    const migrating = run(url, told);
    let longest = 0;
    while (longest < 500 || told.length === 0) {
      const from = performance.now();
      await pool.query('select from partner');
      longest = Math.max(longest, performance.now() - from);
      await sleep(20);
    }
    expect(told).toContain('a migration waits for a table that is in use; trying again');
    expect(longest).toBeLessThan(LONGEST_QUEUE_MS);
    await reader.query('commit');
    reader.release();
    expect(await migrating).toEqual(['9999-added']);
  });

  const indexOf = (kind: string, expression: string) => [
    'drop index concurrently if exists partner_probe',
    `create ${kind} concurrently partner_probe on partner ((${expression}))`,
  ];
  const isValid = async () =>
    (await pool.query(`select indisvalid from pg_index where indexrelid = 'partner_probe'::regclass`)).rows[0]
      ?.indisvalid;

  it('builds an index while rows are written, and another process waits for it without holding it up', async () => {
    MIGRATIONS.push(migrationOf('9999-indexed', indexOf('index', 'lower(name)')));
    const writer = await pool.connect();
    await writer.query('begin');
    await writer.query(`insert into partner (id, name, created_at) values (gen_random_uuid(), 'W', now())`);
    const migrating = [run(url), run(url)];
    const building = () =>
      pool.query(
        `select from pg_stat_activity where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`,
      );
    await expect.poll(async () => (await building()).rowCount, { timeout: 20_000 }).toBe(1);
    await addPartner();
    await writer.query('commit');
    writer.release();
    expect((await Promise.all(migrating)).flat()).toEqual(['9999-indexed']);
    expect(await isValid()).toBe(true);
  });

  it('an index that could not be built is built again by the next run', async () => {
    MIGRATIONS.push(migrationOf('9999-indexed', indexOf('unique index', 'created_at is null')));
    await addPartner();
    await addPartner();
    await expect(run(url)).rejects.toThrow('could not create unique index');
    expect(await isValid()).toBe(false);
    await pool.query(`delete from partner where ctid = (select max(ctid) from partner)`);
    expect(await run(url)).toEqual(['9999-indexed']);
    expect(await isValid()).toBe(true);
  });

  it('keeps what came before one that fails', async () => {
    MIGRATIONS.push(migrationOf('9998-good', ['alter table partner add good int']));
    MIGRATIONS.push(migrationOf('9999-bad', ['alter table partner add bad int', 'select 1 / 0']));
    await expect(run(url)).rejects.toThrow('division by zero');
    expect(await compareSchema(pool)).toEqual({ missing: ['9999-bad'], unknown: [] });
    await expect(pool.query('select bad from partner')).rejects.toThrow('does not exist');
  });
});
