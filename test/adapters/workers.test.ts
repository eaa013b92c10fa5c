import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openWire } from '../support/database-wire.ts';
import { freePort, mainProcess, type Process } from '../support/main-process.ts';

/** D-233: one port, several processes. Real processes, as `WORKERS=2 node adapters/main.ts` runs them. */

const PATIENCE_MS = 120_000;
const SOON = { timeout: 60_000, interval: 50 };

const { run, stage } = mainProcess();

/** The workers of a process; Linux only, as the service is. */
function workersOf({ child: { pid } }: Process): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function countOf(text: string, output: string): number {
  return output.split(text).length - 1;
}

async function runTwo(env: Record<string, string> = {}): Promise<Process> {
  const started = await run({ WORKERS: '2', SURFACES: 'auth', ...env });
  await expect.poll(() => countOf('"msg":"ready"', started.output()), SOON).toBe(2);
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

/** Calls without end, each on a new connection or on one that is kept. */
function startLoad(port: number, keepAlive: boolean) {
  const agent = new Agent({ keepAlive, maxSockets: 8 });
  const load = { answered: 0, failed: 0, hung: 0, stop: async () => {} };
  let stopped = false;
  const caller = async () => {
    while (!stopped) {
      try {
        const call = request(`http://localhost:${port}/healthz`, { agent, timeout: 20_000 }).end();
        call.on('timeout', () => {
          load.hung += 1;
          call.destroy();
        });
        const [answer] = (await once(call, 'response')) as [IncomingMessage];
        answer.resume();
        await once(answer, 'end');
        load.answered += 1;
      } catch {
        load.failed += 1;
      }
    }
  };
  const callers = Promise.all(Array.from({ length: 8 }, caller));
  load.stop = async () => {
    stopped = true;
    await callers;
    agent.destroy();
  };
  return load;
}

describe('D-233: WORKERS', { timeout: PATIENCE_MS }, () => {
  it('a worker that is killed under load costs the calls that it had, and is replaced', async () => {
    const started = await runTwo();
    const [victim = 0] = workersOf(started);
    const load = startLoad(started.port, false);
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(50);
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => countOf('"msg":"ready"', started.output()), SOON).toBe(3);
    const before = load.answered;
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(before + 50);
    await load.stop();
    expect(load.failed, 'at most the calls under way').toBeLessThanOrEqual(8);
    expect(load.hung, 'they are told at once').toBe(0);
    expect(started.output()).toContain('a worker ended');
    expect(workersOf(started)).toHaveLength(2);
    expect(workersOf(started)).not.toContain(victim);
  });

  it('one that keeps ending is started again after growing pauses', async () => {
    const started = await runTwo();
    const told = () =>
      [...started.output().matchAll(/"nextTryMs":(\d+)/g)].map(([, ms]) => Number(ms)).filter((ms) => ms !== undefined);
    for (let ends = 1; ends <= 3; ends++) {
      await expect.poll(() => workersOf(started).length, SOON).toBe(2);
      process.kill(workersOf(started)[ends === 1 ? 0 : 1] ?? 0, 'SIGKILL');
      await expect.poll(() => told().length, SOON).toBe(ends);
    }
    expect(told()).toEqual([0, 1_000, 2_000]);
  });

  it('SIGTERM to all processes at once, as systemd sends it, drains: no call is cut off, and the exit code is 0', async () => {
    const started = await runTwo();
    const body = 'grant_type=nonsense';
    const calls = Array.from({ length: 4 }, () => {
      const call = request(`http://localhost:${started.port}/oauth2/token`, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length },
      });
      call.write(body.slice(0, 5));
      return { call, answered: once(call, 'response') as Promise<[IncomingMessage]> };
    });
    // both workers have theirs by the time they answer later ones
    for (let i = 0; i < 6; i++) await fetch(`http://localhost:${started.port}/healthz`);
    const workers = workersOf(started);
    for (const pid of [started.child.pid ?? 0, ...workers]) process.kill(pid, 'SIGTERM');
    await sleep(1_500);
    for (const { call } of calls) call.end(body.slice(5));
    const answers = await Promise.all(calls.map(({ answered }) => answered));
    expect(answers.map(([answer]) => answer.statusCode)).toEqual([400, 400, 400, 400]);
    for (const [answer] of answers) answer.resume();
    expect(await started.ended()).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(started.errors()).toBe('');
  });

  it('a second signal ends all of them at once', async () => {
    const wire = await openWire(stage.database.url);
    const started = await runTwo({ DATABASE_URL: wire.url, SHUTDOWN_TIMEOUT: '600' });
    const workers = workersOf(started);
    wire.hang();
    started.child.kill('SIGTERM');
    await expect.poll(() => countOf('"msg":"stopping"', started.output()), SOON).toBe(2);
    // within a second it would be the first one, passed on by npm
    await sleep(1_100);
    started.child.kill('SIGTERM');
    expect(await started.ended()).toBe(1);
    await expect.poll(() => workers.filter(isAlive), SOON).toEqual([]);
    await wire.cut();
  });

  it('SIGUSR2 replaces one worker after the other, and no call fails', async () => {
    const started = await runTwo();
    const before = workersOf(started);
    const load = startLoad(started.port, true);
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(20);
    started.child.kill('SIGUSR2');
    await expect.poll(started.output, SOON).toContain('the workers are replaced');
    await load.stop();
    expect(load.failed).toBe(0);
    const after = workersOf(started);
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('workers do not outlive the primary', async () => {
    const started = await runTwo();
    const workers = workersOf(started);
    started.child.kill('SIGKILL');
    await expect.poll(() => workers.filter(isAlive), SOON).toEqual([]);
  });

  it('METRICS_PORT has the series of all workers, by place, and of a replaced one in the same place', async () => {
    const started = await runTwo();
    for (let i = 0; i < 8; i++) {
      await fetch(`http://localhost:${started.port}/nowhere`, { headers: { connection: 'close' } });
    }
    const read = async () => (await fetch(`http://127.0.0.1:${started.metricsPort}/metrics`)).text();
    const series = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const counts = series(await read(), 'http_request_duration_seconds_count');
    expect(counts.map((line) => /worker="(\d+)"/.exec(line)?.[1]).toSorted()).toEqual(['1', '2']);
    expect(counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(8);
    expect(series(await read(), 'process_start_time_seconds'), 'the primary’s has no labels').toHaveLength(2);

    process.kill(workersOf(started)[0] ?? 0, 'SIGKILL');
    await expect.poll(() => countOf('"msg":"ready"', started.output()), SOON).toBe(3);
    expect(await read()).toContain('worker_restarts_total 1\n');
    expect(series(await read(), 'process_start_time_seconds').map((line) => /worker="(\d)"/.exec(line)?.[1])).toEqual(
      expect.arrayContaining(['1', '2']),
    );
  });

  it('a worker that hangs is left out of the metrics; the others are in them', async () => {
    const started = await runTwo();
    const [hung = 0] = workersOf(started);
    process.kill(hung, 'SIGSTOP');
    const text = await (await fetch(`http://127.0.0.1:${started.metricsPort}/metrics`)).text();
    process.kill(hung, 'SIGCONT');
    expect(text.match(/^process_start_time_seconds\{worker=/gm)).toHaveLength(1);
  });

  it('a fault that all would have ends the start, with one message and exit code 1', async () => {
    const nowhere = `postgres://u:secret@127.0.0.1:${await freePort()}/db`;
    const { ended, errors } = await run({ WORKERS: '3', DATABASE_URL: nowhere });
    expect(await ended()).toBe(1);
    expect(countOf('ECONNREFUSED', errors())).toBe(1);
  });

  it('a port in use is told by its number', async () => {
    const first = await runTwo();
    const { ended, errors } = await run({ WORKERS: '2', SURFACES: 'auth', PORT: String(first.port) });
    expect(await ended()).toBe(1);
    expect(errors()).toContain(`Port ${first.port} is in use`);
  });
});
