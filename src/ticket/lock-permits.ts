import type { Pool, QueryResultRow } from 'pg';
import { inTransaction, type Prepared, prepared } from '../database/prepared.ts';

/**
 * Locks permits until the transaction ends, in one order for everybody. Whoever holds them may be asking the cluster, so this
 * can take seconds: what must not have changed meanwhile (a grant, a kill switch) is read by a statement after it.
 */
export const lockPermits = prepared<{ tix_permit_id: string }>(
  'select tix_permit_id from permit where tix_permit_id = any($1) order by id for update',
);

/**
 * A statement that locks permits itself. It never waits for one, so it needs no order: `atOnce` fails where somebody holds one, and `waiting`
 * runs after `lockPermits`.
 */
export interface PermitStatement<Row extends QueryResultRow> {
  /** Fails where somebody holds one of them: a statement that has waited sees the grant as it was before. */
  atOnce: Prepared<Row>;
  waiting: Prepared<Row>;
}

/** @param text with what follows its `for update`: `nowait`, or nothing */
export function preparedOnPermits<Row extends QueryResultRow>(
  text: (wait: 'nowait' | '') => string,
): PermitStatement<Row> {
  return { atOnce: prepared(text('nowait')), waiting: prepared(text('')) };
}

/**
 * Runs a statement on permits that nobody else changes meanwhile: in one round trip where they are free, else once they are.
 * @param addresses of the permits, base58
 */
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
