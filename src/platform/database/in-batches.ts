import type { Pool } from 'pg';
import { prepared } from './prepared.ts';

/**
 * Repeats a step until it did less than a whole batch. Batches keep locks short, and an interrupted run keeps its progress.
 * @param limit once aborted, no further batch begins: the next call goes on with what is left
 */
export async function inBatches(size: number, step: () => Promise<number>, limit?: AbortSignal): Promise<void> {
  while (!limit?.aborted && (await step()) === size);
}

/** Deletes a batch of old rows. @returns whether there may be more */
type DeleteBatch = () => Promise<boolean>;
/** Begins to delete the rows of a table that are older than `before`, oldest first. */
export type OldRows = (pool: Pool, before: Date | bigint) => DeleteBatch;

/**
 * Deletes a batch of each in turn, until nothing is left: a large table, or one that fails, delays no other.
 * @param limit ends it
 * @throws the first error, when the rest is done
 */
export async function deleteInTurns(all: readonly DeleteBatch[], limit?: AbortSignal): Promise<void> {
  const errors: unknown[] = [];
  const hasMore = (deleteBatch: DeleteBatch) =>
    deleteBatch().catch((error: unknown) => {
      errors.push(error);
      return false;
    });
  for (let left = all; left.length > 0 && !limit?.aborted; ) {
    const more: DeleteBatch[] = [];
    for (const deleteBatch of left) {
      if (limit?.aborted) break;
      if (await hasMore(deleteBatch)) more.push(deleteBatch);
    }
    left = more;
  }
  if (errors.length > 0) throw errors[0];
}

const BATCH = 5_000;

/**
 * Prepares the deletion of old rows. Each batch begins where the one before ended: the index still has the entries of deleted rows, and
 * reading them again would make each batch slower.
 * @param column SQL: has an index, or is small enough
 * @param only SQL: further condition
 * @param least SQL: the least value of the column's type
 */
export function oldRowsOf(table: string, column: string, only = 'true', least = `'-infinity'::timestamptz`): OldRows {
  const old = `${column} < $1 and ${only}`;
  // `any(array(…))` and not `in (…)`: with statistics from before a burst, PostgreSQL would join every row with every other
  const deleteBatch = prepared<{ count: number; last: string | null }>(`
    with gone as (
      delete from ${table} where ${old} and ctid = any(array(
        select ctid from ${table} where ${old} and ${column} >= coalesce($2, ${least}) order by ${column} limit ${BATCH}))
      returning ${column} as value
    )
    select count(*)::int as count, max(value)::text as last from gone`);
  return (pool, before) => {
    let last: string | null = null;
    return async () => {
      const [batch] = await deleteBatch(pool, [before, last]);
      last = batch?.last ?? last;
      return batch?.count === BATCH;
    };
  };
}
