/** `npm run pictures`: takes the pictures of the documentation from the running service. */
import { defineConfig } from 'vitest/config';
import { GLOBAL_SETUP, SHARED } from '../../vitest.config.ts';

export default defineConfig({
  ssr: SHARED.ssr,
  test: { ...SHARED.test, name: 'pictures', include: ['test/pictures/take-pictures.ts'], globalSetup: GLOBAL_SETUP },
});
