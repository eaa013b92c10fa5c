import type { TestApp } from './start-app.ts';

/** What some work cost PostgreSQL. */
export interface Cost {
  ms: number;
  /** Rows and index entries that were read, of tables that were read at all. */
  read: Record<string, number>;
  /** All of these together. */
  rows: number;
}

/** Index entries are counted too, since an index that is read to its end costs like the table. */
const READ = `
  select t.relname as name, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0) as read
  from pg_stat_user_tables t left join pg_stat_user_indexes i on i.relid = t.relid
  where t.schemaname = 'public' group by t.relid, t.relname, t.seq_tup_read`;

/** Measures what the service reads while it works. Nothing else may be at work over its pool. */
export async function measureWork({ runtime, config }: TestApp, work: () => Promise<unknown>): Promise<Cost> {
  const before = await readSoFar();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  const after = await readSoFar();
  const read = Object.fromEntries(
    [...after].map(([name, rows]) => [name, rows - (before.get(name) ?? 0)] as const).filter(([, rows]) => rows > 0),
  );
  return { ms, read, rows: Object.values(read).reduce((sum, rows) => sum + rows, 0) };

  /** Each connection keeps its own counts for a while, unless it is told not to. */
  async function readSoFar(): Promise<Map<string, number>> {
    const { pool } = runtime;
    const clients = await Promise.all(Array.from({ length: config.databasePool }, () => pool.connect()));
    try {
      for (const client of clients) await client.query('select pg_stat_force_next_flush()');
      const { rows } = (await clients[0]?.query<{ name: string; read: string }>(READ)) ?? { rows: [] };
      return new Map(rows.map(({ name, read }) => [name, Number(read)]));
    } finally {
      for (const client of clients) client.release();
    }
  }
}
