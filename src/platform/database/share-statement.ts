import type DataLoader from 'dataloader';
import type { Pool } from 'pg';
import { takeTurns } from '../take-turns.ts';
import { isRowFault } from './faults.ts';
import { prepared } from './prepared.ts';

/** A statement that several requests can share (D-240). */
export interface SharedStatement<Given, Row> {
  /** In one statement with the other requests that wait. @returns undefined where the statement has no row for the request */
  together(pool: Pool, given: Given): Promise<Row | undefined>;
  /** In a statement of its own, immediately. */
  alone(pool: Pool, given: Given): Promise<Row | undefined>;
}

/** A row of an answer, with its request. */
interface Numbered {
  /** The number of the given row. */
  n: number;
}

const MOST_TOGETHER = 32;
const TURNS = { mostTogether: MOST_TOGETHER, mostUnderWay: 4 };

/** Undefined where the shared statement did not answer the request. */
type Answer<Row> = { row: Row | undefined } | undefined;

/** Errors, such as a deadlock, that end a transaction in favor of another. */
const TRANSACTION_ROLLBACK = /^40/;

/**
 * The given rows of a shared statement, in its `from`. PostgreSQL expects 100 rows of `json_to_recordset`, and would scan a table that
 * has no statistics yet. By the default selectivity of `between` it expects one row here, and uses the index for each.
 * @param columns names and types, beside `n`
 */
export function givenRows(columns: string): string {
  return `(select * from json_to_recordset($1) as given(n int, ${columns}) where n between 0 and ${MOST_TOGETHER - 1})`;
}

/**
 * Prepares a statement that waiting requests share: one round trip, one plan and one commit for all of them. A request that finds no
 * statement under way does not wait. Each has its own answer: where the shared statement has no row for it, or fails because of one row,
 * the request's own statement decides.
 * @param textOf the statement, over `givenRows`, each with its number `n`, which its row of the answer repeats. Has `lock` after
 * `for update`: the shared statement skips locked rows
 */
export function shareStatement<Given extends object, Row extends Numbered>(
  textOf: (lock: 'skip locked' | '') => string,
): SharedStatement<Given, Row> {
  const askTogether = prepared<Row>(textOf('skip locked'));
  const askAlone = prepared<Row>(textOf(''));
  const queues = new WeakMap<Pool, DataLoader<Given, Answer<Row>>>();

  async function alone(pool: Pool, given: Given): Promise<Row | undefined> {
    const [row] = await askAlone(pool, [JSON.stringify([{ n: 0, ...given }])]);
    return row;
  }

  async function ask(pool: Pool, all: readonly Given[]): Promise<Answer<Row>[]> {
    const [first] = all;
    if (all.length === 1 && first !== undefined) return [{ row: await alone(pool, first) }];
    const answers: Answer<Row>[] = Array(all.length).fill(undefined);
    try {
      for (const row of await askTogether(pool, [JSON.stringify(all.map((given, n) => ({ n, ...given })))]))
        answers[row.n] = { row };
    } catch (error) {
      if (!isOfOneRequest(error)) throw error;
    }
    return answers;
  }

  return {
    alone,
    async together(pool, given) {
      let queue = queues.get(pool);
      if (queue === undefined) {
        queue = takeTurns((all) => ask(pool, all), TURNS);
        queues.set(pool, queue);
      }
      const answer = await queue.load(given);
      return answer === undefined ? alone(pool, given) : answer.row;
    },
  };
}

/** Whether other requests of the same statement may pass. */
function isOfOneRequest(error: unknown): boolean {
  return (
    isRowFault(error) || (error instanceof Error && 'code' in error && TRANSACTION_ROLLBACK.test(String(error.code)))
  );
}
