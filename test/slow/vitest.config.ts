import { defineConfig } from 'vitest/config';

/** Long runs, outside the ordinary suite: `npm run test:slow`. */
export default defineConfig({
  // as Node resolves: one build of graphql, and the AWS SDK's for Node
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
  test: {
    include: ['test/slow/**/*.test.ts'],
    globalSetup: ['test/support/postgres.global.ts', 'packages/localnet/test/network-host.global.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
