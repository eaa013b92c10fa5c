import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { givenRows, shareStatement } from '../../../../src/platform/database/share-statement.ts';
import { testDatabase } from '../../../support/database.ts';

const url = await testDatabase();
const pool = new pg.Pool({ connectionString: url, max: 12 });
/** How many requests each statement was for, in their order. */
let asked: number[];
/** Takes a voucher once. */
const spend = shareStatement<{ code: string; by: string; worth?: number }, { n: number; spent_by: string }>(
  (busy) => `
  with given as (
    select g.* from json_to_recordset($1) as g(n int, code text, "by" text, worth int)
    cross join lateral (select from voucher v where v.code = g.code for update ${busy}) held
  )
  update voucher v set spent_by = g.by, worth = g.worth from given g
  where v.code = g.code and v.spent_by is null returning g.n, v.spent_by`,
);
/** On a busy machine a statement takes longer than the next one waits for it. */
const holdPatience = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const spendMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => spend.together(pool, { code: `v${n}`, by: `caller ${n}` })));
const expected = (count: number) =>
  Array.from({ length: count }, (_, n) => expect.objectContaining({ spent_by: `caller ${n}` }));

beforeAll(async () => {
  await pool.query('create table voucher (code text primary key, spent_by text, worth int check (worth <> 13))');
  const { query } = pool;
  pool.query = ((config: { values: [string] }) => {
    asked.push(JSON.parse(config.values[0]).length);
    return Reflect.apply(query, pool, [config]);
  }) as never;
});

beforeEach(async () => {
  const client = await pool.connect();
  await client.query(`truncate voucher`);
  await client.query(`insert into voucher select 'v' || n from generate_series(0, 99) n`);
  client.release();
  asked = [];
});

afterEach(() => void vi.useRealTimers());

afterAll(() => pool.end());

describe('requests that share a statement (D-240)', () => {
  it('look their rows up in the index of a table that has no statistics yet', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      'create temporary table young (code text primary key, worth int) with (autovacuum_enabled = false)',
    );
    await client.query(`insert into young select 'y' || n, n from generate_series(1, 2000) n`);
    await client.query(`prepare look_up (json) as select g.n, y.worth
      from ${givenRows('code text').replace('$1', '$1::json')} g join young y on y.code = g.code`);
    await client.query('set plan_cache_mode = force_generic_plan');
    const given = JSON.stringify(Array.from({ length: 32 }, (_, n) => ({ n, code: `y${n + 1}` })));
    const { rows: plan } = await client.query(`explain execute look_up ('${given}')`);
    const { rows: found } = await client.query(`execute look_up ('${given}')`);
    await client.end();
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Seq Scan');
    expect(found).toHaveLength(32);
  });

  it('get each its own row', async () => {
    expect(await spendMany(40)).toEqual(expected(40));
    expect(asked.length).toBeLessThan(40);
  });

  it('where nothing is on its way, one is sent at once and alone', async () => {
    const given = { code: 'v0', by: 'first' };
    const answer = spend.together(pool, given);
    await Promise.resolve();
    expect(asked).toEqual([1]);
    expect(await answer).toMatchObject({ spent_by: 'first' });
  });

  it('are at most 32 in one, in their order, and the next statement follows the answer to the one before', async () => {
    holdPatience();
    let most = 0;
    let underWay = 0;
    const { query } = pool;
    using _counting = vi.spyOn(pool, 'query').mockImplementation(async (...call: unknown[]) => {
      most = Math.max(most, ++underWay);
      return Reflect.apply(query, pool, call).finally(() => underWay--);
    });
    const order: number[] = [];
    const one = async (n: number) => {
      expect(await spend.together(pool, { code: `v${n}`, by: 'x' })).toMatchObject({ spent_by: 'x' });
      order.push(n);
    };
    await Promise.all(Array.from({ length: 100 }, (_, n) => one(n)));
    expect(order).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(Math.max(...asked)).toBe(32);
    expect(most).toBe(1);
  });

  it('that are for the same thing do as they would one after the other: one of them gets it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => spend.together(pool, { code: `v${n % 3}`, by: `caller ${n}` })),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(3);
  });

  it('fail each by itself: the row that the database refuses fails its own request only', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        spend.together(pool, { code: `v${n}`, by: `caller ${n}`, worth: n === 7 ? 13 : n }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, (_, n) => (n === 7 ? 'rejected' : 'fulfilled')),
    );
  });

  it('do not wait for a row that somebody else holds: only its own request does', async () => {
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`select from voucher where code = 'v5' for update`);
    const waits = { done: false };
    const others: Promise<unknown>[] = [];
    let held: Promise<unknown> | undefined;
    for (let n = 0; n < 10; n++) {
      const answer = spend.together(pool, { code: `v${n}`, by: `caller ${n}` });
      if (n === 5) held = answer.finally(() => (waits.done = true));
      else others.push(answer);
    }
    await Promise.all(others);
    expect(waits.done).toBe(false);
    await holder.query('commit');
    holder.release();
    expect(await held).toMatchObject({ spent_by: 'caller 5' });
  });

  it('do not wait for a statement that takes long: the next follows soon, up to four at once', async () => {
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`select from voucher where code in ('v0', 'v1', 'v2', 'v3') for update`);
    const held: Promise<unknown>[] = [];
    for (let n = 0; n < 3; n++) {
      held.push(spend.together(pool, { code: `v${n}`, by: `caller ${n}` }));
      await sleep(60);
    }
    expect(await spend.together(pool, { code: 'v9', by: 'caller 9' })).toMatchObject({ spent_by: 'caller 9' });
    held.push(spend.together(pool, { code: 'v3', by: 'caller 3' }));
    await sleep(60);
    held.push(spend.together(pool, { code: 'v4', by: 'caller 4' }));
    await sleep(60);
    expect(asked).toHaveLength(5);
    await holder.query('commit');
    holder.release();
    expect(await Promise.all(held)).toEqual(expected(5));
  });

  it('all fail where the database is not reached, and the next ones are asked again', async () => {
    const error = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    const away = vi.spyOn(pool, 'query').mockRejectedValue(error as never);
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => spend.together(pool, { code: `v${n}`, by: 'x' })),
    );
    away.mockRestore();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(await spendMany(3)).toEqual(expected(3));
  });
});
