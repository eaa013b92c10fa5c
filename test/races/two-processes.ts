import { afterAll } from 'vitest';
import { createDatabase } from '../support/database.ts';
import type { TestApp } from '../support/start-app.ts';
import { type BesideOptions, startBeside } from '../support/start-beside.ts';

/** Two processes of one service over one database; each test app is addressed at its own port. */
export interface TwoProcesses {
  one: TestApp;
  two: TestApp;
  stop(): Promise<void>;
}

/** Starts both at the same moment, on an empty database. */
export async function startTwoProcesses(options?: BesideOptions): Promise<TwoProcesses> {
  const database = await createDatabase();
  const [one, two] = await Promise.all([startBeside(database.url, options), startBeside(database.url, options)]);
  return {
    one,
    two,
    async stop() {
      await Promise.all([one.stop(), two.stop()]);
      await database.drop();
    },
  };
}

/** As `startTwoProcesses`, for all tests of a file. */
export async function testTwoProcesses(options?: BesideOptions): Promise<TwoProcesses> {
  const both = await startTwoProcesses(options);
  afterAll(() => both.stop());
  return both;
}

/** Runs `work` `count` times at once, by turns in the two processes. */
export function atOnce<T>({ one, two }: TwoProcesses, count: number, work: (app: TestApp) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? one : two)));
}
