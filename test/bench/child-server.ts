import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from '../../src/config/config.ts';
import { endWithBench } from './end-with-bench.ts';

/** The real server in a process of its own. */
export interface ChildServer {
  config: Config;
  env: Record<string, string>;
  pid: number;
  /** Where Node's inspector listens. @throws Error where it was not opened */
  inspectorUrl(): string;
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  /** The tree whose code runs; this one by default. */
  tree?: string;
  /** More environment variables. By default the database and the local network are the server's own, with fsync on. */
  env?: Record<string, string>;
  /** More arguments for Node. */
  nodeArguments?: string[];
}

/** What the server writes, in its data folder. */
export const SERVER_LOG = 'server.log';

const THIS_TREE = fileURLToPath(new URL('../../', import.meta.url));
const START_PATIENCE_MS = 60_000;
const NO_LIMIT = '100000000';

/**
 * Starts the server on free ports.
 * @throws Error where it does not become ready
 */
export async function startChildServer(dataDir: string, options: ChildServerOptions = {}): Promise<ChildServer> {
  const { tree = THIS_TREE, nodeArguments = [] } = options;
  const [port, metricsPort, localnetPort] = await Promise.all([freePort(), freePort(), freeLocalnetPort()]);
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
    ...options.env,
  };
  const start = startOf(tree);
  const child = spawn(process.execPath, [...start.arguments, ...nodeArguments, 'adapters/main.ts'], {
    cwd: tree,
    // the environment of whoever runs the bench must not bend it
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...start.env, ...env },
    stdio: ['ignore', openSync(join(dataDir, SERVER_LOG), 'w'), 'pipe'],
  });
  endWithBench(child);
  let inspectorUrl: string | undefined;
  child.stderr?.on('data', (chunk: Buffer) => {
    inspectorUrl ??= /ws:\/\/\S+/.exec(chunk.toString())?.[0];
    if (inspectorUrl === undefined) process.stderr.write(chunk);
  });
  // it listens a moment before it writes the starter kit
  const kitFile = join(dataDir, 'starter-kit.json');
  await untilReady(child, `http://localhost:${port}/readyz`, () => existsSync(kitFile));
  return {
    config: readConfig(env),
    env,
    pid: child.pid ?? 0,
    inspectorUrl() {
      if (inspectorUrl === undefined) throw new Error("Node's inspector is not open");
      return inspectorUrl;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** What `npm start` gives Node in a tree. */
function startOf(tree: string): { env: Record<string, string>; arguments: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [, variables = '', given = ''] =
    /((?:[A-Z_]+=\S+ )*)exec node (.*)adapters\/main\.ts/.exec(scripts.start) ?? [];
  return { env: Object.fromEntries(words(variables).map((word) => word.split('='))), arguments: words(given) };
}

function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
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

export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === undefined) throw new Error('no free port');
  return port;
}

/** The local network needs the port after its own too, for its WebSocket. */
export async function freeLocalnetPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if ((await tryPort(port + 1)) !== undefined) return port;
  }
}

/** @param wanted 0 for any @returns undefined where it is taken */
async function tryPort(wanted: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen(wanted);
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
