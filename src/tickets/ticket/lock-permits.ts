import type { Pool } from 'pg';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { shareStatement } from '../../platform/database/share-statement.ts';

/**
 * Locks permits until the transaction ends, in the order of ids. Another transaction may hold them while it asks the cluster, so this
 * can wait for seconds. Read what may change meanwhile (a grant, a kill switch) in a later statement.
 */
export const lockPermits = prepared<{ tix_permit_id: string }>(
  'select tix_permit_id from permit where tix_permit_id = any($1) order by id for update',
);

/** As `lockPermits`, without the permits that another transaction has locked: it never waits, so it needs no order. */
export const lockFreePermits = prepared<{ tix_permit_id: string }>(
  'select tix_permit_id from permit where tix_permit_id = any($1) for update skip locked',
);

/**
 * Prepares a statement that requests share and that locks their permits itself: one round trip where the permits are free. A request
 * whose permits are held locks them first, in a statement before it: if it waited itself, it would see the grant as it was before.
 * @param textOf the statement, given what follows `for update`: `skip locked` for requests together, `nowait` for one alone, '' once
 * its permits are locked. None waits for a permit, so each locks in any order. With `skip locked`, a request that lacks a permit has
 * no row, and then gets a statement of its own
 * @returns a function that runs it; `addresses` of the permits, base58
 */
export function shareOnPermits<Given extends object, Row extends { n: number }>(
  textOf: (lock: 'skip locked' | 'nowait' | '') => string,
): (pool: Pool, addresses: readonly string[], given: Given) => Promise<Row | undefined> {
  const shared = shareStatement<Given, Row>((lock) => textOf(lock === '' ? 'nowait' : lock));
  const afterLock = prepared<Row>(textOf(''));
  return async (pool, addresses, given) => {
    try {
      return await shared.together(pool, given);
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    return inTransaction(pool, async (client) => {
      await lockPermits(client, [addresses]);
      const [row] = await afterLock(client, [JSON.stringify([{ n: 0, ...given }])]);
      return row;
    });
  };
}

/** PostgreSQL's lock_not_available. */
function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
