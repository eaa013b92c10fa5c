import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import manifest from '../../../package.json' with { type: 'json' };
import { readBacklog } from '../../../src/partners/notification/read-backlog.ts';
import { readUnsealed } from '../../../src/record/audit/chain-head.ts';
import type { Runtime } from '../../../src/runtime.ts';

/** A scrape has ten seconds; without its database the process still reports the rest. */
const PATIENCE_MS = 2_000;

/** Gauges that are read at each scrape: version, pool, audit entries that wait to be sealed, notifications that wait. */
export function provideGauges({ config, pool }: Pick<Runtime, 'config' | 'pool'>): void {
  new Gauge({
    name: 'fan_api_build_info',
    help: 'Always 1; version of the service and of Node',
    labelNames: ['version', 'node'],
  }).set({ version: manifest.version, node: process.version }, 1);
  new Gauge({ name: 'database_pool_limit', help: 'Connections to PostgreSQL that this process may hold' }).set(
    config.databasePool,
  );
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to PostgreSQL that this process holds, by state (busy, idle)',
    labelNames: ['state'],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Statements that wait for a connection',
    collect() {
      this.set(pool.waitingCount);
    },
  });
  provideReading(
    () => readUnsealed(pool),
    [
      {
        name: 'audit_unsealed_entries',
        help: 'Audit entries that wait to be sealed, counted up to 10,000',
        value: ({ entries }) => entries,
      },
      {
        name: 'audit_oldest_unsealed_seconds',
        help: 'How long the oldest audit entry waits to be sealed; 0 where none does',
        value: ({ oldestSeconds }) => oldestSeconds,
      },
      {
        name: 'audit_sealed_entries',
        help: 'Audit entries that are sealed; it never falls, unless somebody deletes them',
        value: ({ sealed }) => sealed,
      },
    ],
  );
  provideReading(
    () => readBacklog(pool),
    [
      {
        name: 'notifications_waiting',
        help: 'Notifications of partners that wait, for whatever reason, counted up to 10,000',
        value: ({ waiting }) => waiting,
      },
      {
        name: 'notifications_oldest_waiting_seconds',
        help: 'How long the oldest notification waits; 0 where none does',
        value: ({ oldestWaitingSeconds }) => oldestWaitingSeconds,
      },
      {
        name: 'notifications_oldest_due_seconds',
        help: 'How long an attempt is late at an endpoint that neither fails, rests, polls nor is paused; 0 where none is',
        value: ({ oldestDueSeconds }) => oldestDueSeconds,
      },
    ],
  );
}

/** Gauges of one reading of the database; all are absent while it gives no answer. */
function provideReading<Reading>(
  read: () => Promise<Reading>,
  gauges: readonly { name: string; help: string; value: (reading: Reading) => number }[],
): void {
  // one scrape collects them in this order
  let reading: Promise<Reading | undefined> | undefined;
  for (const [index, { name, help, value }] of gauges.entries()) {
    new Gauge({
      name,
      help,
      async collect() {
        if (index === 0) reading = withoutWaiting(read());
        const done = await reading;
        setOrRemove(this, done && value(done));
      },
    });
  }
}

function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** Undefined for a reading that fails or takes too long. */
async function withoutWaiting<T>(reading: Promise<T>): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([reading, sleep(PATIENCE_MS, undefined, { signal: over.signal })]);
  } catch {
    return undefined;
  } finally {
    over.abort();
  }
}
