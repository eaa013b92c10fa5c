import { describe, expect, it } from 'vitest';
import type { Fault } from '../../faults/fault.ts';
import { runFault } from '../../faults/run-fault.ts';
import { type Citus, NO_CITUS, startWithLogMoved } from '../../support/citus.ts';
import type { Postgres } from '../../support/postgres.ts';

/** The traffic of `npm run test:faults` (sign-ins, refreshes, listings, claims) over Citus, and its judges of what is lost. */
let citus: Citus;
let worker: Postgres;

const stand: Fault['stand'] = {
  async server() {
    citus = await startWithLogMoved();
    ({ worker } = await citus.placeOfLog());
    return { postgres: citus.coordinator, close: citus.close };
  },
};

const MOVED_WITHIN_MS = 60_000;

/** Adds a node, and lets Citus move the log to it, as an operator does who replaces a worker. */
async function moveToNewNode(): Promise<void> {
  const added = await citus.addWorker();
  for (const { port } of citus.workers) {
    await citus.coordinator.run(
      `select citus_set_node_property('127.0.0.1', ${port}, 'shouldhaveshards', ${port === added.port})`,
    );
  }
  await citus.coordinator.run('select citus_rebalance_start()');
  const isMoved = async () => (await citus.placeOfLog()).worker.port === added.port;
  await expect.poll(isMoved, { timeout: MOVED_WITHIN_MS }).toBe(true);
}

const FAULTS: readonly Fault[] = [
  {
    name: 'Citus: the worker with the log killed, back after 8 s',
    hits: 'nothing',
    ready: 'yes',
    stand,
    holdMs: 8_000,
    inject: () => worker.kill(),
    heal: () => worker.start(),
  },
  {
    name: 'Citus: a node added, and the log moved to it',
    hits: 'nothing',
    ready: 'yes',
    stand,
    holdMs: 1_000,
    inject: moveToNewNode,
  },
];

describe.skipIf(NO_CITUS !== undefined)(`traffic over Citus (skipped: ${NO_CITUS ?? 'no'})`, () => {
  it.each(FAULTS)('$name: no call fails, and nothing is lost', async (fault) => {
    const { problems, ...seen } = await runFault(fault);
    console.log(JSON.stringify(seen));
    expect(problems).toEqual([]);
  });
});
