import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../../src/config/config.ts';

/** The real server in a process of its own, over an embedded database of its own with fsync on. */
export interface ChildServer {
  config: Config;
  pid: number;
  stop(): Promise<void>;
}

/** What the server writes, in its data folder. */
export const SERVER_LOG = 'server.log';

const START_PATIENCE_MS = 60_000;
const NO_LIMIT = '100000000';

/**
 * Starts the server on free ports.
 * @param more environment variables
 * @param profileDir where Node writes a CPU profile of the server when it ends
 * @throws Error where it does not become ready
 */
export async function startChildServer(
  dataDir: string,
  profileDir: string | undefined,
  more: Record<string, string> = {},
): Promise<ChildServer> {
  const [port, metricsPort, localnetPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    LOCALNET_PORT: String(localnetPort),
    // what is measured is the service, not how long a cluster takes to vote
    LOCALNET_CONFIRMED_AFTER: '0',
    LOCALNET_FINALIZED_AFTER: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    ACCESS_TOKEN_TTL: '3600',
    FAN_RATE_LIMIT: NO_LIMIT,
    TOKEN_FAILURE_LIMIT: NO_LIMIT,
    ...more,
  };
  if (profileDir !== undefined) await mkdir(profileDir, { recursive: true });
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const child = spawn(process.execPath, [...profiling, 'adapters/main.ts'], {
    // the environment of whoever runs the bench must not bend it
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', openSync(join(dataDir, SERVER_LOG), 'w'), 'inherit'],
  });
  // it listens a moment before it writes the starter kit
  const kitFile = join(dataDir, 'starter-kit.json');
  await untilReady(child, `http://localhost:${port}/readyz`, () => existsSync(kitFile));
  return {
    config: readConfig(env),
    pid: child.pid ?? 0,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, url: string, isProvisioned: () => boolean): Promise<void> {
  const givenUpAt = performance.now() + START_PATIENCE_MS;
  while (performance.now() < givenUpAt) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready && isProvisioned()) return;
    await sleep(50);
  }
  child.kill('SIGTERM');
  throw new Error('the server did not become ready');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
