/** `npm run release:keep`: keeps the database of this release for the upgrade tests of all later ones. */
import { defineConfig } from 'vitest/config';
import { GLOBAL_SETUP, SHARED } from '../../vitest.config.ts';

export default defineConfig({
  ssr: SHARED.ssr,
  test: { ...SHARED.test, name: 'release', include: ['test/release/keep-release.ts'], globalSetup: GLOBAL_SETUP },
});
