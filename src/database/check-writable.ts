import type { Pool } from 'pg';
import { lacksStorage, renewConnections } from './watch-pool.ts';

/**
 * Whether this process can write to its database, in one statement that writes nothing; a full disk shows only in the writes of others.
 * @throws Error that says why not
 */
export async function checkWritable(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ read_only: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only`,
  );
  if (rows[0]?.read_only !== false) {
    renewConnections(pool);
    throw new Error('the database is read-only');
  }
  if (lacksStorage(pool)) throw new Error('the database has no room left');
}
