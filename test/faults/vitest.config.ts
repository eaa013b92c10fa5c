import { defineConfig } from 'vitest/config';

/** The table of faults, outside the ordinary suite: `npm run test:faults`. `-t killed` runs the rows with that word. */
export default defineConfig({
  // as Node resolves: one build of graphql
  ssr: { resolve: { conditions: ['module-sync', 'node'] } },
  test: {
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
    // rows that run at the same time disturb each other's figures, not each other's judgement
    maxConcurrency: Number(process.env.FAULTS_AT_ONCE ?? 3),
  },
});
