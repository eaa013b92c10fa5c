import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@fan-api/embedded-postgres';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../../src/platform/config/config.ts';
import type { StarterKit } from '../../src/sandbox/starter-kit.ts';
import { parentOf } from './cpu-meter.ts';
import type { Side } from './side.ts';
import { openStage, type Stage } from './stage/stage.ts';

/** The real server in a process of its own, and what prepares its requests. */
export interface Server extends Side {
  config: Config;
  stage: Stage;
  rpcUrl: string;
}

interface ServerOptions {
  /** Beside the server, so that their CPU time and memory are not the server's; or all within it, as `npm start` has it. */
  parts?: 'apart' | 'embedded';
  /** More environment variables. */
  env?: Record<string, string>;
}

const TREE = fileURLToPath(new URL('../../', import.meta.url));
const PATIENCE_MS = 60_000;
const POLL_MS = 50;
const NO_LIMIT = '100000000';
/** What `npm start` gives Node. */
const NODE_ARGUMENTS = /exec node (.*) adapters\/main\.ts/.exec(packageJson.scripts.start)?.[1]?.split(' ') ?? [];
/** The environment of whoever runs the bench must not bend it. */
const BARE = { PATH: process.env.PATH, HOME: process.env.HOME };

/** Starts the server on free ports, over a database of its own. @throws Error where it does not become ready */
export async function openServer({ parts = 'apart', env: more = {} }: ServerOptions = {}): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'fan-api-bench-'));
  // as root, PostgreSQL runs as another user, who must be able to come in
  await chmod(dataDir, 0o755);
  // the last first
  const closers: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const [port, metricsPort, localnetPort] = [await freePorts(1), await freePorts(1), await freePorts(2)];
    const env: Record<string, string> = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOCALNET_PORT: String(localnetPort),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ACCESS_TOKEN_TTL: '3600',
      FAN_RATE_LIMIT: NO_LIMIT,
      ...more,
    };
    if (parts === 'apart') {
      const own = join(dataDir, 'apart');
      await mkdir(own);
      const postgres = await startEmbeddedPostgres(own);
      closers.push(() => postgres.stop());
      const rpcUrl = `http://127.0.0.1:${localnetPort}`;
      const localnet = startNode(
        // what is measured is the service, not how long a cluster takes to vote
        ['packages/localnet/src/main.ts', '--confirmed-after', '0', '--finalized-after', '0'],
        { ...env, DATA_DIR: own },
        join(own, 'localnet.log'),
      );
      closers.push(localnet.stop);
      await untilReady(localnet.child, `${rpcUrl}/health`);
      Object.assign(env, { DATABASE_URL: postgres.url, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url') });
      Object.assign(env, { SANDBOX_RPC_URL: rpcUrl, SANDBOX_PUBLIC_RPC_URL: rpcUrl });
    }
    const entry = parts === 'embedded' ? 'test/bench/embedded-main.ts' : 'adapters/process/main.ts';
    const server = startNode([...NODE_ARGUMENTS, entry], env, join(dataDir, 'server.log'));
    closers.push(server.stop);
    // it listens a moment before it writes the starter kit
    const kitFile = join(dataDir, 'starter-kit.json');
    await untilReady(server.child, `http://localhost:${port}/readyz`, () => existsSync(kitFile));
    const kit = JSON.parse(await readFile(kitFile, 'utf8')) as StarterKit;
    const stage = await openStage(env, kit);
    closers.push(stage.close);
    return {
      name: 'ours',
      origin: new URL(stage.config.authUrl).origin,
      pid: server.child.pid ?? 0,
      database: await parentOf(stage.backend),
      config: stage.config,
      stage,
      rpcUrl: kit.rpc_url ?? '',
      prepare: stage.prepare,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const running = new Set<ChildProcess>();
// a process stops its own children: the server its PostgreSQL and its local network
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

function startNode(words: readonly string[], env: object, log: string): { child: ChildProcess; stop(): Promise<void> } {
  const options = { cwd: TREE, env: { ...BARE, ...env } };
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', openSync(log, 'w'), 'inherit'] });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  return {
    child,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, url: string, isProvisioned = () => true): Promise<void> {
  const givenUpAt = performance.now() + PATIENCE_MS;
  while (performance.now() < givenUpAt) {
    if (child.exitCode !== null) throw new Error(`the process ended with code ${child.exitCode}`);
    const isReady = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady && isProvisioned()) return;
    await sleep(POLL_MS);
  }
  throw new Error(`nothing answers at ${url}`);
}

/** @returns the first of so many free ports in a row: the local network has two */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await tryPort(0);
    const rest = Array.from({ length: count - 1 }, (_, at) => tryPort((first ?? 0) + at + 1));
    if (first !== undefined && (await Promise.all(rest)).every((port) => port !== undefined)) return first;
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
