import { expect, test } from 'vitest';
import { bundleSdk, gzippedSize } from './bundle-sdk.ts';

/** Bytes, gzipped: everything that a page can use, though bundlers leave out what a page does not use. */
const LIMIT = 15_000;

test('D-292: the browser part of the SDK stays under 15 kB, minified and gzipped', async () => {
  const code = await bundleSdk();
  expect(code).toContain('code_challenge_method');
  expect(gzippedSize(code)).toBeLessThan(LIMIT);
  // no Solana library, and nothing of Node
  expect(code).not.toMatch(/node:|solana/i);
});
