import { Stryker } from '@stryker-mutator/core';
import type { Verdict } from './main.ts';
import type { Room } from './rooms.ts';

const TIMEOUT_MS = 30_000;

/**
 * Puts Stryker's faults into a room of the copy, which is the working folder. What runs once when a module is loaded (prepared
 * statements, tables) is left as it is.
 * @param only one file of the room
 */
export async function mutateRoom({ code, tests, isPure = false }: Room, only?: string): Promise<Verdict[]> {
  process.env.MUTANT_TESTS = tests.join();
  process.env.MUTANT_TESTS_PURE = isPure ? 'yes' : '';
  const results = await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    mutate: [only ?? `${code}/**/*.ts`],
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    inPlace: true,
    // a test compiles the room as a partner would
    disableTypeChecks: `${code}/**/*.ts`,
    concurrency: 1,
    timeoutMS: TIMEOUT_MS,
    reporters: ['progress-append-only'],
  }).runMutationTest();
  return results
    .filter(({ status }) => status !== 'Ignored')
    .map(({ status, fileName, location, mutatorName, replacement }) => ({
      fault: `${fileName}:${location.start.line}:${location.start.column}  ${mutatorName}: ${replacement}`,
      survives: status !== 'Killed' && status !== 'Timeout',
    }));
}
