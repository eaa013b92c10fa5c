import { defineConfig, type TestUserConfig } from 'vitest/config';

// as Node resolves: the development build of graphql beside its ordinary one would be two of them
const ssr = { resolve: { conditions: ['module', 'node'] } };

const common: TestUserConfig = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // files wait for blocks, pages and processes more than they compute
  maxWorkers: 3,
  // kills, races and clocks on a machine that others use too: once more there, and the report names what needed it
  retry: process.env.CI ? 1 : 0,
};

/**
 * Tests of the domain, the schema and what partners call. They leave nothing behind in their process, so files may follow each
 * other in one.
 */
const SHARED = 'test/{src,schema,adapters/fan,adapters/oauth}/**/*.test.ts';

export default defineConfig({
  ssr,
  test: {
    ...common,
    // of the whole run
    globalSetup: ['test/support/postgres.global.ts'],
    // in the order of their names: the long files, which are among the first, begin first
    projects: [
      {
        ssr,
        test: {
          ...common,
          name: 'alone',
          include: ['{test,packages/*/test}/**/*.test.ts'],
          // long runs of their own, by name: npm run test:slow, npm run test:faults
          exclude: ['test/slow/**', 'test/faults/**', SHARED],
        },
      },
      {
        ssr,
        test: {
          ...common,
          name: 'in-shared-process',
          include: [SHARED],
          // imports, a third of such a file's CPU time, are evaluated once for each worker
          isolate: false,
        },
      },
    ],
  },
});
