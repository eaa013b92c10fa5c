/** Processes beside a test, a fault or a bench: ports, start, end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Child {
  pid: number;
  isRunning(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Waits until it has ended. @returns its code; null where a signal ended it */
  ended(): Promise<number | null>;
  /** Signals, and waits. `SIGKILL` gives it no moment to tidy up. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export interface ChildOptions {
  /** Its whole environment, but for PATH and HOME: that of whoever runs the tests must not bend it. */
  env: Record<string, string>;
  isReady(): Promise<boolean>;
  /** Of Node. */
  flags?: readonly string[];
  /** After the file. */
  words?: readonly string[];
  /** Gets what it writes, after what is there; errors alone come here where it is omitted. */
  log?: string;
}

const READY_WITHIN_MS = 180_000;
const running = new Set<ChildProcess>();
// a process stops its own children: the service its PostgreSQL and its local network
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Runs a file of the project, and waits until it is ready. @throws Error where it ends or does not become ready */
export async function startChild(file: string, options: ChildOptions): Promise<Child> {
  const { env, isReady, flags = [], words = [], log } = options;
  const output = log === undefined ? 'ignore' : openSync(log, 'a');
  const child = spawn(process.execPath, [...flags, file, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, log === undefined ? 'inherit' : output],
  });
  running.add(child);
  const exited = once(child, 'exit').finally(() => running.delete(child));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  for (const end = performance.now() + READY_WITHIN_MS; !(await isReady().catch(() => false)); await sleep(50)) {
    if (!isRunning()) throw new Error(`${file} ended with code ${child.exitCode}; see ${log}`);
    if (performance.now() < end) continue;
    child.kill('SIGKILL');
    throw new Error(`${file} did not become ready; see ${log}`);
  }
  return {
    pid: child.pid ?? 0,
    isRunning,
    signal: (signal) => void child.kill(signal),
    async ended() {
      await exited;
      return child.exitCode;
    },
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

/** Whether a server answers with 2xx. */
export async function answers(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
}

/** How many slots the commitments of a local network take. */
export interface NetworkDelays {
  confirmedAfter: number;
  finalizedAfter: number;
}

/** Starts a local network in a process of its own, on a port and the one after it. */
export async function startNetwork(
  port: number,
  dataDir: string,
  { confirmedAfter, finalizedAfter }: NetworkDelays,
): Promise<{ rpcUrl: string; network: Child }> {
  const rpcUrl = `http://127.0.0.1:${port}`;
  const network = await startChild('packages/localnet/src/main.ts', {
    env: { LOCALNET_PORT: String(port), DATA_DIR: dataDir },
    words: [`--confirmed-after=${confirmedAfter}`, `--finalized-after=${finalizedAfter}`],
    isReady: () => answers(`${rpcUrl}/health`),
  });
  return { rpcUrl, network };
}

/** Below those that the system gives to outgoing connections, which might take one while its process is down. */
const PORTS = { from: 20_000, to: 32_000 };
let next = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from));

/**
 * A process gets each port once, before it comes round: two that are asked for at the same time are both free until something listens,
 * and a server on 127.0.0.1 would then answer for another one on all interfaces.
 * @returns the first of so many free ports in a row
 */
export async function freePorts(count = 1): Promise<number> {
  for (;;) {
    const first = next + count > PORTS.to ? PORTS.from : next;
    next = first + count;
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)));
    if (!free.includes(false)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
