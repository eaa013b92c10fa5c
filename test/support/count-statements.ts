import pg from 'pg';

/** What some work did, and every statement that this process sent to PostgreSQL meanwhile. */
export interface Counted<Result> {
  result: Result;
  /** Texts of the statements, in their order. */
  statements: string[];
}

/**
 * Runs `work` and notes the statements that it sends, whichever way: by the ORM, by a prepared statement, in a
 * transaction. Nothing else may be at work in the process.
 */
export async function countStatements<Result>(work: () => Promise<Result>): Promise<Counted<Result>> {
  const { query } = pg.Client.prototype;
  const statements: string[] = [];
  pg.Client.prototype.query = function noted(this: pg.Client, ...call: unknown[]) {
    const [statement] = call;
    const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
    // the request log is written behind the answers, and clock and simulated clients read, whenever they are due
    if (!/insert into request_log|clock_timestamp|simulation is not null/.test(text)) statements.push(text);
    return Reflect.apply(query, this, call);
  } as typeof query;
  try {
    return { result: await work(), statements };
  } finally {
    pg.Client.prototype.query = query;
  }
}
