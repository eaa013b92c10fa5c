import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { readUnsealed, type Unsealed } from '../../src/audit/read-unsealed.ts';
import type { Runtime } from '../../src/runtime.ts';

/** A scrape has ten seconds; without its database the process still tells the rest. */
const PATIENCE_MS = 2_000;

/** What is read when somebody asks for the metrics: version, pool, and the audit entries that wait to be sealed. */
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
  provideUnsealed(pool);
}

/** Both are absent while the database gives no answer. */
function provideUnsealed(pool: Pool): void {
  // one scrape collects them in this order
  let reading: Promise<Unsealed | undefined> | undefined;
  new Gauge({
    name: 'audit_unsealed_entries',
    help: 'Audit entries that wait to be sealed, counted up to 10,000',
    async collect() {
      reading = withoutWaiting(readUnsealed(pool));
      setOrRemove(this, (await reading)?.entries);
    },
  });
  new Gauge({
    name: 'audit_oldest_unsealed_seconds',
    help: 'How long the oldest audit entry waits to be sealed; 0 where none does',
    async collect() {
      setOrRemove(this, (await reading)?.oldestSeconds);
    },
  });
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
