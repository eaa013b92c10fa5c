import type { WithChains } from '../../chain/chains.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { Context } from '../../platform/context.ts';
import { applyRows } from '../apply-rows.ts';
import type { RowResult } from '../row-result.ts';
import type { LeasedRun, RunContext } from './run-record.ts';
import { tryAgain } from './try-again.ts';

export type ImportContext = RunContext & Pick<Context, 'config'> & WithCustody & WithChains;

/**
 * Applies a batch of rows; again where something was down, since a row that was applied is only `unchanged` the second time.
 * @throws as `tryAgain`
 */
export async function applyBatch(
  context: ImportContext,
  rows: readonly unknown[],
  { actor, run: { id: run, isCompanys } }: { actor: string; run: LeasedRun },
): Promise<RowResult[]> {
  if (rows.length === 0) return [];
  const { requestId, staffToken } = context;
  return tryAgain(context, () =>
    applyRows(context, rows, { actor, run, requestId, staffToken, keepsHolders: !isCompanys }),
  );
}
