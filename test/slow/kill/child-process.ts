import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of this project beside the test. */
export interface Child {
  /** `SIGKILL` gives it no moment to tidy up. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

const READY_WITHIN_MS = 180_000;

/**
 * Runs a file of the project, and waits until it answers.
 * @param env its whole environment, but for PATH and HOME
 * @param flags of its command line
 * @throws Error where it ends or does not become ready
 */
export async function startChild(
  file: string,
  env: Record<string, string>,
  isReady: () => Promise<boolean>,
  flags: readonly string[] = [],
): Promise<Child> {
  const child = spawn(process.execPath, [file, ...flags], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(child, file, isReady);
  return {
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

async function untilReady(child: ChildProcess, file: string, isReady: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; ) {
    if (child.exitCode !== null) throw new Error(`${file} ended with code ${child.exitCode}`);
    if (await isReady().catch(() => false)) return;
    await sleep(50);
  }
  child.kill('SIGKILL');
  throw new Error(`${file} did not become ready`);
}

/** A port that is free, and the one after it too. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
