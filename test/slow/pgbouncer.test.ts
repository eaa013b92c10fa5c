import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { startJobs } from '../../adapters/process/jobs.ts';
import { migrate } from '../../src/entities/migrate.ts';
import { MIGRATIONS, migrationOf } from '../../src/entities/migrations/all.ts';
import { reencrypt } from '../../src/keys/reencrypt.ts';
import { connectionOptions } from '../../src/platform/database/database-url.ts';
import { probeServer } from '../../src/platform/database/probe-server.ts';
import { createDatabase } from '../support/database.ts';
import { callFan, postForm, refreshForm, signIn } from '../support/partner.ts';
import { PROGRAMS, startBouncer } from '../support/pgbouncer.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

/** `npm run test:slow`, with PgBouncer on the path or in `PGBOUNCER`, such as `PGBOUNCER=/usr/sbin/pgbouncer:/opt/1.24/pgbouncer`. */
/** PgBouncer 1.21 keeps prepared statements. */
const TRACKING = 21;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A PgBouncer before a database of its own. @returns the URL of each */
async function bouncer(program: string, settings: Record<string, string | number>) {
  const database = await createDatabase();
  ends.push(() => database.drop());
  const started = await startBouncer(program, database.url, settings);
  ends.push(() => started.stop());
  return { between: started.url, direct: database.url };
}

async function start(url: string): Promise<TestApp> {
  const app = await startApp({ databaseUrl: url });
  ends.push(() => app.stop());
  return app;
}

/** Sign-ins, refreshes and lists at once, over more connections than the server has for us. */
async function exercise(apps: TestApp[]): Promise<void> {
  const runs = Array.from({ length: 12 }, async (_, run) => {
    const app = apps[run % apps.length] as TestApp;
    const other = apps[(run + 1) % apps.length] as TestApp;
    const tokens = await signIn(app);
    const { body } = await postForm(other, '/oauth2/token', refreshForm(other, tokens.refresh_token));
    const { status } = await callFan(other, '/tickets', String(body.access_token));
    return status;
  });
  expect(await Promise.all(runs)).toEqual(runs.map(() => 200));
}

/** Queue, re-encryption and migrations: what holds locks and has tables of its own. */
async function work(app: TestApp, url: string, direct: string): Promise<void> {
  const jobs = [await startJobs(app.runtime, url), await startJobs(app.runtime, url)];
  const client = new pg.Client({ connectionString: direct });
  await client.connect();
  await client.query(`insert into pgboss.job (name, policy) values ('seal-audit', 'singleton')`);
  const unsealed = async () =>
    (await client.query('select count(*)::int as n from audit_entry where hash is null')).rows[0]?.n;
  await expect.poll(unsealed, { timeout: 40_000, interval: 200 }).toBe(0);
  expect(await reencrypt(app.context())).toBeDefined();
  expect(await reencrypt(app.context())).toBeDefined();
  const released = MIGRATIONS.length;
  MIGRATIONS.push(
    migrationOf('9998-added', ['alter table partner add added int']),
    migrationOf('9999-indexed', [
      'drop index concurrently if exists partner_added',
      'create index concurrently partner_added on partner (added)',
    ]),
  );
  const ran = await Promise.all([migrate(url, () => {}), migrate(url, () => {}), migrate(url, () => {})]);
  MIGRATIONS.length = released;
  expect(ran.flat()).toEqual(['9998-added', '9999-indexed']);
  await Promise.all(jobs.map((each) => each.stop()));
  const locks = `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  expect((await client.query(locks)).rowCount).toBe(0);
  await client.end();
}

const TRANSACTIONS = { pool_mode: 'transaction' };
const UNPREPARED = /^DATABASE_URL: a pooler in transaction mode that does not keep prepared statements/;
const tracking = PROGRAMS.filter(({ version }) => version >= TRACKING);
const older = PROGRAMS.filter(({ version }) => version < TRACKING);

describe.skipIf(PROGRAMS.length === 0)('PgBouncer (skipped where there is none on the path or in PGBOUNCER)', () => {
  it.each(tracking)('1.$version in transaction mode: everything works over few connections', async ({ program }) => {
    const settings = { ...TRANSACTIONS, max_prepared_statements: 100, default_pool_size: 4 };
    const { between, direct } = await bouncer(program, settings);
    expect(await probeServer(connectionOptions(between))).toMatchObject({ pooler: 'transaction' });
    const apps = [await start(between), await start(between)];
    await exercise(apps);
    await work(apps[0] as TestApp, between, direct);
  });

  it.each(PROGRAMS)('1.$version in session mode: everything works', async ({ program }) => {
    const { between, direct } = await bouncer(program, { pool_mode: 'session', default_pool_size: 60 });
    expect(await probeServer(connectionOptions(between))).toMatchObject({ pooler: 'session' });
    const app = await start(between);
    await exercise([app]);
    await work(app, between, direct);
  });

  it.each([
    ...tracking.map((one) => ({
      ...one,
      how: 'without prepared statements',
      settings: { max_prepared_statements: 0 },
    })),
    ...older.map((one) => ({ ...one, how: 'in transaction mode', settings: { server_round_robin: 1 } })),
  ])('1.$version $how is refused, with the reason', async ({ program, settings }) => {
    const { between } = await bouncer(program, { ...TRANSACTIONS, ...settings });
    await expect(startApp({ databaseUrl: between })).rejects.toThrow(UNPREPARED);
  });

  it.each(tracking)('1.$version with one server connection only is not taken for session mode', async ({ program }) => {
    const settings = { ...TRANSACTIONS, max_prepared_statements: 0, default_pool_size: 1 };
    const { between } = await bouncer(program, settings);
    await expect(probeServer(connectionOptions(between))).rejects.toThrow(/does not keep prepared statements/);
  });

  it.each(PROGRAMS)('1.$version in statement mode is refused', async ({ program }) => {
    const { between } = await bouncer(program, { pool_mode: 'statement' });
    await expect(startApp({ databaseUrl: between })).rejects.toThrow('DATABASE_URL: the pooler allows no transactions');
  });

  it.each(PROGRAMS)('1.$version that takes our parameters and drops them is seen all the same', async ({ program }) => {
    const settings = { pool_mode: 'session', ignore_startup_parameters: 'statement_timeout' };
    const { between } = await bouncer(program, settings);
    const seen = await probeServer(connectionOptions(between));
    expect(seen).toMatchObject({ pooler: 'session', statementTimeout: 0 });
  });

  it.each(PROGRAMS)('1.$version that has no connection left lets requests wait', async ({ program }) => {
    const { between } = await bouncer(program, { pool_mode: 'session', max_client_conn: 4 });
    const app = await start(between);
    await app.runtime.pool.query('select 1');
    const taken: pg.Client[] = [];
    for (;;) {
      const client = new pg.Client({ connectionString: between });
      client.on('error', () => undefined);
      const refused = await client.connect().catch((error: Error) => error);
      if (refused) break;
      taken.push(client);
    }
    // those that find no place wait for the connection that there is
    await Promise.all([1, 2, 3].map(() => app.runtime.pool.query('select pg_sleep(0.5)')));
    for (const client of taken) await client.end();
  });
});
