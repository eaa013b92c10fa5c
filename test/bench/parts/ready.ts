import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../child-server.ts';
import { endWithBench } from '../end-with-bench.ts';
import { median } from '../median.ts';

const STARTS = 3;

/** Seconds from `npm start` until the server says that it is ready: the median of some starts after one that makes the data. */
export async function measureReady(tree: string): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-start-'));
  await chmod(dataDir, 0o755);
  try {
    await startOnce(tree, dataDir);
    const seconds: number[] = [];
    for (let start = 0; start < STARTS; start += 1) seconds.push(await startOnce(tree, dataDir));
    return median(seconds);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(tree: string, dataDir: string): Promise<number> {
  const [port, metricsPort, localnetPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    LOCALNET_PORT: String(localnetPort),
    DATA_DIR: dataDir,
  };
  const startedAt = performance.now();
  // a group of its own: npm does not hand every signal on
  const child = spawn('npm', ['start'], { cwd: tree, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  endWithBench(child, { leadsGroup: true });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) {
      if (/"msg":"ready"/.test(line)) return (performance.now() - startedAt) / 1000;
    }
    throw new Error('npm start ended before it was ready');
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}
