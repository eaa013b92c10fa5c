import { Gauge } from 'prom-client';
import type { Runtime } from '../../src/runtime.ts';

const MEASURE_EVERY_MS = 10_000;
/** A clock that is wrong by this much is logged. */
const LARGE_MS = 1_000;
const LOG_EVERY_MS = 600_000;

const offset = new Gauge({
  name: 'clock_offset_seconds',
  help: 'How far the clock of this machine is ahead of the database’s, which the service goes by',
});

/** Measures the database's time repeatedly, and reports how far this machine's clock is from it. */
export function keepClock({ clock, log }: Pick<Runtime, 'clock' | 'log'>): { stop(): void } {
  let loggedAt = Number.NEGATIVE_INFINITY;

  function report(): void {
    const aheadMs = clock.aheadMs();
    offset.set(aheadMs / 1_000);
    if (Math.abs(aheadMs) < LARGE_MS || performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ aheadSeconds: aheadMs / 1_000 }, 'the clock of this machine differs from the database’s, which is used');
  }

  async function measure(): Promise<void> {
    await clock.measure();
    report();
  }

  report();
  // requests and readiness report a database that is down
  const unmeasured = (err: unknown) => log.debug({ err }, 'the database’s time could not be measured');
  const timer = setInterval(() => void measure().catch(unmeasured), MEASURE_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
