import type { Pool } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { deleteInTurns, inBatches, oldRowsOf } from '../../../../src/platform/database/in-batches.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

const sessions = oldRowsOf('phone_challenge', 'expires_at');
const deleteOld = (pool: Pool, before: Date, limit?: AbortSignal) => deleteInTurns([sessions(pool, before)], limit);

const AMOUNT = 12_000;

const BEGAN = Date.now();

const ago = (seconds: number) => new Date(BEGAN - seconds * 1_000);

/** Half of them expire together. */
async function expire(): Promise<void> {
  await app.runtime.pool.query(
    `insert into phone_challenge (purpose, owner, mode, expires_at)
     select 'portal', gen_random_uuid(), 'production', $1::timestamptz - greatest(0, i - ${AMOUNT / 2}) * interval '1 second'
     from generate_series(1, ${AMOUNT}) i`,
    [ago(0)],
  );
}

async function left(): Promise<number> {
  const { rows } = await app.runtime.pool.query<{ n: number }>('select count(*)::int as n from phone_challenge');
  return rows[0]?.n ?? 0;
}

describe('old rows', () => {
  it('go in batches, the oldest first, and no younger one goes with them', async () => {
    await expire();
    const { statements } = await countStatements(() => deleteOld(app.runtime.pool, ago(3_600)));
    expect(statements).toHaveLength(1);
    expect(await left()).toBe(AMOUNT / 2 + 3_600);
    const all = await countStatements(() => deleteOld(app.runtime.pool, ago(-60)));
    expect(all.statements).toHaveLength(2);
    expect(await left()).toBe(0);
  });

  it('are left for the next run where the time is over: the run ends with its batch', async () => {
    await expire();
    const limit = new AbortController();
    const { pool } = app.runtime;
    const { query } = pool;
    let batches = 0;
    const counting = vi.spyOn(pool, 'query').mockImplementation((...call: unknown[]) => {
      // the service has statements of its own meanwhile
      if (JSON.stringify(call[0]).includes('delete from') && ++batches === 2) limit.abort();
      return Reflect.apply(query, pool, call);
    });
    await deleteOld(pool, ago(-60), limit.signal).finally(() => counting.mockRestore());
    expect(batches).toBe(2);
    expect(await left()).toBe(AMOUNT - 2 * 5_000);
    await deleteOld(pool, ago(-60));
    expect(await left()).toBe(0);
  });

  it('that somebody is writing are waited for, and stay where they are not old any more', async () => {
    await expire();
    const { pool } = app.runtime;
    const client = await pool.connect();
    await client.query('begin');
    await client.query(
      `update phone_challenge set expires_at = now() + interval '1 day'
       where owner = (select owner from phone_challenge order by expires_at limit 1)`,
    );
    const deleting = deleteOld(pool, ago(-60));
    await client.query('select pg_sleep(0.3)');
    await client.query('commit');
    client.release();
    await deleting;
    await deleteOld(pool, ago(-60));
    expect(await left()).toBe(1);
    await pool.query('delete from phone_challenge');
  });
});

it('a table that fails holds up no other, and the error is reported', async () => {
  const batches = [true, true, false];
  const deleting = deleteInTurns([() => Promise.reject(new Error('no table')), async () => batches.shift() ?? false]);
  await expect(deleting).rejects.toThrow('no table');
  expect(batches).toEqual([]);
});

it('batches end with the first that is not whole', async () => {
  const sizes = [3, 3, 2, 3];
  await inBatches(3, async () => sizes.shift() ?? 0);
  expect(sizes).toEqual([3]);
});
