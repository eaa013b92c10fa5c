import { defineConfig } from 'vitest/config';
import { GLOBAL_SETUP, SHARED } from '../../vitest.config.ts';

/** The tests of a room (`MUTANT_TESTS`: folders), one after another in one process. */
const folders = (process.env.MUTANT_TESTS ?? '').split(',');

export default defineConfig({
  ssr: SHARED.ssr,
  test: {
    ...SHARED.test,
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: GLOBAL_SETUP,
    watch: false,
  },
});
