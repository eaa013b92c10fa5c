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
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

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

/** A table whose old rows go where nothing needs them any more. All is SQL. */
export interface Unused {
  table: string;
  /** A `timestamptz`; has an index together with `id`. */
  column: string;
  /** Columns that may refer to a row, as `table.column`. A row that one refers to stays. */
  unless: readonly string[];
  /** Further condition on the row, alias `x`; `$1` is `before`. */
  only?: string;
  /** A table whose row, found by the column, goes with it. */
  with?: readonly [table: string, column: string];
}

/**
 * Prepares the deletion of old rows of which most may stay. Each batch looks at as many rows as it may delete, and the next one begins
 * after them: no statement walks over all that stay.
 */
export function unusedRowsOf({ table, column, unless, only = 'true', with: other }: Unused): OldRows {
  const free = unless.map((reference) => {
    const [from = '', by = ''] = reference.split('.');
    return `and not exists (select from ${from} r where r.${by} = x.id)`;
  });
  const deleteBatch = prepared<{ count: number; at: string | null; id: string | null }>(`
    with seen as (
      select id, ${column} as value from ${table}
      where ${column} < $1 and (${column}, id) > (coalesce($2, '-infinity'::timestamptz), coalesce($3, '${FIRST_ID}'::uuid))
      order by ${column}, id limit ${BATCH}
    ), unused as (
      select x.id from seen join ${table} x on x.id = seen.id where ${column} < $1 and ${only} ${free.join(' ')}
    ), ${other ? `along as (delete from ${other[0]} o using unused where o.${other[1]} = unused.id), ` : ''}gone as (
      delete from ${table} x using unused where x.id = unused.id
    )
    select count(*)::int as count, max(value)::text as at,
      (select id::text from seen order by value desc, id desc limit 1) as id from seen`);
  return (pool, before) => {
    let [at, id]: (string | null)[] = [null, null];
    return async () => {
      const [batch] = await deleteBatch(pool, [before, at ?? null, id ?? null]);
      [at, id] = [batch?.at ?? at ?? null, batch?.id ?? id ?? null];
      return batch?.count === BATCH;
    };
  };
}
