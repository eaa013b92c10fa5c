import { register } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { overdueJobs, watchJobs } from '../../../adapters/process/job-health.ts';
import { JOBS } from '../../../adapters/process/job-list.ts';
import { noteRun } from '../../../src/platform/job/job-runs.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();
const LONG = 86_400;

async function allRanJustNow(): Promise<void> {
  for (const { name } of JOBS) await noteRun(app.runtime.pool, name, 'succeeded');
}

/** As if a job had succeeded last some seconds ago. */
async function age(job: string, seconds: number): Promise<void> {
  await app.runtime.pool.query('update job_run set succeeded_at = now() - make_interval(secs => $2) where job = $1', [
    job,
    seconds,
  ]);
}

async function readiness() {
  const answer = await fetch(`${app.origin}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('D-356: a background job that has not succeeded for long', () => {
  it('is named after a few of its periods, whichever process looks', async () => {
    await allRanJustNow();
    expect(await overdueJobs(app.runtime.pool, LONG)).toEqual([]);
    await age('seal-audit', 400);
    await age('purge', 400);
    expect(await overdueJobs(app.runtime.pool, LONG)).toEqual([]);
    await age('seal-audit', 500);
    expect(await overdueJobs(app.runtime.pool, LONG)).toEqual(['job (seal-audit): last succeeded 500 s ago']);
    await age('purge', 12_000);
    expect(await overdueJobs(app.runtime.pool, LONG)).toHaveLength(2);
  });

  it('is named with its failures, and no more after its next success', async () => {
    await allRanJustNow();
    await age('maintain-keys', 900);
    for (let run = 0; run < 2; run++) await noteRun(app.runtime.pool, 'maintain-keys', 'failed');
    expect(await overdueJobs(app.runtime.pool, LONG)).toEqual([
      'job (maintain-keys): last succeeded 900 s ago, failed runs since: 2',
    ]);
    await noteRun(app.runtime.pool, 'maintain-keys', 'succeeded');
    expect(await overdueJobs(app.runtime.pool, LONG)).toEqual([]);
  });

  it('that never succeeded is named too, once it had the time for it', async () => {
    await app.runtime.pool.query('delete from job_run');
    expect(await overdueJobs(app.runtime.pool, 200)).toEqual([]);
    const named = await overdueJobs(app.runtime.pool, LONG);
    expect(named).toHaveLength(JOBS.length);
    expect(named[0]).toMatch(/^job \([a-z-]+\): has never succeeded$/);
    await noteRun(app.runtime.pool, 'seal-audit', 'failed');
    expect(await overdueJobs(app.runtime.pool, LONG)).toContain(
      'job (seal-audit): has never succeeded, failed runs since: 1',
    );
  });

  it('is degraded at /readyz and takes no process out of service', async () => {
    await allRanJustNow();
    await age('seal-audit', 7_200);
    expect((await readiness()).body).not.toHaveProperty('degraded');
    const { now } = performance;
    vi.spyOn(app.runtime.clock, 'aheadMs').mockReturnValue(0);
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + LONG * 1_000);
    // what it told before is remembered for a second
    app.advance(5);
    const { status, body } = await readiness();
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'ready', degraded: ['job (seal-audit): last succeeded 7200 s ago'] });
  });

  it('shows in the metrics', async () => {
    await allRanJustNow();
    await age('seal-audit', 700);
    await noteRun(app.runtime.pool, 'seal-audit', 'failed');
    const watch = watchJobs(app.runtime);
    await expect
      .poll(() => register.getSingleMetricAsString('job_success_age_seconds'))
      .toMatch(/job_success_age_seconds\{name="seal-audit"\} 70\d/);
    expect(await register.getSingleMetricAsString('job_failures_since_success')).toContain(
      'job_failures_since_success{name="seal-audit"} 1',
    );
    watch.stop();
  });
});
