import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isDependencyDown } from '../../../../adapters/http/dependency.ts';
import { openOrm, poolOf } from '../../../../src/entities/orm.ts';
import { inTransaction, prepared } from '../../../../src/platform/database/prepared.ts';
import { checkWritable, watchPool } from '../../../../src/platform/database/watch-pool.ts';
import { asAdmin, testDatabases } from '../../../support/database.ts';
import { openWire } from '../../../support/wire.ts';

const { opened, database } = testDatabases();

async function open(url: string, size: number) {
  const orm = await openOrm(url, size, () => {});
  opened.push(orm);
  return { orm, pool: await poolOf(orm) };
}

const faultOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

/** As the connections to a primary that has become a standby, while a new connection finds the new primary. */
async function demote(pool: pg.Pool, connections: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  for (const client of clients) await client.query('set default_transaction_read_only = on');
  for (const client of clients) client.release();
}

describe.concurrent('D-223: a pool heals by itself', () => {
  it('after a failover one write fails as unavailable, and the next ones have new connections, idle or in use', async () => {
    const { orm, pool } = await open(await database(), 4);
    await demote(pool, 3);
    const busy = await pool.connect();
    const fault = await faultOf(orm.em.fork().execute('create table after_failover ()'));
    expect(fault).toMatchObject({ code: '25006' });
    expect(isDependencyDown(fault)).toBe(true);
    busy.release();
    await orm.em.fork().execute('create table after_failover ()');
    const writes = [1, 2, 3, 4].map((n) => pool.query(`create table after_failover_${n} ()`));
    await Promise.all(writes);
  });

  it('after a restart of the server, whose lost connections harm nobody', async () => {
    const url = await database();
    const { orm, pool } = await open(url, 4);
    await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.01)')));
    expect(pool.idleCount).toBeGreaterThan(0);
    await asAdmin(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await expect.poll(async () => (await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await orm.em.fork().execute('select 2 as two')).toEqual([{ two: 2 }]);
  });

  it('D-223: readiness alone finds the new primary, without a write', async () => {
    const { pool } = await open(await database(), 4);
    await demote(pool, 3);
    await expect(checkWritable(pool)).rejects.toThrow('the database is read-only');
    await expect.poll(() => checkWritable(pool)).toBeUndefined();
  });

  it('a statement of which no answer came is not sent another one behind it', async () => {
    const wire = await openWire(await database());
    // as `openOrm` makes it, but for its time limit
    const pool = new pg.Pool({ connectionString: wire.url, max: 1, query_timeout: 500 });
    opened.push({ close: () => pool.end() });
    pool.on('error', () => undefined);
    watchPool(pool, 5_000);
    await pool.query('select 1');
    wire.silence();
    const fault = await faultOf(pool.query('select 2'));
    expect(isDependencyDown(fault)).toBe(true);
    const from = performance.now();
    expect((await pool.query('select 3 as three')).rows).toEqual([{ three: 3 }]);
    expect(performance.now() - from).toBeLessThan(5_000);
    await wire.cut();
  });

  it('requests have a time limit on both sides', async () => {
    const { pool } = await open(await database(), 1);
    expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '15s' }]);
    expect(pool.options).toMatchObject({ query_timeout: 20_000, connectionTimeoutMillis: 5_000 });
  });

  it('a backend that is killed in a transaction is answered as unavailable, and harms no other', async () => {
    const { orm, pool } = await open(await database(), 1);
    const kill = 'select pg_terminate_backend(pg_backend_pid())';
    const raw = await faultOf(
      inTransaction(pool, async (client) => {
        await client.query(kill).catch(() => undefined);
        await client.query('select 1');
      }),
    );
    const mapped = await faultOf(
      orm.em.fork().transactional(async (em) => {
        await em.execute(kill).catch(() => undefined);
        await em.execute('select 1');
      }),
    );
    expect([isDependencyDown(raw), isDependencyDown(mapped)]).toEqual([true, true]);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('a statement that a migration has made stale fails once, as unavailable', async () => {
    const url = await database();
    const { pool } = await open(url, 1);
    await asAdmin(url, 'create table migrated (a int)');
    const readAll = prepared<{ a: number }>('select * from migrated');
    const read = () => inTransaction(pool, (client) => readAll(client, []));
    await read();
    await asAdmin(url, 'alter table migrated add b int');
    expect(isDependencyDown(await faultOf(read()))).toBe(true);
    expect(await read()).toEqual([]);
  });

  it('D-223: a full disk is seen in the writes of others, until there is room', async () => {
    const url = await database();
    const { orm, pool } = await open(url, 1);
    const full = `raise exception 'could not extend file' using errcode = '53100'`;
    // whoever asks for room learns the same
    await asAdmin(url, `create function no_room() returns event_trigger language plpgsql as $$ begin ${full}; end $$`);
    await asAdmin(url, 'create event trigger no_room on ddl_command_start execute function no_room()');
    await checkWritable(pool);
    const fault = await faultOf(orm.em.fork().execute(`do $$ begin ${full}; end $$`));
    expect(isDependencyDown(fault)).toBe(true);
    for (const _ of [1, 2]) await expect(checkWritable(pool)).rejects.toThrow('no room left');
    await asAdmin(url, 'drop event trigger no_room');
    await checkWritable(pool);
  });

  it('D-223: for a role without temporary tables, a full disk counts until readiness is asked for', async () => {
    const url = new URL(await database());
    const role = `plain_${crypto.randomUUID().replaceAll('-', '')}`;
    await asAdmin(url.href, `create role ${role} login password 'x'`);
    await asAdmin(url.href, `revoke temporary on database ${url.pathname.slice(1)} from public`);
    const { pool } = await open(Object.assign(url, { username: role, password: 'x' }).href, 1);
    await faultOf(pool.query(`do $$ begin raise exception 'full' using errcode = '53100'; end $$`));
    await checkWritable(pool);
  });
});

describe.concurrent('D-223: where PostgreSQL has no connection left', () => {
  /** The database for a role that may have one connection; `taken` is that one. */
  async function crowded() {
    const url = new URL(await database());
    const role = `crowded_${crypto.randomUUID().replaceAll('-', '')}`;
    await asAdmin(url.href, `create role ${role} login password 'x' connection limit 1`);
    const own = Object.assign(new URL(url), { username: role, password: 'x' }).href;
    const opened = await open(own, 2);
    // the one that the ORM began with
    await asAdmin(url.href, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    while (opened.pool.totalCount > 0) await sleep(20);
    const taken = new pg.Client({ connectionString: own });
    await taken.connect();
    return { ...opened, taken };
  }

  it('a statement waits until there is one', async () => {
    const { orm, pool, taken } = await crowded();
    // whichever is first lets the other have it
    const waiting = Promise.all([pool.query('select 1 as one'), pool.connect().then((client) => client.release())]);
    await sleep(300);
    await taken.end();
    const [{ rows }] = await waiting;
    expect(rows).toEqual([{ one: 1 }]);
    expect(await orm.em.fork().execute('select 2 as two')).toEqual([{ two: 2 }]);
  });

  it('it is unavailable after five seconds', async () => {
    const { orm, pool, taken } = await crowded();
    const from = performance.now();
    const faults = await Promise.all([faultOf(pool.query('select 1')), faultOf(orm.em.fork().execute('select 1'))]);
    expect(performance.now() - from).toBeLessThan(15_000);
    expect(performance.now() - from).toBeGreaterThan(4_000);
    expect(faults.map(isDependencyDown)).toEqual([true, true]);
    expect(faults[0]).toMatchObject({ code: '53300' });
    await taken.end();
  });
});
