import type { SendHandle } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Config } from '../../../src/platform/config/config.ts';
import { createLog } from '../log.ts';
import { onStopSignals } from '../stop-signals.ts';
import { startMetricsIfFree } from '../telemetry/serve-metrics.ts';
import { collectMetrics } from './collect-metrics.ts';
import { endWhereHung } from './end-hung.ts';

/** A worker that lived this long ended by accident, not because it cannot run. */
const HEALTHY_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Added to `SHUTDOWN_TIMEOUT`, within which a worker ends unless it hangs. */
const STOP_GRACE_MS = 2_000;

const restarts = new Counter({
  name: 'worker_restarts_total',
  help: 'Workers that ended without being asked to, and were started again',
});

/** The message of a worker that serves. */
const READY = 'ready';

/** One of the `WORKERS` places, whichever process has it at the moment. */
interface Place {
  /** For logs and metrics, from 1. */
  number: number;
  worker: Worker | undefined;
  /** How often in a row it ended soon. */
  quickEnds: number;
}

/**
 * Runs `WORKERS` processes on one port. The first one starts alone: it migrates, and a fault that all would have ends the start with
 * its message. A worker that ends is started again, after a pause that grows while it keeps ending soon; one that hangs is killed.
 * SIGTERM and SIGINT drain all workers, a second signal ends them immediately, and SIGUSR2 replaces one after the other.
 */
export async function supervise(config: Config): Promise<void> {
  process.title = 'fan-api: primary';
  const log = createLog(config.logLevel);
  const places = Array.from(
    { length: config.workers },
    (_, index): Place => ({ number: index + 1, worker: undefined, quickEnds: 0 }),
  );
  let stopping = false;
  // no replacement before all workers run
  let replacing = true;

  function start(place: Place): Worker {
    const worker = forkWorker(place.number);
    numbers.set(worker, place.number);
    // a start takes its time: it migrates, or waits for a database
    worker.on('message', (message) => {
      if (message === READY) endWhereHung(worker, place.number, log);
    });
    const from = performance.now();
    worker.once('exit', (code, signal) => {
      if (stopping || place.worker !== worker) return;
      place.quickEnds = performance.now() - from > HEALTHY_AFTER_MS ? 0 : place.quickEnds + 1;
      const nextTryMs = pauseOf(place.quickEnds);
      log.error({ worker: place.number, pid: worker.process.pid, code, signal, nextTryMs }, 'a worker ended');
      restarts.inc();
      setTimeout(() => {
        if (!stopping && place.worker === worker) place.worker = start(place);
      }, nextTryMs);
    });
    return worker;
  }

  /** One more worker than `WORKERS` runs meanwhile. */
  async function replaceAll(): Promise<void> {
    if (replacing || stopping) return;
    replacing = true;
    log.info('replacing the workers');
    for (const place of places) {
      const old = place.worker;
      // whichever of the two ends meanwhile is not started again
      place.worker = undefined;
      const next = start(place);
      if (!(await isReady(next))) {
        if (stopping) return;
        log.error({ worker: place.number }, 'a new worker does not start: the others stay as they are');
        place.worker = old && !old.isDead() ? old : start(place);
        break;
      }
      place.worker = next;
      place.quickEnds = 0;
      if (old) await end(old, config.shutdownTimeout);
      if (stopping) return;
    }
    replacing = false;
    log.info('the workers are replaced');
  }

  async function stop(signal: string): Promise<void> {
    stopping = true;
    log.info({ signal }, 'stopping the workers');
    const ended = await Promise.all(allWorkers().map((worker) => end(worker, config.shutdownTimeout)));
    process.exit(ended.every((drained) => drained) ? 0 : 1);
  }

  onStopSignals(stop, (signal) => {
    log.warn({ signal }, 'stopped at once');
    for (const worker of allWorkers()) worker.process.kill('SIGKILL');
    process.exit(1);
  });
  process.on('SIGUSR2', () => void replaceAll());

  const [first, ...others] = places;
  if (!first) return;
  const worker = start(first);
  if (!(await isReady(worker))) {
    // the worker has logged why
    if (!stopping) process.exit(1);
    return;
  }
  first.worker = worker;
  await startMetricsIfFree(config, log, () => collectMetrics((one) => String(numbers.get(one))));
  for (const place of others) place.worker = start(place);
  replacing = false;
}

function allWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

const numbers = new WeakMap<Worker, number>();

/** No pause after the first end, which was an accident. */
function pauseOf(quickEnds: number): number {
  return quickEnds <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (quickEnds - 1), LONGEST_PAUSE_MS);
}

/** Waits until a worker serves. @returns false where it ends before */
async function isReady(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === READY) resolve(true);
    });
    worker.once('exit', () => resolve(false));
  });
}

/** Lets a worker finish what it does. @returns false where something was cut off */
async function end(worker: Worker, timeoutSeconds: number): Promise<boolean> {
  if (worker.isDead()) return true;
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const hung = new AbortController();
  void sleep(timeoutSeconds * 1_000 + STOP_GRACE_MS, undefined, { signal: hung.signal }).then(
    () => worker.process.kill('SIGKILL'),
    () => undefined,
  );
  const [code, signal] = await exited;
  hung.abort();
  // a worker that was about to start has no handler yet
  return code === 0 || signal === 'SIGTERM';
}

/**
 * Starts a worker. `node:cluster` gives each new connection to a worker that is free, and forgets one that was on its way to a worker
 * that died: the primary keeps it open, and its client waits in vain. So the last connection is remembered here, and closed then.
 */
function forkWorker(number: number): Worker {
  const worker = cluster.fork({ WORKER_NUMBER: String(number) });
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let last: SendHandle | undefined;
  child.send = (...args: unknown[]) => {
    if (args[1]) last = args[1] as SendHandle;
    return send(...args);
  };
  worker.once('exit', (code) => {
    // a worker that drained returned the connections that it did not accept
    if (code !== 0 && last !== undefined && 'close' in last) last.close();
  });
  // a message to a worker that has just died fails; the end of the worker is handled elsewhere
  worker.on('error', () => {});
  return worker;
}
