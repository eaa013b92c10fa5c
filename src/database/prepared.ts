import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** A statement of a hot path: one round trip, planned once per connection. Everything else goes through MikroORM. */
export type Prepared<Row extends QueryResultRow> = (database: Pool | PoolClient, values: unknown[]) => Promise<Row[]>;

/** Prepares `text` (with `$1`, `$2`, …) under a name derived from it. */
export function prepared<Row extends QueryResultRow>(text: string): Prepared<Row> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return async (database, values) => (await database.query<Row>({ name, text, values })).rows;
}

/** Runs `work` in one transaction on a connection of its own: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    // a connection that failed to roll back is closed
    client.release(broken);
  }
}
