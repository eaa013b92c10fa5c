import { defineConfig } from 'vitest/config';

/** Long runs, outside the ordinary suite: `npm run test:slow`. */
export default defineConfig({
  test: { include: ['test/slow/**/*.test.ts'], testTimeout: 1_800_000, hookTimeout: 120_000, maxWorkers: 1 },
});
