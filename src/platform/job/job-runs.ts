import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';

/** The last success of a job, in any process. */
export interface JobRunState {
  job: string;
  /** Seconds since its last success, by the clock of the database; null before the first. */
  age: number | null;
  /** Runs that failed since then. */
  failures: number;
}

const succeeded = prepared(`
  insert into job_run (job, succeeded_at) values ($1, now())
  on conflict (job) do update set succeeded_at = excluded.succeeded_at, failures = 0`);
const failed = prepared(`
  insert into job_run (job, failures) values ($1, 1) on conflict (job) do update set failures = job_run.failures + 1`);
const read = prepared<JobRunState>(
  'select job, extract(epoch from now() - succeeded_at)::float8 as age, failures from job_run',
);

/** Records how a run of a job ended. */
export async function noteRun(pool: Pool, job: string, end: 'succeeded' | 'failed'): Promise<void> {
  await (end === 'succeeded' ? succeeded : failed)(pool, [job]);
}

/** The jobs that have run. */
export function readRuns(pool: Pool): Promise<JobRunState[]> {
  return read(pool, []);
}

/** The same number as in the alert JobOverdue. */
const MOST_FAILURES = 5;

/** The names of the jobs that keep failing. */
export async function readFailingJobs({ pool }: { pool: Pool }): Promise<string[]> {
  const runs = await readRuns(pool);
  return runs.flatMap(({ job, failures }) => (failures > MOST_FAILURES ? [job] : [])).toSorted();
}
