import type { Pool, QueryResultRow } from 'pg';
import { inTransaction, type Prepared, prepared } from '../../platform/database/prepared.ts';
import { shareStatement } from '../../platform/database/share-statement.ts';

/**
 * Locks permits until the transaction ends, in the order of ids. The holder may be asking the cluster, so this can wait for seconds:
 * what must not change meanwhile (a grant, a kill switch) is read by a later statement.
 */
export const lockPermits = prepared<{ tix_permit_id: string }>(
  'select tix_permit_id from permit where tix_permit_id = any($1) order by id for update',
);

/** As `lockPermits`, without those that somebody else has locked: it waits for nobody, so it needs no order. */
export const lockFreePermits = prepared<{ tix_permit_id: string }>(
  'select tix_permit_id from permit where tix_permit_id = any($1) for update skip locked',
);

/** A statement that locks permits itself. It never waits for a lock, so it needs no order. */
interface PermitStatement<Row extends QueryResultRow> {
  /** Fails where a permit is locked: a statement that waits would see the grant as it was before. */
  atOnce: (pool: Pool, values: unknown[]) => Promise<Row[]>;
  /** Runs after `lockPermits`. */
  waiting: Prepared<Row>;
}

/**
 * Prepares such a statement, which requests share.
 * @param textOf given what follows `for update`: `skip locked` for requests together, where it has no row for one that lacks a permit,
 * which its own statement decides
 */
export function shareOnPermits<Given extends object, Row extends { n: number }>(
  textOf: (lock: 'skip locked' | 'nowait' | '') => string,
): (pool: Pool, addresses: readonly string[], given: Given) => Promise<Row | undefined> {
  const shared = shareStatement<Given, Row>((busy) => textOf(busy === '' ? 'nowait' : busy));
  const waiting = prepared<Row>(textOf(''));
  return async (pool, addresses, given) => {
    const atOnce = async () => [await shared.together(pool, given)].filter((row) => row !== undefined);
    const [row] = await runOnPermits(pool, { atOnce, waiting }, addresses, [JSON.stringify([{ n: 0, ...given }])]);
    return row;
  };
}

/** Runs a statement with exclusive access to permits: in one round trip where they are free. @param addresses base58 */
export async function runOnPermits<Row extends QueryResultRow>(
  pool: Pool,
  { atOnce, waiting }: PermitStatement<Row>,
  addresses: readonly string[],
  values: unknown[],
): Promise<Row[]> {
  try {
    return await atOnce(pool, values);
  } catch (error) {
    if (!isHeld(error)) throw error;
  }
  return inTransaction(pool, async (client) => {
    await lockPermits(client, [addresses]);
    return waiting(client, values);
  });
}

/** PostgreSQL's lock_not_available. */
function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
