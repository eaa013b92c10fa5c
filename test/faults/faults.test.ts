import { expect, it } from 'vitest';
import { DATABASE_FAULTS } from './rows/database.ts';
import { runFault } from './run-fault.ts';

const FAULTS = [...DATABASE_FAULTS];

for (const fault of FAULTS) {
  it(fault.name, async (test) => {
    const why = await fault.skip?.();
    if (why !== undefined) test.skip(why);
    const outcome = await runFault(fault);
    process.stdout.write(`${JSON.stringify(outcome, null, 1)}\n`);
    expect(outcome.problems).toEqual([]);
  });
}
