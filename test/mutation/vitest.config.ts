import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { GLOBAL_SETUP, SHARED } from '../../vitest.config.ts';

/** The tests of a room (`MUTANT_TESTS`: folders), one after another in one process; without those that take long, if so said. */
const folders = (process.env.MUTANT_TESTS ?? '').split(',');
const leavesOutLong = process.env.MUTANT_TESTS_PURE === 'yes';
const TAKES_LONG = /test-app|chain-app|database\.ts|-stage\.ts'|ticket-vm|fuzz/;

const include = globSync(folders.map((folder) => `${folder}/**/*.test.ts`)).filter(
  (file) => !leavesOutLong || !TAKES_LONG.test(file + readFileSync(file, 'utf8')),
);

export default defineConfig({
  ssr: SHARED.ssr,
  test: {
    ...SHARED.test,
    include,
    globalSetup: GLOBAL_SETUP,
    watch: false,
  },
});
