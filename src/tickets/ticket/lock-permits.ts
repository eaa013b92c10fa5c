import type { Pool, QueryResultRow } from 'pg';
import { inTransaction, type Prepared, prepared } from '../../platform/database/prepared.ts';

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
export interface PermitStatement<Row extends QueryResultRow> {
  /** Fails where a permit is locked: a statement that waits would see the grant as it was before. */
  atOnce: Prepared<Row>;
  /** Runs after `lockPermits`. */
  waiting: Prepared<Row>;
}

/** @param text given what follows `for update` */
export function preparedOnPermits<Row extends QueryResultRow>(
  text: (wait: 'nowait' | '') => string,
): PermitStatement<Row> {
  return { atOnce: prepared(text('nowait')), waiting: prepared(text('')) };
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
