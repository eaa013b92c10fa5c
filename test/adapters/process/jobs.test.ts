import { hostname } from 'node:os';
import { PgBoss } from 'pg-boss';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { asError, type Jobs, keepStartingJobs, startJobs } from '../../../adapters/process/jobs.ts';
import { createLog } from '../../../adapters/process/log.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { SigningKey } from '../../../src/entities/signing-key.ts';
import { rotateKeys } from '../../../src/keys/rotate-keys.ts';
import { readRuns } from '../../../src/platform/job/job-runs.ts';
import { testApp } from '../../support/test-app.ts';
import { openWire } from '../../support/wire.ts';

const app = await testApp();

// the workers look for runs more often than every five seconds
const { work } = PgBoss.prototype;
const working = vi.spyOn(PgBoss.prototype, 'work').mockImplementation(function (this: PgBoss, ...given: unknown[]) {
  const [name, , run] = given;
  return Reflect.apply(work, this, [name, { pollingIntervalSeconds: 0.5 }, run]);
} as typeof work);
const url = app.config.databaseUrl ?? '';
// two processes that share one queue
let jobs: Jobs[] = await Promise.all([startJobs(app.runtime, url), startJobs(app.runtime, url)]);
working.mockRestore();
afterAll(() => Promise.all(jobs.map((each) => each.stop())));

/** Puts a run on the queue as its schedule would. */
const enqueue = (name: string) =>
  app.runtime.pool.query(`insert into pgboss.job (name, policy) values ($1, 'singleton')`, [name]);

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await app.runtime.pool.query<Row & Record<string, unknown>>(text, values)).rows;
const connectionsOf = async (name: string) =>
  (await query('select from pg_stat_activity where datname = current_database() and application_name = $1', [name]))
    .length;

const runOf = async (name: string) => (await readRuns(app.runtime.pool)).find(({ job }) => job === name);

const PATIENCE = { timeout: 20_000 };

describe('the job queue', () => {
  it('has every job on its schedule, once', async () => {
    const rows = await query<{ name: string; cron: string }>('select name, cron from pgboss.schedule');
    const schedule = Object.fromEntries(rows.map(({ name, cron }) => [name, cron]));
    expect(schedule).toMatchObject({
      'maintain-keys': '* * * * *',
      'seal-audit': '* * * * *',
      purge: '17 * * * *',
    });
    expect(rows).toHaveLength(Object.keys(schedule).length);
  });

  it('seal-audit seals every entry that waits', async () => {
    const { em } = app.context();
    expect(await em.count(AuditEntry, { hash: null })).toBeGreaterThan(0);
    await enqueue('seal-audit');
    await expect.poll(() => app.context().em.count(AuditEntry, { hash: null }), PATIENCE).toBe(0);
    await expect.poll(() => runOf('seal-audit'), PATIENCE).toMatchObject({ failures: 0, age: expect.any(Number) });
  });

  it('maintain-keys lets a published key sign when it is due', async () => {
    const { kid } = await rotateKeys(app.context());
    app.advance(301);
    await enqueue('maintain-keys');
    const stateOf = async () => (await app.context().em.findOneOrFail(SigningKey, { kid })).state;
    await expect.poll(stateOf, PATIENCE).toBe('current');
    app.resetClock();
  });

  it('D-356: a run that is ended by its time limit is no success, and goes on at once', async () => {
    const limited = AbortSignal.timeout;
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    timeout.mockImplementation((ms) => (ms === 60_000 ? AbortSignal.abort() : limited.call(AbortSignal, ms)));
    const ended = async () =>
      (await query(`select from pgboss.job where name = 'purge' and state = 'completed'`)).length;
    await enqueue('purge');
    await expect.poll(ended, PATIENCE).toBeGreaterThan(1);
    expect(await runOf('purge')).toBeUndefined();
    timeout.mockRestore();
    await expect.poll(() => runOf('purge'), PATIENCE).toMatchObject({ age: expect.any(Number) });
  });

  it('D-356: what a worker of the queue reports is logged as the error that it was', () => {
    const lines: string[] = [];
    const reported = { message: 'connection is gone', stack: 'Error\n    at x (y.js:1)', queue: 'seal-audit' };
    createLog('info', { write: (line) => lines.push(line) }).error({ err: asError(reported) }, 'job queue');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
      message: 'connection is gone',
      stack: expect.stringContaining('y.js'),
    });
  });

  it('a job that fails leaves no property of its error in the queue', async () => {
    const secret = 'rt_secret_of_somebody';
    const fault = Object.assign(new Error(secret), { request: { authorization: secret } });
    // every job asks for the time first or soon
    const now = vi.spyOn(app.runtime, 'now').mockImplementation(() => {
      throw fault;
    });
    await enqueue('purge');
    const output = async () =>
      JSON.stringify(await query(`select output from pgboss.job where name = 'purge' and output is not null`));
    await expect.poll(output, PATIENCE).toContain('purge failed');
    expect(await output()).not.toContain(secret);
    // before the clock works again: a success resets the count
    await expect.poll(async () => (await runOf('purge'))?.failures, PATIENCE).toBeGreaterThan(0);
    now.mockRestore();
  });

  it('its tables do not count as a difference from the schema', async () => {
    expect(await app.runtime.orm.schema.getUpdateSchemaSQL()).not.toContain('pgboss');
  });

  it('stops within its time limit and does no further work', async () => {
    await Promise.all(jobs.map((each) => each.stop()));
    jobs = [];
    // the server takes a moment to see that a connection is closed
    await expect.poll(() => connectionsOf(`fan-api jobs ${hostname()}`), PATIENCE).toBe(0);
  });
});

describe('a database that is down when the jobs start', () => {
  it('holds them up until it is back', async () => {
    const wire = await openWire(app.config.databaseUrl ?? '');
    await wire.cut();
    const { runtime } = app;
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(runtime.log) as typeof runtime.log, {
      error: (_: unknown, message: string) => void errors.push(message),
    });
    const late = keepStartingJobs({ ...runtime, log }, `${wire.url}?application_name=late`);
    await expect.poll(() => errors, PATIENCE).toContain('background jobs did not start');
    await wire.mend();
    await expect.poll(() => connectionsOf(`late jobs ${hostname()}`), PATIENCE).toBeGreaterThan(0);
    await late.stop();
    await wire.cut();
  });

  it('does not keep the process from ending', async () => {
    const wire = await openWire(app.config.databaseUrl ?? '');
    await wire.cut();
    const late = keepStartingJobs(app.runtime, wire.url);
    await expect(late.stop()).resolves.toBeUndefined();
  });
});
