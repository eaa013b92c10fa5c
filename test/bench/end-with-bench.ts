import type { ChildProcess } from 'node:child_process';

/** Processes that run at the moment. */
const running = new Map<ChildProcess, EndOptions>();

export interface EndOptions {
  /** Where it leads a group of its own, all of which is to end. */
  leadsGroup?: boolean;
}

/** Of a process that a signal ended, as a shell tells it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ends a process when the bench ends before it: by SIGINT, SIGTERM or an error. The process stops its own children: the server its
 * PostgreSQL and its local network.
 */
export function endWithBench(child: ChildProcess, options: EndOptions = {}): void {
  watch();
  running.set(child, options);
  child.once('exit', () => running.delete(child));
}

let isWatching = false;

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  for (const [signal, code] of Object.entries(EXIT_CODES)) process.once(signal, () => process.exit(code));
  process.once('exit', () => {
    for (const [child, { leadsGroup }] of running) {
      if (leadsGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      else child.kill('SIGTERM');
    }
  });
}
