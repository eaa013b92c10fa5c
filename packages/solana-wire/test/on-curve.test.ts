import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { publicKeyOfSeed } from '../src/ed25519.ts';
import { isOnCurve } from '../src/on-curve.ts';

const numbered = (what: string, index: number) => createHash('sha256').update(`${what} ${index}`).digest();

test('what web3.js calls a point of the curve is one, and nothing else', () => {
  const texts = Array.from({ length: 1_000 }, (_, index) => numbered('text', index));
  const ours = texts.map(isOnCurve);
  expect(ours).toEqual(texts.map((bytes) => PublicKey.isOnCurve(bytes)));
  expect(ours.filter(Boolean).length).toBeGreaterThan(400);
  expect(ours.filter(Boolean).length).toBeLessThan(600);
});

test('every public key is a point of the curve', () => {
  const keys = Array.from({ length: 200 }, (_, index) => publicKeyOfSeed(numbered('seed', index)));
  expect(keys.every(isOnCurve)).toBe(true);
});

test('the neutral element and y = 0 are points, y = 2 is none', () => {
  const small = (y: number) => Uint8Array.from([y, ...Array<number>(31).fill(0)]);
  expect([0, 1, 2].map((y) => isOnCurve(small(y)))).toEqual([0, 1, 2].map((y) => PublicKey.isOnCurve(small(y))));
});
