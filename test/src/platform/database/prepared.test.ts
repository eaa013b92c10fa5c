import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { inTransaction, prepared } from '../../../../src/platform/database/prepared.ts';
import { testDatabase } from '../../../support/database.ts';

const pool = new pg.Pool({ connectionString: await testDatabase(), max: 2 });
await pool.query('create table noted (word text)');
const note = prepared('insert into noted (word) values ($1)');
const words = prepared<{ word: string }>('select word from noted order by word');
const noted = async () => (await words(pool, [])).map(({ word }) => word);
async function plans(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from pg_prepared_statements');
  return rows[0]?.count ?? -1;
}

afterAll(() => pool.end());

describe('a transaction', () => {
  it('is committed when its work returns, with what the work returned', async () => {
    const work = async (client: pg.PoolClient) => {
      await note(client, ['kept']);
      return 'done';
    };
    expect(await inTransaction(pool, work)).toBe('done');
    expect(await noted()).toEqual(['kept']);
  });

  it('is rolled back when its work throws, and the error reaches the caller', async () => {
    const work = inTransaction(pool, async (client) => {
      await note(client, ['never']);
      throw new RangeError('no');
    });
    await expect(work).rejects.toThrow(RangeError);
    expect(await noted()).toEqual(['kept']);
  });

  it('whose connection can not roll back does not give it to anybody else', async () => {
    let process: number | undefined;
    const work = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      process = rows[0]?.pid;
      client.query = (() => Promise.reject(new Error('broken'))) as never;
      throw new RangeError('no');
    });
    await expect(work).rejects.toThrow(RangeError);
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    const pids = await Promise.all(
      clients.map((client) => client.query<{ pid: number }>('select pg_backend_pid() as pid')),
    );
    for (const client of clients) client.release();
    expect(pids.map(({ rows }) => rows[0]?.pid)).not.toContain(process);
  });
});

it('a prepared statement is planned once per connection, under a name of its own for each text', async () => {
  const client = await pool.connect();
  const before = await plans(client);
  for (let run = 0; run < 3; run++) {
    await prepared('select 1 as one, $1::int as two')(client, [run]);
    await prepared('select 2 as one, $1::int as two')(client, [run]);
  }
  const after = await plans(client);
  client.release();
  expect(after - before).toBe(2);
});
