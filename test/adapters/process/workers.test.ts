import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { withAdmin } from '../../support/database.ts';
import { listen } from '../../support/listen.ts';
import { halfSent, mainProcess, type Process, startLoad } from '../../support/main-process.ts';

/** D-233: one port, several processes. Real processes, as `WORKERS=2 node adapters/process/main.ts` runs them. */

const SOON = { timeout: 60_000, interval: 50 };

const { run, keep, stage } = mainProcess();

/** The workers of a process; Linux only, as the service is. */
function workersOf({ child: { pid } }: Pick<Process, 'child'>): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function countOf(text: string, output: string): number {
  return output.split(text).length - 1;
}

const TWO = { WORKERS: '2', SURFACES: 'auth' };

async function bothReady(started: Process): Promise<Process> {
  await vi.waitFor(() => expect(countOf('"msg":"ready"', started.output())).toBe(2), SOON);
  return started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('D-233: WORKERS', () => {
  let started: Process;
  beforeAll(async () => {
    started = await bothReady(await keep(TWO));
  });

  const readMetrics = async () => (await fetch(`http://127.0.0.1:${started.metricsPort}/metrics`)).text();
  const series = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`));
  const placesOf = (lines: string[]) => lines.map((line) => /worker="(\d+)"/.exec(line)?.[1]).toSorted();

  it('METRICS_PORT has the series of all workers, by place', async () => {
    for (let i = 0; i < 8; i++) {
      await fetch(`http://localhost:${started.port}/nowhere`, { headers: { connection: 'close' } });
    }
    const text = await readMetrics();
    const counts = series(text, 'http_request_duration_seconds_count');
    expect(placesOf(counts)).toEqual(['1', '2']);
    expect(counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(8);
    expect(series(text, 'process_start_time_seconds'), 'the primary’s has no labels').toHaveLength(2);
  });

  it('the names of connections tell the workers and their uses apart', async () => {
    await withAdmin(stage.database.url, async (client) => {
      const names = async () => {
        const { rows } = await client.query<{ name: string }>(
          `select distinct application_name as name from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() order by 1`,
        );
        return rows.map(({ name }) => name);
      };
      const of = (use: string) => [1, 2].map((worker) => `fan-api ${use} ${hostname()}/${worker}`);
      await expect.poll(names, SOON).toEqual([...of('jobs'), ...of('requests')]);
    });
  });

  it('a worker that hangs is left out of the metrics; the others are in them', async () => {
    const [hung = 0] = workersOf(started);
    process.kill(hung, 'SIGSTOP');
    const text = await readMetrics();
    process.kill(hung, 'SIGCONT');
    expect(text.match(/^process_start_time_seconds\{worker=/gm)).toHaveLength(1);
  });

  it('a worker that is killed under load costs the calls that it had, and is replaced, in the metrics too', async () => {
    const [victim = 0] = workersOf(started);
    const load = startLoad(started.port, { keepAlive: false });
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(50);
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => countOf('"msg":"ready"', started.output()), SOON).toBe(3);
    const before = load.answered;
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(before + 50);
    await load.stop();
    expect(load.failed, 'at most the calls under way').toBeLessThanOrEqual(8);
    expect(load.hung, 'they are refused at once').toBe(0);
    expect(started.output()).toContain('a worker ended');
    expect(workersOf(started)).toHaveLength(2);
    expect(workersOf(started)).not.toContain(victim);
    const text = await readMetrics();
    expect(text).toContain('worker_restarts_total 1\n');
    expect(placesOf(series(text, 'process_start_time_seconds'))).toEqual(['1', '2']);
  });

  it('SIGUSR2 replaces one worker after the other, and no call fails', async () => {
    const before = workersOf(started);
    const load = startLoad(started.port);
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(20);
    started.child.kill('SIGUSR2');
    await expect.poll(started.output, SOON).toContain('the workers are replaced');
    await load.stop();
    expect(load.failed).toBe(0);
    const after = workersOf(started);
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('a worker that keeps ending is started again after growing pauses', async () => {
    const pauses = () => [...started.output().matchAll(/"nextTryMs":(\d+)/g)].map(([, ms]) => Number(ms));
    const before = pauses().length;
    for (let ends = 1; ends <= 3; ends++) {
      await expect.poll(() => workersOf(started).length, SOON).toBe(2);
      process.kill(workersOf(started)[ends === 1 ? 0 : 1] ?? 0, 'SIGKILL');
      await expect.poll(() => pauses().length, SOON).toBe(before + ends);
    }
    expect(pauses().slice(before)).toEqual([0, 1_000, 2_000]);
  });

  it('workers do not outlive the primary', async () => {
    const workers = workersOf(started);
    expect(workers).not.toEqual([]);
    started.child.kill('SIGKILL');
    await expect.poll(() => workers.filter(isAlive), SOON).toEqual([]);
  });

  it('SIGTERM to all processes at once, as systemd sends it, drains: no call is cut off, and the exit code is 0', async () => {
    const { port, child, errors, ended } = await bothReady(await run(TWO));
    const calls = await Promise.all(Array.from({ length: 4 }, () => halfSent(`http://localhost:${port}`)));
    const workers = workersOf({ child });
    for (const pid of [child.pid ?? 0, ...workers]) process.kill(pid, 'SIGTERM');
    // past the second within which a signal counts as the first one, passed on
    await sleep(1_100);
    expect(await Promise.all(calls.map((call) => call.finish()))).toEqual([400, 400, 400, 400]);
    expect(await ended()).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(errors()).toBe('');
  });

  it('a second signal ends all of them at once', async () => {
    const hanging = await bothReady(await run({ ...TWO, SHUTDOWN_TIMEOUT: '600' }));
    const workers = workersOf(hanging);
    await halfSent(`http://localhost:${hanging.port}`);
    hanging.child.kill('SIGTERM');
    await expect.poll(() => countOf('"msg":"stopping"', hanging.output()), SOON).toBe(2);
    // within a second it would be the first one, passed on by npm
    await sleep(1_100);
    hanging.child.kill('SIGTERM');
    expect(await hanging.ended()).toBe(1);
    await expect.poll(() => workers.filter(isAlive), SOON).toEqual([]);
  });

  it('a fault that all would have, such as a port in use, ends the start with one message and exit code 1', async () => {
    const { port, stop } = await listen(createServer(), '::');
    const { ended, errors } = await run({ ...TWO, PORT: String(port) });
    expect(await ended()).toBe(1);
    expect(countOf(`Port ${port} is in use`, errors())).toBe(1);
    await stop();
  });
});
