import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import { type JobRunState, readRuns } from '../../src/platform/job/job-runs.ts';
import type { Runtime } from '../../src/runtime.ts';
import { JOBS } from './job-list.ts';

/** A job is overdue when it has not succeeded for this many periods and these seconds, which a run may wait and take. */
const PERIODS = 3;
const PATIENCE_SECONDS = 300;
const READ_PAUSE_MS = 15_000;

/** What was read last, and when, by `performance.now()`. */
let last: { runs: JobRunState[]; at: number } = { runs: [], at: 0 };

new Gauge({
  name: 'job_success_age_seconds',
  help: 'Seconds since a background job succeeded last, in any process, by job; none before its first success',
  labelNames: ['name'],
  collect() {
    const since = (performance.now() - last.at) / 1_000;
    for (const { job, age } of last.runs) if (age !== null) this.set({ name: job }, age + since);
  },
});

new Gauge({
  name: 'job_failures_since_success',
  help: 'Runs of a background job that failed since its last success, in any process, by job',
  labelNames: ['name'],
  collect() {
    for (const { job, failures } of last.runs) this.set({ name: job }, failures);
  },
});

/** Keeps the metrics of the jobs up to date. The ages keep growing while the database does not answer. */
export function watchJobs({ pool, log }: Pick<Runtime, 'pool' | 'log'>): { stop(): void } {
  const look = () =>
    readRuns(pool).then(
      (runs) => {
        last = { runs, at: performance.now() };
      },
      (err: unknown) => log.warn({ err }, 'the age of the background jobs could not be read'),
    );
  void look();
  const timer = setInterval(look, READ_PAUSE_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * The jobs that have not succeeded for long, as `job (<name>): <what is known>`.
 * @param servingSeconds how long this process has been serving: after a stop of all processes, jobs get the time for a first run
 */
export async function overdueJobs(pool: Pool, servingSeconds: number): Promise<string[]> {
  const runs = new Map((await readRuns(pool)).map((run) => [run.job, run]));
  return JOBS.flatMap(({ name, everyMinutes }) => {
    const { age = null, failures = 0 } = runs.get(name) ?? {};
    const most = PERIODS * everyMinutes * 60 + PATIENCE_SECONDS;
    if (Math.min(age ?? Number.POSITIVE_INFINITY, servingSeconds) <= most) return [];
    const succeeded = age === null ? 'has never succeeded' : `last succeeded ${Math.round(age)} s ago`;
    return [`job (${name}): ${succeeded}${failures > 0 ? `, failed runs since: ${failures}` : ''}`];
  });
}
