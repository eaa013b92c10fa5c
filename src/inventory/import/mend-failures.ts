import { ImportFailure, ImportRun } from '../../entities/import-run.ts';
import type { WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { parseRow } from '../parse-row.ts';
import { withoutNotes } from './read-rows.ts';

/** Rows of one upload, as many as a call of the console may send. */
export const MOST_MENDED = 1_000;

/** The note of a row that a person has mended. */
export const MENDED = '_mended';

interface Mended {
  runId: string;
  /** As downloaded, each with its `_line`. */
  rows: readonly unknown[];
  reason: string;
}

/**
 * Puts mended rows in place of those that failed; `rerunFailures` applies them. A row stays the same row: its kind and reference
 * can't change. It then counts as a person's, and takes no ticket from its holder (D-341).
 * @throws DomainError `not_found`; `conflict` where the run is under way; `invalid_request` with the line that is wrong
 */
export async function mendFailures(
  context: WriteContext,
  { runId, rows, reason }: Mended,
  actor: string,
): Promise<void> {
  const id = knownId('imp', runId);
  const why = givenReason(reason);
  const given = byLine(rows);
  await context.em.transactional(async (em) => {
    const run = await rowUnder(em, ImportRun, 'imp', id, { ...LOCKED, refresh: true });
    if (run.state === 'running') throw new DomainError('conflict', 'The run is under way.');
    const failures = await em.find(ImportFailure, { run: id, line: { $in: [...given.keys()] } });
    const failed = new Map(failures.map((failure) => [failure.line, failure]));
    for (const [line, row] of given) {
      const failure = failed.get(line);
      if (!failure) throw invalid(line, 'has not failed, or has been applied since');
      const { kind, reference } = parseRow(row);
      if (kind === null || reference === null) throw invalid(line, 'has no kind or no reference');
      if ((failure.kind ?? kind) !== kind || (failure.reference ?? reference) !== reference) {
        throw invalid(line, 'is another row now: its kind and its reference stay');
      }
      const notApplied = { reason: 'invalid_row', message: 'Mended, and not applied yet: run the failed rows again.' };
      em.assign(failure, { kind, reference, row: JSON.stringify({ ...row, [MENDED]: true }), ...notApplied });
    }
    const details = { reason: why, rows: given.size };
    recordAudit({ ...context, em }, { actor, action: 'import_run.failures_mended', subject: id, details });
  });
}

function byLine(rows: readonly unknown[]): Map<number, object> {
  if (rows.length < 1 || rows.length > MOST_MENDED) {
    throw new DomainError('invalid_request', `Send 1 to ${MOST_MENDED.toLocaleString('en')} rows at once.`);
  }
  const given = new Map<number, object>();
  for (const [index, row] of rows.entries()) {
    const line = typeof row === 'object' && row !== null && '_line' in row ? row._line : undefined;
    if (typeof row !== 'object' || row === null || typeof line !== 'number' || !Number.isSafeInteger(line)) {
      throw new DomainError('invalid_request', `Row ${index + 1} has no _line: keep it as downloaded.`);
    }
    if (given.has(line)) throw invalid(line, 'is given twice');
    given.set(line, withoutNotes(row));
  }
  return given;
}

function invalid(line: number, wrong: string): DomainError {
  return new DomainError('invalid_request', `Line ${line} of the run ${wrong}.`);
}
