import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Id } from '../identifier/type-id.ts';
import { applyRows } from '../inventory/apply-rows.ts';
import type { RowResult } from '../inventory/row-result.ts';
import type { WithCustody } from '../keys/vault.ts';
import type { RunContext } from './run-record.ts';

export type ImportContext = RunContext & Pick<Context, 'config' | 'log'> & WithCustody;

/** Pauses between tries, together less than `DEAD_AFTER`: a database that restarts takes a few seconds. */
const PAUSES_MS = [100, 500, 2_000, 5_000, 10_000];

/**
 * Applies a batch of rows; again after a pause where something was down, since a row that was applied is only `unchanged` the second time.
 * @throws the last error, or at once a `DomainError` other than `unavailable`
 */
export async function applyBatch(
  context: ImportContext,
  rows: readonly unknown[],
  { actor, run }: { actor: string; run: Id<'imp'> },
): Promise<RowResult[]> {
  if (rows.length === 0) return [];
  const { requestId, staffToken } = context;
  for (const pause of PAUSES_MS) {
    try {
      return await applyRows(context, rows, { actor, run, requestId, staffToken });
    } catch (err) {
      if (err instanceof DomainError && err.code !== 'unavailable') throw err;
      context.log.warn({ err, run }, 'a batch of an import is tried again');
    }
    await sleep(pause);
  }
  return applyRows(context, rows, { actor, run, requestId, staffToken });
}
