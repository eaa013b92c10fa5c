import { afterAll, beforeEach } from 'vitest';
import { createDatabase } from './database.ts';
import { startBeside } from './start-beside.ts';
import { openStatementWire } from './statement-wire.ts';

/**
 * Two processes over one database, for the tests of a file: `app` loses its `wire` to the database, `another` has one of its own.
 * Registers the hooks that mend the wire before each test and stop everything at the end.
 */
export async function startCutProcess() {
  const database = await createDatabase();
  const wire = await openStatementWire(database.url);
  const app = await startBeside(wire.url);
  const another = await startBeside(database.url);
  const { lookForWorkMs } = app.runtime.config;
  const mend = async () => {
    app.runtime.config.lookForWorkMs = lookForWorkMs;
    await wire.mend();
  };
  beforeEach(mend);
  afterAll(async () => {
    await another.stop();
    await app.stop();
    await wire.close();
    await database.drop();
  });
  /** `app` soon gives up to look for what became of a call. */
  const giveUpSoon = () => {
    app.runtime.config.lookForWorkMs = 200;
  };
  return {
    wire,
    app,
    another,
    mend,
    /** Cuts the wire at the answer to a statement, until `mend`. */
    cutOff(statement = 1): void {
      giveUpSoon();
      wire.cutAt(statement, 'answer', true);
    },
    /** Runs `work` while the database can not be reached. */
    async whileDown(work: () => Promise<void>): Promise<void> {
      giveUpSoon();
      await wire.close();
      try {
        await work();
      } finally {
        await mend();
      }
    },
  };
}
