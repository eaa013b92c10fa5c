import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type TestUserConfig, type UserProjectConfigExport } from 'vitest/config';

// as Node resolves: the development build of graphql beside its ordinary one would be two of them
const ssr = { resolve: { conditions: ['module', 'node'] } };

// of the workers and of the processes that tests start: each module is compiled once
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');

const common: TestUserConfig = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // beside load a page takes longer than the second that polls have by default
  expect: { poll: { timeout: 10_000 } },
  // files wait for blocks, pages and processes more than they compute
  maxWorkers: 4,
};

/**
 * A file that says why it needs a process of its own, or starts a network in a thread: V8 can end a process where a thread ends beside
 * others (nodejs/node#64500), and the files after it would be lost.
 */
const NEEDS_A_PROCESS = /^\/\*\* Alone: |\bstartLocalnet\(/m;
const ALONE = globSync('{test,packages/*/test}/**/*.test.ts').filter((file) =>
  NEEDS_A_PROCESS.test(readFileSync(file, 'utf8')),
);

/** Long runs of their own, by name: `npm run test:slow`, `npm run test:faults`. */
const LONG = ['test/slow/**', 'test/faults/**'];

/** Of the whole run. */
export const GLOBAL_SETUP = ['test/support/postgres.global.ts', 'packages/localnet/test/network-host.global.ts'];

/** Files that follow each other in a process, which imports the product once; Node imports it as it is. */
export const SHARED = {
  ssr,
  test: {
    ...common,
    name: 'shared',
    include: ['{test,packages/*/test}/**/*.test.ts'],
    exclude: [...LONG, ...ALONE],
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
} satisfies UserProjectConfigExport;

export default defineConfig({
  ssr,
  test: {
    ...common,
    globalSetup: GLOBAL_SETUP,
    projects: [SHARED, { ssr, test: { ...common, name: 'alone', include: ALONE, exclude: LONG } }],
  },
});
