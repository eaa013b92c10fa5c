import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';

/**
 * A statement of a hot path: one round trip, planned by the server once per connection. Everything else goes through
 * MikroORM.
 */
export type Prepared<Row extends QueryResultRow> = (pool: Pool, values: unknown[]) => Promise<Row[]>;

/** Prepares `text` (with `$1`, `$2`, …) under a name derived from it. */
export function prepared<Row extends QueryResultRow>(text: string): Prepared<Row> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return async (pool, values) => (await pool.query<Row>({ name, text, values })).rows;
}
