import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Runtime } from '../../src/runtime.ts';

/** Other processes may wait for an answer (`database/doubts.ts`). */
const PAUSE_MS = 1_000;
const MEASURE_EVERY_MS = 10_000;
const END_LIMIT_MS = 2_000;
/** From here on a clock that is wrong is logged. */
const LARGE_MS = 1_000;
const LOG_EVERY_MS = 600_000;

const offset = new Gauge({
  name: 'clock_offset_seconds',
  help: 'How far the clock of this machine is ahead of the database’s, which the service goes by',
});

/** Keeps a process in step with the database and the other processes: its time, and what they ask it. */
export async function startPulse(runtime: Runtime): Promise<{ stop(): Promise<void> }> {
  const { clock, doubts, log } = runtime;
  const stopped = new AbortController();
  let measuredAt = performance.now();
  let loggedAt = Number.NEGATIVE_INFINITY;

  function report(): void {
    const aheadMs = clock.aheadMs();
    offset.set(aheadMs / 1_000);
    if (Math.abs(aheadMs) < LARGE_MS || performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ aheadSeconds: aheadMs / 1_000 }, 'the clock of this machine differs from the database’s, which is used');
  }

  async function beat(): Promise<void> {
    await doubts.answer(clock.now());
    if (performance.now() - measuredAt < MEASURE_EVERY_MS) return;
    await clock.measure();
    measuredAt = performance.now();
    report();
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // requests report a database that is down, and readiness does
      await beat().catch((err: unknown) => log.debug({ err }, 'no pulse'));
      await sleep(PAUSE_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  }

  report();
  await doubts.answer(clock.now());
  const running = run();
  return {
    async stop() {
      stopped.abort();
      const ended = running.then(() => doubts.end(clock.now())).catch((err: unknown) => log.debug({ err }, 'no pulse'));
      await Promise.race([ended, sleep(END_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
