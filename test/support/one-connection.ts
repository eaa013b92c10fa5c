import pg from 'pg';
import type { TestApp } from './start-app.ts';

/** A pool of one connection: plans of prepared statements that are made on it are used on it again. */
export interface OneConnection {
  pool: pg.Pool;
  /** Runs a statement without foreign keys and triggers. */
  unchecked(text: string): Promise<void>;
  /** Rows and index entries of a table that were read so far, over all connections that are idle. */
  readOf(table: string): Promise<number>;
  close(): Promise<void>;
}

/** PostgreSQL keeps the plan of a prepared statement that it has made so often. */
export const PLAN_IS_KEPT = 7;

/** Opens a pool of one connection to a test's database. */
export function oneConnection({ config }: Pick<TestApp, 'config'>): OneConnection {
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 1 });
  return {
    pool,
    async unchecked(text) {
      await pool.query('set session_replication_role = replica');
      await pool.query(text);
      await pool.query('reset session_replication_role');
    },
    async readOf(table) {
      await pool.query('select pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: string }>(
        `select t.seq_tup_read + sum(i.idx_tup_read) as read
         from pg_stat_user_tables t join pg_stat_user_indexes i on i.relid = t.relid where t.relname = $1 group by t.seq_tup_read`,
        [table],
      );
      return Number(rows[0]?.read);
    },
    close: () => pool.end(),
  };
}
