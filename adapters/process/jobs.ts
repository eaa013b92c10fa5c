import { setTimeout as sleep } from 'node:timers/promises';
import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { connectionFor } from '../../src/platform/database/database-url.ts';
import { noteRun } from '../../src/platform/job/job-runs.ts';
import { createContext, type Runtime } from '../../src/runtime.ts';
import { watchJobs } from './job-health.ts';
import { JOBS, type Job } from './job-list.ts';

const CONNECTIONS = 2;
const POLL_SECONDS = 5;
const JOB_TIMEOUT_SECONDS = 120;
/** After this time a run ends with its current batch: one statement of at most 15 s, or moves that wait for a slow cluster. */
const RUN_LIMIT_MS = 60_000;
const KEEP_FINISHED_SECONDS = 3600;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface Jobs {
  /** Waits for running jobs. */
  stop(): Promise<void>;
}

/**
 * Starts the workers, and tries again where that fails: without them nothing is sealed, purged or rotated. Returns immediately: the
 * queue's own tables take a moment and no request needs them.
 */
export function keepStartingJobs(runtime: Runtime, databaseUrl: string): Jobs {
  const stopped = new AbortController();
  const start = async (): Promise<Jobs | undefined> => {
    for (let pause = FIRST_PAUSE_MS; !stopped.signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await startJobs(runtime, databaseUrl);
      } catch (err) {
        runtime.log.error({ err, nextTryMs: pause }, 'background jobs did not start');
      }
      await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    return undefined;
  };
  const started = start();
  const watch = watchJobs(runtime);
  return {
    async stop() {
      stopped.abort();
      watch.stop();
      await (await started)?.stop();
    },
  };
}

/** Makes the queue's own tables, or brings them up to date, as a start of the workers would. */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const boss = await newQueue({
    ...connectionFor('migration', databaseUrl),
    max: 1,
    supervise: false,
    schedule: false,
  });
  // `start` throws it
  boss.on('error', () => undefined);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Starts the workers of the queue. @throws Error where the database cannot be asked; nothing is left running then */
export async function startJobs(runtime: Runtime, databaseUrl: string): Promise<Jobs> {
  const boss = await newQueue({ ...connectionFor('jobs', databaseUrl), max: CONNECTIONS });
  const stopping = new AbortController();
  boss.on('error', (given) => runtime.log.error({ err: asError(given) }, 'job queue'));
  try {
    await startWorkers(boss, runtime, stopping.signal);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => undefined);
    throw error;
  }
  return {
    stop() {
      stopping.abort();
      return boss.stop({ graceful: true, timeout: 10_000 });
    },
  };
}

/** The queue's workers report a copy of the error's properties, of which the log would have the class only. */
export function asError(given: unknown): Error {
  if (given instanceof Error) return given;
  const { message, stack, code, queue } = given as { message?: string; stack?: string; code?: string; queue?: string };
  return Object.assign(new Error(message), { stack, code, name: queue });
}

/** Loaded late: no request needs it, and it takes 60 ms. */
async function newQueue(options: ConstructorOptions): Promise<PgBoss> {
  const { PgBoss: Queue } = await import('pg-boss');
  return new Queue(options);
}

async function startWorkers(boss: PgBoss, runtime: Runtime, stopping: AbortSignal): Promise<void> {
  await boss.start();
  for (const job of JOBS) {
    const { name, cron } = job;
    await boss.createQueue(name, {
      policy: 'singleton',
      expireInSeconds: JOB_TIMEOUT_SECONDS,
      deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    });
    await boss.schedule(name, cron);
    await boss.work(name, { pollingIntervalSeconds: POLL_SECONDS }, async () => {
      const isDone = await runJob(runtime, job, stopping);
      // a job that runs every minute needs no extra run
      if (!isDone && job.everyMinutes > 1 && !stopping.aborted) await boss.send(name);
    });
  }
}

/** @returns false for a run that ended with work left; it counts as no success, so that a job without enough time becomes overdue */
async function runJob(runtime: Runtime, { name, run }: Job, stopping: AbortSignal): Promise<boolean> {
  const { pool, log } = runtime;
  const note = (end: 'succeeded' | 'failed') =>
    noteRun(pool, name, end).catch((err: unknown) => log.warn({ err, job: name }, 'the end of a job was not stored'));
  const limit = AbortSignal.any([AbortSignal.timeout(RUN_LIMIT_MS), stopping]);
  try {
    await run(createContext(runtime, null), limit);
  } catch (err) {
    log.error({ err, job: name }, 'job failed');
    await note('failed');
    // the queue stores the thrown error, with every property that a library attached to it
    throw new Error(`${name} failed; the log says why`);
  }
  if (limit.aborted) {
    log.info({ job: name }, 'job ended by its limit: it goes on with the next run');
    return false;
  }
  await note('succeeded');
  return true;
}
