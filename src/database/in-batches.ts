import type { Pool } from 'pg';
import { prepared } from './prepared.ts';

/**
 * Repeats a step until it did less than a whole batch. Batches keep locks short, and an interrupted run keeps its progress.
 * @param limit once aborted, no further batch begins: the next call goes on with what is left
 */
export async function inBatches(size: number, step: () => Promise<number>, limit?: AbortSignal): Promise<void> {
  while (!limit?.aborted && (await step()) === size);
}

/** Deletes the rows of a table that are older than `before`, oldest first. */
export type DeleteOld = (pool: Pool, before: Date | string | bigint, limit?: AbortSignal) => Promise<void>;

const BATCH = 5_000;

/**
 * Prepares the deletion of old rows. Each batch begins where the one before ended: the index still has the entries of deleted rows, and
 * reading those again would make every batch slower than the last.
 * @param column SQL: has an index, or is small enough
 * @param only SQL: further condition
 * @param least SQL: a value of the column's type that none is less than
 */
export function deleteOldFrom(
  table: string,
  column: string,
  only = 'true',
  least = `'-infinity'::timestamptz`,
): DeleteOld {
  const old = `${column} < $1 and ${only}`;
  // `any(array(…))` and not `in (…)`: with statistics from before a burst, PostgreSQL would join every row with every other
  const deleteBatch = prepared<{ count: number; last: string | null }>(`
    with gone as (
      delete from ${table} where ${old} and ctid = any(array(
        select ctid from ${table} where ${old} and ${column} >= coalesce($2, ${least}) order by ${column} limit ${BATCH}))
      returning ${column} as value
    )
    select count(*)::int as count, max(value)::text as last from gone`);
  return async (pool, before, limit) => {
    let last: string | null = null;
    const step = async () => {
      const [batch] = await deleteBatch(pool, [before, last]);
      last = batch?.last ?? last;
      return batch?.count ?? 0;
    };
    await inBatches(BATCH, step, limit);
  };
}
