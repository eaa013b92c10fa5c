import { defineConfig } from 'vitest/config';

export default defineConfig({
  // as Node resolves: the development build of graphql beside its ordinary one would be two of them
  ssr: { resolve: { conditions: ['module', 'node'] } },
  test: {
    include: ['{test,packages/*/test}/**/*.test.ts'],
    // long runs of their own, by name: npm run test:slow, npm run test:faults
    exclude: ['test/slow/**', 'test/faults/**'],
    globalSetup: ['test/support/postgres.global.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // files wait for blocks, pages and processes more than they compute
    maxWorkers: 3,
    // kills, races and clocks on a machine that others use too: once more there, and the report names what needed it
    retry: process.env.CI ? 1 : 0,
  },
});
