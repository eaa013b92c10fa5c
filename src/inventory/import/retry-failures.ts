import type { WithChains } from '../../chain/chains.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { WithConfig } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { uuidOf } from '../../platform/identifier/type-id.ts';
import { applyRows } from '../apply-rows.ts';
import { RETRIABLE_REASONS, ROW_KINDS, type RowResult } from '../row-result.ts';
import { type Failure, forgetFailures } from './failures.ts';
import { MENDED } from './mend-failures.ts';
import { withoutNotes } from './read-rows.ts';
import { countRows, type LeasedRun, type RunContext, saveProgress } from './run-record.ts';
import { LINE_FAULTS } from './source-row.ts';
import { tryAgain } from './try-again.ts';

const BATCH = 250;

/** Events come before what refers to them, whatever their order in the file. */
const RANK = `array_position(array[${ROW_KINDS.map((kind) => `'${kind}'`).join(', ')}]::text[], kind::text)`;

interface StoredFailure extends Failure {
  rank: number;
}

const readNext = prepared<StoredFailure>(`
  select line, kind, reference, reason, message, row, coalesce(${RANK}, 0) as rank from import_failure
  where run_id = $1 and (coalesce(${RANK}, 0), line) > ($2, $3) and (reason = any($4)) is not false and reason <> all($5)
  order by coalesce(${RANK}, 0), line limit ${BATCH}`);

/**
 * Applies failed rows of a run once more, in batches: rows that succeed are no longer failures.
 * @param which `waiting`: those that another row may have mended; `all`: every one that is a row
 * @throws ImportStop where the run was taken over
 */
export async function retryFailures(
  context: ImportContext,
  run: LeasedRun,
  actor: string,
  which: 'waiting' | 'all',
  report: () => void = () => {},
): Promise<void> {
  const reasons = which === 'waiting' ? [...RETRIABLE_REASONS] : null;
  let [rank, line] = [-1, 0];
  for (;;) {
    const values = [uuidOf('imp', run.id), rank, line, reasons, Object.keys(LINE_FAULTS)];
    const failures = await tryAgain(context, () => readNext(context.pool, values));
    const last = failures.at(-1);
    if (last === undefined) return;
    await retryBatch(context, run, actor, failures);
    report();
    ({ rank, line } = last);
  }
}

async function retryBatch(
  context: ImportContext,
  run: LeasedRun,
  actor: string,
  failures: readonly StoredFailure[],
): Promise<void> {
  const isMended = ({ row }: StoredFailure) => MENDED in (JSON.parse(row) as object);
  const [mended, given] = [failures.filter(isMended), failures.filter((failure) => !isMended(failure))];
  const apply = (some: readonly StoredFailure[], isCompanys: boolean) => {
    const rows = some.map(({ row }) => withoutNotes(JSON.parse(row)));
    return applyBatch(context, rows, { actor, run: { ...run, isCompanys } });
  };
  const results = [...(await apply(mended, false)), ...(await apply(given, run.isCompanys))];
  const applied = [...mended, ...given];
  const failedAgain: Failure[] = [];
  const done: number[] = [];
  for (const [index, { outcome, reason, message }] of results.entries()) {
    const failure = applied[index];
    if (failure === undefined) continue;
    if (outcome !== 'failed') done.push(failure.line);
    else if (reason !== failure.reason || message !== failure.message) {
      failedAgain.push({ ...failure, reason: reason ?? failure.reason, message: message ?? failure.message });
    }
  }
  countRows(
    run.counts,
    results.map(({ outcome }) => outcome),
  );
  // they had been counted as failed
  run.counts.failed -= results.length;
  await saveProgress(context, run, failedAgain, (client) => forgetFailures(client, run.id, done));
}

export type ImportContext = RunContext & WithConfig & WithCustody & WithChains;

/**
 * Applies a batch of rows, again after an outage: a row that was applied is only `unchanged` the second time.
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
