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
  beforeEach(() => wire.mend());
  afterAll(async () => {
    await another.stop();
    await app.stop();
    await wire.close();
    await database.drop();
  });
  return { wire, app, another };
}
