import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process of the service. */
export interface Service {
  port: number;
  start(): Promise<void>;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Resolves when it has ended: after how many milliseconds, and with which code (null: by a signal). */
  ended(): Promise<{ ms: number; code: number | null }>;
  isRunning(): boolean;
}

const UP_WITHIN_MS = 90_000;

/**
 * @param entry the file that Node runs
 * @param env its whole environment, but for PATH and HOME
 * @param logFile what it writes, of all its starts
 */
export function describeService(entry: string, port: number, env: Record<string, string>, logFile: string): Service {
  let child: ChildProcess | undefined;
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    port,
    isRunning,
    async start() {
      const log = openSync(logFile, 'a');
      child = spawn(process.execPath, [entry], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        stdio: ['ignore', log, log],
      });
      for (const end = performance.now() + UP_WITHIN_MS; performance.now() < end; await sleep(50)) {
        if (!isRunning()) throw new Error(`the service ended at its start with code ${child.exitCode}; see ${logFile}`);
        if (await isUp(port)) return;
      }
      throw new Error(`the service did not come up; see ${logFile}`);
    },
    signal: (signal) => void child?.kill(signal),
    async ended() {
      const began = performance.now();
      if (child && isRunning()) await once(child, 'exit');
      return { ms: performance.now() - began, code: child?.exitCode ?? null };
    },
  };
}

/** It listens; what it lacks is for `/readyz` to say. */
async function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}
