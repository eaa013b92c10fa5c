import { createHash } from 'node:crypto';
import { getCallSites } from 'node:util';
import { EntityManager, type Kysely } from '@mikro-orm/postgresql';
import { type Pool, type PoolClient, type QueryConfig, type QueryResultRow, types } from 'pg';

/**
 * A statement on a set of rows, with a condition inside a write, or of a hot path: one round trip, planned once per connection. A row by
 * its id, or a list of a console, goes through MikroORM. There is no third way (D-006).
 */
export type Prepared<Row extends QueryResultRow> = (
  database: Pool | PoolClient | EntityManager,
  values: unknown[],
) => Promise<Row[]>;

/** The text of a prepared statement, and its place in the source, such as `src/oauth/token/statements.ts:12`. */
export interface Statement {
  text: string;
  place: string;
}

let recorded: Statement[] | undefined;

/** Records every statement prepared from now on, for `npm run statements`. @returns the list, which grows as modules are loaded */
export function recordStatements(): Statement[] {
  recorded ??= [];
  return recorded;
}

/** Prepares `text` (with `$1`, `$2`, …) under a name derived from it. */
export function prepared<Row extends QueryResultRow>(text: string, parsers?: QueryConfig['types']): Prepared<Row> {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
  recorded?.push({ text, place: placeOfCaller() });
  return async (database, values) => {
    if (database instanceof EntityManager) return runBesideOrm(database, text, values);
    return (await database.query<Row>({ name, text, values, types: parsers })).rows;
  };
}

/** Runs a statement in the transaction of an entity manager, if it has one. Here PostgreSQL plans it on each call. */
async function runBesideOrm<Row extends QueryResultRow>(
  em: EntityManager,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const connection: Kysely<unknown> = em.getTransactionContext() ?? em.getConnection().getClient();
  const query = { kind: 'RawNode', sqlFragments: [text], parameters: [] } as const;
  return (await connection.executeQuery<Row>({ query, queryId: { queryId: '' }, sql: text, parameters: values })).rows;
}

/** As `prepared`, with each `timestamptz` as a `Date`: the ORM's pool returns them as text. */
export function preparedWithDates<Row extends QueryResultRow>(text: string): Prepared<Row> {
  return prepared<Row>(text, types);
}

/** Runs `work` in one transaction on a connection of its own: committed when it returns, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    // a connection that failed to roll back is closed
    client.release(broken);
  }
}

/** Modules that prepare statements for others. */
const HELPERS = /\/(?:prepared|share-statement|in-batches)\.ts$/;

/** The line of the source that asked for a statement. */
function placeOfCaller(): string {
  const caller = getCallSites(10).find(({ scriptName }) => !HELPERS.test(scriptName));
  const path = caller?.scriptName.replace(/^.*\/(?=(?:src|adapters|test)\/)/, '') ?? 'unknown';
  return `${path}:${caller?.lineNumber ?? 0}`;
}
