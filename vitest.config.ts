import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestUserConfig } from 'vitest/config';

// as Node resolves: the development build of graphql beside its ordinary one would be two of them
const ssr = { resolve: { conditions: ['module', 'node'] } };

const common: TestUserConfig = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // files wait for blocks, pages and processes more than they compute
  maxWorkers: 3,
};

/** What a test imports to start a Solana network, which runs in a thread. */
const NETWORK = /from '[^']*\/(chain-app|rpc-proxy|test-chain-app|test-cluster|test-network|ticket-transactions)\.ts'/;

/**
 * Tests of the domain, the schema and what partners call. They leave nothing behind in their process, so files may follow each
 * other in one, but for those with a network: V8 can end a process where a thread ends beside others (nodejs/node#64500), and all that
 * was to follow would be lost.
 */
const SHARED = globSync('test/{src,schema,adapters/fan,adapters/oauth}/**/*.test.ts').filter(
  (file) => !NETWORK.test(readFileSync(file, 'utf8')),
);

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
          exclude: ['test/slow/**', 'test/faults/**', ...SHARED],
        },
      },
      {
        ssr,
        test: {
          ...common,
          name: 'in-shared-process',
          include: SHARED,
          // imports, a third of such a file's CPU time, are evaluated once for each worker
          isolate: false,
        },
      },
    ],
  },
});
