import type { Pool, PoolClient } from 'pg';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import { maskPhone } from '../../platform/phone-number.ts';
import { CSV_COLUMNS } from './csv-reader.ts';

/** A row that failed, as it is stored. */
export interface Failure {
  line: number;
  kind: string | null;
  reference: string | null;
  reason: string;
  message: string;
  /** JSON. */
  row: string;
}

/** Characters that are kept of a line that is not a row. */
const KEPT_OF_LINE = 2_000;

/** The part that is kept of a line that is not a row. */
export function keptLine(text: string): string {
  return JSON.stringify(storableText(text, KEPT_OF_LINE));
}

const insertFailures = prepared(`
  insert into import_failure (run_id, line, kind, reference, reason, message, row, at)
  select $1, line, kind, reference, reason, message, row, $3
  from jsonb_to_recordset($2::jsonb) as f(line int, kind text, reference text, reason text, message text, row text)
  on conflict (run_id, line) do update set reason = excluded.reason, message = excluded.message`);

/** Keeps rows that failed; one that failed before keeps its time. */
export async function storeFailures(
  client: PoolClient,
  run: Id<'imp'>,
  failures: readonly Failure[],
  at: Date,
): Promise<void> {
  if (failures.length === 0) return;
  const rows = failures.map((failure) => ({ ...failure, message: storableText(failure.message, 500) }));
  await insertFailures(client, [uuidOf('imp', run), JSON.stringify(rows), at]);
}

const deleteFailures = prepared('delete from import_failure where run_id = $1 and line = any($2)');

/** Removes rows that have succeeded since. */
export async function forgetFailures(client: PoolClient, run: Id<'imp'>, lines: readonly number[]): Promise<void> {
  if (lines.length > 0) await deleteFailures(client, [uuidOf('imp', run), lines]);
}

const readByLine = prepared<Failure>(`
  select line, kind, reference, reason, message, row from import_failure where run_id = $1 and line > $2
  order by line limit $3`);

/** The failed rows of a run in the order of its lines, in batches. */
export async function* readFailures(pool: Pool, run: Id<'imp'>, size = 500): AsyncGenerator<Failure[]> {
  for (let line = 0; ; ) {
    const failures = await readByLine(pool, [uuidOf('imp', run), line, size]);
    const last = failures.at(-1);
    if (last === undefined) return;
    yield failures;
    line = last.line;
  }
}

/** Failed rows with the same message. */
export interface FailureCause {
  reason: string;
  message: string;
  rows: number;
  /** Of the first one. */
  line: number;
}

/** Only the first failures of a run are grouped, because an import may have a million wrong rows. */
const MOST_GROUPED = 10_000;
const MOST_CAUSES = 20;

const readCauses = prepared<FailureCause>(`
  select reason, message, count(*)::int as rows, min(line) as line
  from (select reason, message, line from import_failure where run_id = $1 order by line limit ${MOST_GROUPED}) as first
  group by reason, message order by rows desc, line limit ${MOST_CAUSES}`);

/** Why rows of a run failed, the most frequent cause first. */
export function causesOf({ pool }: Pick<Context, 'pool'>, run: Id<'imp'>): Promise<FailureCause[]> {
  return readCauses(pool, [uuidOf('imp', run)]);
}

const PHONE = 'holder_phone';
const HIDDEN = '…';

/**
 * A failed row for people who may not see phone numbers: the holder's number is masked, and members with other names are hidden. A
 * line that is not a row becomes null: a number may be anywhere in it.
 */
export function maskRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return null;
  const masked = Object.entries(row).map(([name, value]) => [
    name,
    name === PHONE ? maskNumber(value) : CSV_COLUMNS.includes(name) ? value : HIDDEN,
  ]);
  return Object.fromEntries(masked);
}

function maskNumber(value: unknown): string {
  return typeof value === 'string' && /^\+\d{6,15}$/.test(value) ? maskPhone(value) : HIDDEN;
}
