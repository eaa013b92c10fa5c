import { readFile } from 'node:fs/promises';
import { readStats, treeOf } from './cpu-meter.ts';

const EVERY_MS = 200;

/** Watches the resident memory of a process and its descendants, together. */
export function watchMemory(root: number): { peak(): number; stop(): void } {
  let peak = 0;
  const timer = setInterval(() => {
    residentMegabytes(root).then(
      (megabytes) => {
        peak = Math.max(peak, megabytes);
      },
      // it has just ended
      () => {},
    );
  }, EVERY_MS);
  return {
    /** The most megabytes since the last call of this. */
    peak() {
      const seen = peak;
      peak = 0;
      return seen;
    },
    stop: () => clearInterval(timer),
  };
}

async function residentMegabytes(root: number): Promise<number> {
  const statuses = await Promise.all(
    treeOf(root, await readStats()).map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  );
  return statuses.reduce((sum, status) => sum + residentIn(status), 0);
}

/** Megabytes by a `/proc/PID/status`; 0 where the process has none left. */
export function residentIn(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
