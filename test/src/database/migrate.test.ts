import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareSchema } from '../../../src/database/compare-schema.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { MIGRATIONS, migrationOf } from '../../../src/database/migrations/all.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const RELEASED = MIGRATIONS.length;
/** A migration waits for its locks for two seconds. */
const LONGEST_QUEUE_MS = 6_000;

let database: TestDatabase;
let pool: pg.Pool;
const databases: TestDatabase[] = [];
beforeEach(async () => {
  database = await createDatabase();
  databases.push(database);
  pool = new pg.Pool({ connectionString: database.url });
});
afterEach(async () => {
  MIGRATIONS.length = RELEASED;
  await pool.end();
});
afterAll(async () => {
  for (const each of databases) await each.drop();
});

const run = (told: string[] = []) =>
  migrate(
    database.url,
    () => {},
    (message) => told.push(message),
  );
const addPartner = () =>
  pool.query(`insert into partner (id, name, created_at) values (gen_random_uuid(), gen_random_uuid(), now())`);

describe('D-224: a migration beside a process that serves', () => {
  it('lets requests pass while the table that it waits for is in use', { timeout: 60_000 }, async () => {
    MIGRATIONS.push(migrationOf('9999-added', ['alter table partner add added int']));
    const reader = await pool.connect();
    await reader.query('begin; select from partner');
    const told: string[] = [];
    const migrating = run(told);
    let longest = 0;
    for (const until = performance.now() + 10_000; performance.now() < until; await sleep(20)) {
      const from = performance.now();
      await pool.query('select from partner');
      longest = Math.max(longest, performance.now() - from);
    }
    expect(told).toContain('a migration waits for a table that is in use; trying again');
    expect(longest).toBeGreaterThan(500);
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
    const migrating = [run(), run()];
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

  it('an index that could not be built is built anew by the next run', async () => {
    MIGRATIONS.push(migrationOf('9999-indexed', indexOf('unique index', 'created_at is null')));
    await addPartner();
    await addPartner();
    await expect(run()).rejects.toThrow('could not create unique index');
    expect(await isValid()).toBe(false);
    await pool.query(`delete from partner where ctid = (select max(ctid) from partner)`);
    expect(await run()).toEqual(['9999-indexed']);
    expect(await isValid()).toBe(true);
  });

  it('keeps what came before one that fails', async () => {
    MIGRATIONS.push(migrationOf('9998-good', ['alter table partner add good int']));
    MIGRATIONS.push(migrationOf('9999-bad', ['alter table partner add bad int', 'select 1 / 0']));
    await expect(run()).rejects.toThrow('division by zero');
    expect(await compareSchema(pool)).toEqual({ missing: ['9999-bad'], unknown: [] });
    await expect(pool.query('select bad from partner')).rejects.toThrow('does not exist');
  });
});
