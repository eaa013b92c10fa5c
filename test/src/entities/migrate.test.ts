import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { compareSchema, migrate } from '../../../src/entities/migrate.ts';
import { MIGRATIONS, migrationOf } from '../../../src/entities/migrations/all.ts';
import { openMigrator, openOrm, poolOf } from '../../../src/entities/orm.ts';
import { asAdmin, testDatabases } from '../../support/database.ts';

const RELEASED = MIGRATIONS.length;
/** A migration waits for its locks for two seconds. */
const LONGEST_QUEUE_MS = 6_000;
const { opened, databases, database } = testDatabases();

/** A database without a table. */
async function emptyDatabase(): Promise<string> {
  const url = inject('postgresUrl');
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await asAdmin(url, `create database ${name}`);
  const made = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  databases.push({ url: made, drop: () => asAdmin(url, `drop database ${name} with (force)`) });
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
  it('make exactly the schema that the entities describe, also where four processes run them at once', async () => {
    const url = await emptyDatabase();
    await Promise.all([1, 2, 3, 4].map(() => run(url)));
    const orm = await open(url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
    expect(await orm.migrator.getPending()).toEqual([]);
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

describe('D-361: the request log of the release before becomes the first partition', () => {
  /** The statement of that release, with a request of some days ago. */
  const oldInsert = (table: string, conflict: string) => `
    insert into ${table} (id, at, operation, method, status, outcome, duration_ms)
    select $1, now() - $2 * interval '1 day', 'tickets.list', 'GET', 200, 'ok', 3 on conflict (${conflict}) do nothing`;
  const OLD = oldInsert('api_request', 'id');
  let url: string;
  let pool: pg.Pool;
  const ids: string[] = [];
  let isDone = false;
  beforeAll(async () => {
    url = await emptyDatabase();
    const later = MIGRATIONS.splice(1);
    await run(url);
    MIGRATIONS.push(...later);
    // a write that waits for a lock fails
    pool = new pg.Pool({ connectionString: url, options: '-c lock_timeout=1s' });
    await pool.query(
      `insert into api_request (id, at, operation, method, status, outcome, duration_ms, grant_id, session_id, fan_id)
       select gen_random_uuid(), now() - n % 40 * interval '1 day', 'tickets.list', 'GET', 200, 'ok', 3, case when n % 2 = 0 then gen_random_uuid() end,
         gen_random_uuid(), gen_random_uuid() from generate_series(1, 50000) n`,
    );
    const writing = (async () => {
      while (!isDone) {
        const id = crypto.randomUUID();
        await pool.query(OLD, [id, 0]);
        ids.push(id);
      }
    })();
    const migrating = run(url).finally(() => {
      isDone = true;
    });
    await Promise.all([migrating, writing]);
  }, 60_000);
  afterAll(() => pool.end());

  const count = async (condition = 'true') =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from request_log where ${condition}`)).rows[0]?.n;

  it('no row is lost, of those from before and of those written meanwhile, and no write waited', async () => {
    expect(ids.length).toBeGreaterThan(50);
    expect(await count()).toBe(50_000 + ids.length);
  });

  it('took over its indexes: none was built under a lock, and the schema is that of the entities', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent::regclass::text like 'request_log_%' order by name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'api_request_client_kind',
      'api_request_client_second',
      'api_request_grant_id_at_index',
      'api_request_kind',
      'api_request_of_fan',
      'api_request_of_session',
      'api_request_pkey',
      'api_request_refused_grant',
      'api_request_second',
    ]);
    const orm = await open(url);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('processes of that release go on: what they write is in the log, each request once', async () => {
    const id = crypto.randomUUID();
    for (let times = 0; times < 2; times++) await pool.query(OLD, [id, 0]);
    await pool.query(oldInsert('request_log', 'id, at'), [crypto.randomUUID(), 0]);
    expect(await count(`id = '${id}' and weight = 1`)).toBe(1);
    // a week for those that are still at work
    await pool.query(OLD, [crypto.randomUUID(), -5]);
    await expect(pool.query(OLD, [crypto.randomUUID(), -8])).rejects.toThrow('partition constraint');
  });
});
