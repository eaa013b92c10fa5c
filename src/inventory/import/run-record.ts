import { randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { type ImportFormat, ImportRun, type ImportSource } from '../../entities/import-run.ts';
import type { Context, EntityContext } from '../../platform/context.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { storableText } from '../../platform/database/storable-text.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { type Id, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { RowOutcome } from '../row-result.ts';
import { type Failure, storeFailures } from './failures.ts';
import { ImportStop, tryAgain } from './try-again.ts';

/**
 * The record of an import in the database. The process that works on a run holds its lease: every write names the lease, so a process
 * that was taken for dead changes nothing more.
 *
 * @module
 */

/** Seconds after which the process behind a run is taken for dead: longer than any batch or wait of a live process. */
export const DEAD_AFTER = 180;

export type RunContext = Pick<Context, 'pool' | 'em' | 'now' | 'log' | 'requestId' | 'staffToken'>;

/** A run that this process works on. */
export interface LeasedRun {
  id: Id<'imp'>;
  lease: Uuid;
  format: ImportFormat;
  lines: number;
  hash: string;
  counts: Counts;
  receivedAll: boolean;
  /** Whether the company's own system sends it, and not a person: only then may its rows take tickets from fans (D-341). */
  isCompanys: boolean;
}

export interface NewRun {
  source: ImportSource;
  format: ImportFormat;
  /** As the caller names it; cut to 200 characters. */
  fileName: string | undefined;
  /** As audit entries name the caller. */
  actor: string;
}

/** Begins a run. */
export async function beginRun(context: RunContext, { fileName, ...wish }: NewRun): Promise<LeasedRun> {
  const em = context.em.fork();
  const name = fileName === undefined ? null : storableText(fileName, 200);
  const run = em.create(ImportRun, {
    ...wish,
    ...NO_ROWS,
    state: 'running',
    fileName: name,
    lines: 0,
    hash: '',
    receivedAll: false,
    lease: randomUUID(),
    heartbeatAt: context.now(),
    startedAt: context.now(),
  });
  const details = { source: wish.source, format: wish.format, file: name };
  recordAudit({ ...context, em }, { actor: wish.actor, action: 'import_run.started', subject: run.id, details });
  await em.flush();
  return leased(run);
}

/**
 * Takes an interrupted run, or one whose process died, to continue it.
 * @param why the audit entry to write
 * @param format of the file that is continued
 * @throws DomainError `not_found`; `conflict` where somebody works on it, it is finished, or its format is another one
 */
export async function takeRun(
  context: RunContext,
  runId: string,
  actor: string,
  why: 'import_run.resumed' | 'import_run.rerun',
  format?: ImportFormat,
): Promise<LeasedRun> {
  const id = knownId('imp', runId);
  const takes = why === 'import_run.rerun' ? ['interrupted', 'finished'] : ['interrupted'];
  return context.em.fork().transactional(async (em) => {
    const now = context.now();
    const free = {
      $or: [{ state: { $in: takes } }, { state: 'running', heartbeatAt: { $lt: after(now, -DEAD_AFTER) } }],
    };
    const taken = { state: 'running', lease: randomUUID(), heartbeatAt: now, finishedAt: null, message: null } as const;
    const changed = await em.nativeUpdate(ImportRun, { id, ...free } as never, taken);
    const run = await em.findOne(ImportRun, { id });
    if (!run) throw new DomainError('not_found', `There is no import run ${id}.`);
    if (why === 'import_run.resumed' && isCompanys(run.actor) && !isCompanys(actor)) {
      throw new DomainError(
        'conflict',
        'A service account began this run. Only a service account goes on with its file.',
      );
    }
    if (format !== undefined && format !== run.format) {
      throw new DomainError('conflict', `The run is for a file in ${run.format}.`);
    }
    if (changed !== 1) {
      // a run that may run again was under way when it was requested, whatever its state is by now
      const isOver = run.state === 'finished' && !takes.includes(run.state);
      throw new DomainError('conflict', isOver ? 'The run is finished.' : 'The run is under way.');
    }
    recordAudit({ ...context, em }, { actor, action: why, subject: id, details: { lines: run.lines } });
    return leased(run);
  });
}

function leased({ id, lease, format, lines, hash, receivedAll, ...run }: ImportRun): LeasedRun {
  const { created, updated, unchanged, stale, failed } = run;
  const counts = { created, updated, unchanged, stale, failed };
  const owned = { isCompanys: isCompanys(run.actor) };
  return { id, lease: lease as Uuid, format, lines, hash, receivedAll, counts, ...owned };
}

/** @param actor the sender of a run, as audit entries name it */
function isCompanys(actor: string): boolean {
  return actor.startsWith('service:');
}

const writeProgress = prepared(`
  update import_run set lines = p.lines, hash = p.hash, received_all = p."receivedAll", created = p.created, updated = p.updated,
    unchanged = p.unchanged, stale = p.stale, failed = p.failed, heartbeat_at = $4
  from jsonb_to_record($3::jsonb) as p(lines int, hash text, "receivedAll" boolean, created int, updated int, unchanged int,
    stale int, failed int)
  where id = $1 and lease = $2 and state = 'running' returning 1`);

/**
 * Writes how far a run is, with the rows that failed on the way, in one transaction.
 * @param work further writes of that transaction
 * @throws ImportStop where the run was taken over
 */
export async function saveProgress(
  { pool, now, log }: Pick<Context, 'pool' | 'now' | 'log'>,
  run: LeasedRun,
  failures: readonly Failure[],
  work: (client: PoolClient) => Promise<unknown> = async () => {},
): Promise<void> {
  const { id, lease, lines, hash, receivedAll, counts } = run;
  const write = async (client: PoolClient) => {
    const values = [uuidOf('imp', id), lease, JSON.stringify({ lines, hash, receivedAll, ...counts }), now()];
    const written = await writeProgress(client, values);
    if (written.length !== 1) throw new ImportStop('Another call has taken the run over.');
    await storeFailures(client, id, failures, now());
    await work(client);
  };
  // the values are absolute, so they may be written twice
  await tryAgain({ log }, () => inTransaction(pool, write));
}

const writeEnd = prepared(`
  update import_run set state = $3, message = $4, finished_at = $5, heartbeat_at = $5
  where id = $1 and lease = $2 and state = 'running' returning 1`);

/** Ends a run: finished, or interrupted with a message. Nothing where it was taken over. */
export async function endRun(
  context: RunContext,
  { id, lease, lines, counts }: LeasedRun,
  end: { actor: string; message?: string; isFinished: boolean },
): Promise<void> {
  const { actor, message, isFinished } = end;
  const state = isFinished ? 'finished' : 'interrupted';
  const values = [uuidOf('imp', id), lease, state, message ?? null, context.now()];
  if ((await tryAgain(context, () => writeEnd(context.pool, values))).length !== 1) return;
  const em = context.em.fork();
  const reason = message ?? '';
  const audit = { ...context, em };
  if (isFinished)
    recordAudit(audit, { actor, action: 'import_run.finished', subject: id, details: { lines, ...counts } });
  else recordAudit(audit, { actor, action: 'import_run.interrupted', subject: id, details: { lines, reason } });
  await em.flush();
}

/** Marks runs whose process died as interrupted. @returns their number */
export async function interruptDeadRuns({ em, now }: EntityContext): Promise<number> {
  return em.nativeUpdate(
    ImportRun,
    { state: 'running', heartbeatAt: { $lt: after(now(), -DEAD_AFTER) } },
    { state: 'interrupted', finishedAt: now(), message: 'The process that ran it ended.' },
  );
}

/** Rows of a run by outcome. */
export type Counts = Record<RowOutcome, number>;

export const NO_ROWS: Readonly<Counts> = { created: 0, updated: 0, unchanged: 0, stale: 0, failed: 0 };

/** Adds rows to counts, in place. */
export function countRows(counts: Counts, outcomes: Iterable<RowOutcome>): void {
  for (const outcome of outcomes) counts[outcome] += 1;
}
