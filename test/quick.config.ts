/** `npm run test:quick`: the domain, the schema and what partners call, without browser and cluster. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { GLOBAL_SETUP, SHARED } from '../vitest.config.ts';

const FOLDERS = [
  'test/src',
  'test/schema',
  'test/cosign-policy',
  'test/adapters/partner-api/fan',
  'test/adapters/partner-api/oauth',
];
const SLOW_HELPERS = /\/(test-browser|hosted-network|test-network|main-process)\.ts$/;
const IMPORT = /from '(\.[^']+\.ts)'/g;

const known = new Map<string, boolean>();

/** Whether a file of the tests works with a browser, a cluster or a process, itself or by what it imports of the tests. */
function isSlow(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false);
  const imported = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '']) => join(file, '..', path));
  const slow = imported.some((path) => {
    if (SLOW_HELPERS.test(path)) return true;
    return /(^|\/)test\//.test(path) && existsSync(path) && isSlow(path);
  });
  known.set(file, slow);
  return slow;
}

const all = globSync(FOLDERS.map((folder) => `${folder}/**/*.test.ts`));

export default defineConfig({
  ssr: SHARED.ssr,
  test: { ...SHARED.test, name: 'quick', include: all.filter((file) => !isSlow(file)), globalSetup: GLOBAL_SETUP },
});
