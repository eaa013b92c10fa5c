import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'ui',
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/ui/**/*.test.ts'],
    globalSetup: ['test/support/browser.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One browser and one server at a time: a machine with two cores has no more to give.
    fileParallelism: false,
  },
});
