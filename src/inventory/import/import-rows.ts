import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { ImportRun } from '../../entities/import-run.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { giveWay } from '../../platform/in-slices.ts';
import { asUtf8 } from './as-utf8.ts';
import { type Failure, keptLine } from './failures.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import { createRowReader, type RowReader } from './read-rows.ts';
import { applyBatch, type ImportContext, retryFailures } from './retry-failures.ts';
import { countRows, endRun, type LeasedRun, saveProgress, takeRun } from './run-record.ts';
import { LINE_FAULTS, type SourceRow } from './source-row.ts';
import { ImportStop } from './try-again.ts';

/** Lines of one transaction. */
const BATCH = 250;
const IDLE_LIMIT_MS = 60_000;
const HEARTBEAT_MS = 20_000;

export interface ImportOptions {
  /** As audit entries name the caller. */
  actor: string;
  /** Called after each batch; `run` has its counts. */
  report(): void;
  /** How long the sender may take for the next bytes. */
  idleLimitMs?: number;
}

/**
 * Imports a file into a run, one batch at a time, and ends the run: finished, or interrupted with a message in its record. Lines that
 * an earlier call of the run has done are skipped. Rows whose reference is not there yet are tried once more at the end.
 * @param source the bytes of the whole file
 * @returns the message, where it was interrupted
 */
export async function importRows(
  context: ImportContext,
  run: LeasedRun,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<string | undefined> {
  const { actor, report, idleLimitMs = IDLE_LIMIT_MS } = options;
  let message: string | undefined;
  try {
    await readAll(context, run, asUtf8(withIdleLimit(source, idleLimitMs)), { actor, report });
    await retryFailures(context, run, actor, 'waiting', report);
  } catch (error) {
    message = toldOf(context, error);
  }
  await endRun(context, run, { actor, isFinished: message === undefined, ...(message !== undefined && { message }) });
  return message;
}

/** The message for the caller about an error that stops an import. Errors other than our own refusals are logged. */
export function toldOf({ log }: Pick<ImportContext, 'log'>, error: unknown): string {
  if (error instanceof ImportStop || error instanceof DomainError) return error.message;
  log.error({ err: error }, 'an import stopped');
  return 'Something went wrong on our side. Send the file again with this run.';
}

async function readAll(
  context: ImportContext,
  run: LeasedRun,
  source: AsyncIterable<Uint8Array>,
  { actor, report }: Pick<ImportOptions, 'actor' | 'report'>,
): Promise<void> {
  const done = { lines: run.lines, hash: run.hash };
  const file = new FileSoFar(done, createRowReader(run.format));
  const splitter = new LineSplitter();
  const waiting: Line[] = [];
  const takeBatches = async (isEnd: boolean) => {
    while (waiting.length >= BATCH || (isEnd && waiting.length > 0)) {
      const rows = file.read(waiting.splice(0, BATCH));
      await applyLines(context, run, { rows, lines: file.lines, hash: file.hash }, actor);
      report();
      // requests that wait come first
      await giveWay();
    }
  };
  let savedAt = performance.now();
  for await (const chunk of source) {
    const { lines } = run;
    waiting.push(...splitter.push(chunk));
    await takeBatches(false);
    if (run.lines > lines) savedAt = performance.now();
    else if (performance.now() - savedAt > HEARTBEAT_MS) {
      // a slow sender, or lines that are skipped: this process must not be taken for dead
      await saveProgress(context, run, []);
      savedAt = performance.now();
    }
  }
  waiting.push(...splitter.end());
  await takeBatches(true);
  file.checkEnd();
  run.receivedAll = true;
  await saveProgress(context, run, []);
}

/** What this call has read of a file, and what an earlier call has done of it. */
class FileSoFar {
  lines = 0;
  hash = '';
  readonly #done: { lines: number; hash: string };
  readonly #read: RowReader;

  constructor(done: { lines: number; hash: string }, read: RowReader) {
    this.#done = done;
    this.#read = read;
  }

  /** Reads lines as rows. @returns those that are not done @throws ImportStop where the file is another one */
  read(lines: readonly Line[]): SourceRow[] {
    for (const { number, bytes } of lines) {
      this.lines = number;
      this.hash = hash('sha256', `${this.hash} ${bytes.toString('latin1')}`, 'base64url');
      if (number === this.#done.lines && this.hash !== this.#done.hash) {
        throw new ImportStop(`This is not the file of the run: its first ${number} lines differ.`);
      }
    }
    return this.#read(lines).filter(({ line }) => line > this.#done.lines);
  }

  /** @throws ImportStop where fewer lines arrived than an earlier call has done */
  checkEnd(): void {
    if (this.lines >= this.#done.lines) return;
    throw new ImportStop(`This is not the file of the run: it has fewer than ${this.#done.lines} lines.`);
  }
}

interface Batch {
  rows: readonly SourceRow[];
  /** Of the file so far. */
  lines: number;
  hash: string;
}

async function applyLines(context: ImportContext, run: LeasedRun, batch: Batch, actor: string): Promise<void> {
  // all of it was done by an earlier call
  if (batch.lines <= run.lines) return;
  const sound = batch.rows.filter(({ fault }) => fault === undefined);
  const failures: Failure[] = batch.rows.flatMap(({ line, text, fault, message }) => {
    if (fault === undefined) return [];
    const why = { reason: fault, message: message ?? LINE_FAULTS[fault] };
    return { line, kind: null, reference: null, ...why, row: keptLine(text) };
  });
  run.counts.failed += failures.length;
  const results = await applyBatch(
    context,
    sound.map(({ row }) => row),
    { actor, run },
  );
  countRows(
    run.counts,
    results.map(({ outcome }) => outcome),
  );
  for (const { index, kind, reference, outcome, reason = 'invalid_row', message = '' } of results) {
    const source = sound[index];
    if (outcome !== 'failed' || source === undefined) continue;
    failures.push({ line: source.line, kind, reference, reason, message, row: JSON.stringify(source.row) });
  }
  run.lines = batch.lines;
  run.hash = batch.hash;
  await saveProgress(context, run, failures);
}

/**
 * Applies the failed rows of a run once more, in the background. The run is `running` meanwhile, and then has its former state: a run
 * whose file was not received to its end stays `interrupted`.
 * @returns once it has begun; `done` settles at the end and never rejects
 * @throws DomainError `not_found`, `conflict` where the run is under way, `rate_limited` where too many are
 */
export async function rerunFailures(
  context: ImportContext,
  runId: ImportRun['id'] | string,
  actor: string,
): Promise<{ run: LeasedRun; done: Promise<void> }> {
  const giveBack = takeSlot(context);
  try {
    const run = await takeRun(context, runId, actor, 'import_run.rerun');
    return { run, done: finish(context, run, actor).finally(giveBack) };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function finish(context: ImportContext, run: LeasedRun, actor: string): Promise<void> {
  try {
    let message: string | undefined;
    try {
      await retryFailures(context, run, actor, 'all');
    } catch (error) {
      message = toldOf(context, error);
    }
    if (!run.receivedAll) message ??= 'The end of the file has not been reached.';
    const isFinished = message === undefined;
    await endRun(context, run, { actor, isFinished, ...(message !== undefined && { message }) });
  } catch (err) {
    // `interruptDeadRuns` ends the run later
    context.log.error({ err, run: run.id }, 'the end of an import was not stored');
  }
}

/**
 * The chunks of a stream, as long as they keep arriving. Only the wait for the sender counts, not the work on a chunk.
 * @throws ImportStop where nothing arrives for `limitMs`, or the stream breaks off
 */
export async function* withIdleLimit<Chunk>(source: AsyncIterable<Chunk>, limitMs: number): AsyncGenerator<Chunk> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await nextWithin(chunks, limitMs);
    if (next.done) return;
    yield next.value;
  }
}

async function nextWithin<Chunk>(chunks: AsyncIterator<Chunk>, limitMs: number): Promise<IteratorResult<Chunk>> {
  let timer: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ImportStop(`Nothing arrived for ${limitMs / 1000} seconds.`)), limitMs);
  });
  try {
    return await Promise.race([chunks.next(), idle]);
  } catch (error) {
    throw error instanceof ImportStop ? error : new ImportStop('The connection broke off.', error);
  } finally {
    clearTimeout(timer);
  }
}

/** Imports that a process runs in parallel: they leave connections and time for other work. */
const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 30;

/** Keyed by the pool, because a process has one. */
const running = new WeakMap<Pool, number>();

/**
 * Takes one of the few places for an import.
 * @returns a function that gives it back
 * @throws DomainError `rate_limited`
 */
export function takeSlot({ pool }: Pick<Context, 'pool'>): () => void {
  const taken = running.get(pool) ?? 0;
  if (taken >= MOST_AT_ONCE) {
    const told = `${MOST_AT_ONCE} imports are under way in this process. Wait until one has ended.`;
    throw new DomainError('rate_limited', told, { retryAfter: RETRY_AFTER_SECONDS });
  }
  running.set(pool, taken + 1);
  let isGiven = false;
  return () => {
    if (!isGiven) running.set(pool, (running.get(pool) ?? 1) - 1);
    isGiven = true;
  };
}
