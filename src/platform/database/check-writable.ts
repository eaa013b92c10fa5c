import type { Pool } from 'pg';
import { renewConnections, requireStorage } from './watch-pool.ts';

/**
 * Whether this process can write to its database, in one statement that writes nothing. A full disk shows in the writes of others;
 * then it is asked for room until it has some.
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
  await requireStorage(pool).catch((cause: unknown) => {
    throw new Error('the database has no room left', { cause });
  });
}
