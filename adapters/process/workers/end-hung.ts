import type { Worker } from 'node:cluster';
import type { Logger } from 'pino';

const BEAT_EVERY_MS = 5_000;
/** Half a minute: no call of ours holds the event loop for a second. */
const MISSED_BEATS = 6;
const BEAT = 'alive';

/** In a worker: shows the primary that the event loop turns. */
export function beat(): void {
  setInterval(() => process.send?.(BEAT), BEAT_EVERY_MS).unref();
}

/**
 * In the primary: kills a worker whose event loop is blocked, so that another one takes its place. Every connection of that worker
 * would wait, and a probe that reaches another worker does not notice.
 *
 * Beats are counted, not timed: a primary that was blocked itself finds them all when it continues.
 */
export function endWhereHung(worker: Worker, number: number, log: Logger): void {
  let missed = 0;
  worker.on('message', (message) => {
    if (message === BEAT) missed = 0;
  });
  const watch = setInterval(() => {
    missed += 1;
    if (missed < MISSED_BEATS) return;
    log.error({ worker: number, pid: worker.process.pid }, 'a worker hangs: it is killed');
    worker.process.kill('SIGKILL');
  }, BEAT_EVERY_MS);
  worker.once('exit', () => clearInterval(watch));
}
