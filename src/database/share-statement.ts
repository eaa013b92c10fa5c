import { AsyncResource } from 'node:async_hooks';
import DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { isRowFault } from './is-row-fault.ts';
import { prepared } from './prepared.ts';

/** A statement that several requests can share (D-240). */
export interface SharedStatement<Given, Row> {
  /** Together with the other requests that wait. @returns undefined where the statement has no row for the request */
  together(pool: Pool, given: Given): Promise<Row | undefined>;
  /** In a statement of its own, at once. */
  alone(pool: Pool, given: Given): Promise<Row | undefined>;
}

/** What the rows of an answer belong to. */
interface Numbered {
  /** Of the given row. */
  n: number;
}

/** More would let the first of them wait for the last. */
const MOST_TOGETHER = 32;
/** So that others go on while one waits. */
const MOST_AT_ONCE = 2;

/** A deadlock, and what else ended a transaction for the sake of another. */
const TRANSACTION_ROLLBACK = /^40/;

/**
 * Prepares a statement that requests share while others are on their way to the database: one round trip, one plan, one commit for
 * all that wait. A request that finds nothing on its way waits for nobody. Each has its own answer: where the shared statement has no row for
 * it, or is refused for the sake of a row, its own statement decides.
 * @param textOf the statement, over one JSON array of given rows ($1), each with its number `n`, which its row of the answer repeats.
 * `busy` belongs after `for update`: together, a row that somebody else has locked is left out
 */
export function shareStatement<Given extends object, Row extends Numbered>(
  textOf: (busy: 'skip locked' | '') => string,
): SharedStatement<Given, Row> {
  const askTogether = prepared<Row>(textOf('skip locked'));
  const askAlone = prepared<Row>(textOf(''));
  const queues = new WeakMap<Pool, DataLoader<Given, { row: Row | undefined } | undefined>>();

  async function alone(pool: Pool, given: Given): Promise<Row | undefined> {
    const [row] = await askAlone(pool, [JSON.stringify([{ n: 0, ...given }])]);
    return row;
  }

  function openQueue(pool: Pool) {
    let underWay = 0;
    const waiting: (() => void)[] = [];
    const queue = new DataLoader<Given, { row: Row | undefined } | undefined>(
      async (all) => {
        try {
          const [first] = all;
          if (all.length === 1 && first !== undefined) return [{ row: await alone(pool, first) }];
          const answers: ({ row: Row } | undefined)[] = Array(all.length).fill(undefined);
          const rows = await askTogether(pool, [JSON.stringify(all.map((given, n) => ({ n, ...given })))]);
          for (const row of rows) answers[row.n] = { row };
          return answers;
        } catch (error) {
          if (all.length > 1 && isOfOneRequest(error)) return all.map(() => undefined);
          throw error;
        } finally {
          const next = waiting.shift();
          if (next === undefined) underWay--;
          else next();
        }
      },
      {
        cache: false,
        maxBatchSize: MOST_TOGETHER,
        batchScheduleFn(send) {
          // bound, so that its span is below a request that waits for it, and not below one that has its answer
          if (underWay === MOST_AT_ONCE) return void waiting.push(AsyncResource.bind(send));
          underWay++;
          // the request is not in it yet
          queueMicrotask(send);
        },
      },
    );
    queues.set(pool, queue);
    return queue;
  }

  return {
    alone,
    async together(pool, given) {
      const answer = await (queues.get(pool) ?? openQueue(pool)).load(given);
      return answer === undefined ? alone(pool, given) : answer.row;
    },
  };
}

/** Whether others may pass that were in the same statement. */
function isOfOneRequest(error: unknown): boolean {
  return (
    isRowFault(error) || (error instanceof Error && 'code' in error && TRANSACTION_ROLLBACK.test(String(error.code)))
  );
}
