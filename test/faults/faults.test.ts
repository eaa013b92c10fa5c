import { it } from 'vitest';
import { CHAIN_FAULTS } from './rows/chain.ts';
import { DATABASE_FAULTS, FAILOVER_FAULTS, POOLER_FAULTS, WIRE_FAULTS } from './rows/database.ts';
import { DISK_FAULTS } from './rows/disk.ts';
import { PROCESS_FAULTS } from './rows/process.ts';
import { PROVIDER_FAULTS } from './rows/providers.ts';
import { STOP_FAULTS } from './rows/stop.ts';
import { runFault } from './run-fault.ts';
import { keepResult } from './table.ts';

/** Issue 13, "Done when": the table of faults. The kills come last. */
const FAULTS = [
  ...DATABASE_FAULTS,
  ...WIRE_FAULTS,
  ...DISK_FAULTS,
  ...FAILOVER_FAULTS,
  ...POOLER_FAULTS,
  ...CHAIN_FAULTS,
  ...PROVIDER_FAULTS,
  ...STOP_FAULTS,
  ...PROCESS_FAULTS,
];

for (const fault of FAULTS) {
  it.concurrent(fault.name, async (test) => {
    const skipped = await fault.skip?.();
    if (skipped !== undefined) {
      keepResult({ name: fault.name, skipped });
      test.skip(skipped);
    }
    const outcome = await runFault(fault).catch((error: Error) => {
      keepResult({ name: fault.name, broken: error.message });
      throw error;
    });
    keepResult(outcome);
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    if (outcome.problems.length > 0) throw new Error(outcome.problems.join('\n'));
  });
}
