import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { addressOf, decodeAddress, encodeBase58 } from '../src/base58.ts';

test('base58: encodes as an independent implementation does, at every length and with leading zeros', () => {
  for (let length = 0; length <= 70; length++) {
    for (let zeros = 0; zeros <= Math.min(length, 3); zeros++) {
      const bytes = randomBytes(length).fill(0, 0, zeros);
      expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
    }
  }
  expect(encodeBase58(new Uint8Array(64).fill(255))).toBe(bs58.encode(new Uint8Array(64).fill(255)));
});

test('base58: an address and its bytes convert to each other, the first time and again', () => {
  const key = randomBytes(32);
  for (let round = 0; round < 2; round++) {
    expect(addressOf(key)).toBe(bs58.encode(key));
    expect(decodeAddress(bs58.encode(key))).toEqual(new Uint8Array(key));
  }
});

test('base58: keys in one buffer each have their own address, cached or not', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];
  const both = Buffer.concat([first, second]);
  for (let round = 0; round < 2; round++) {
    expect(addressOf(both.subarray(0, 32))).toBe(bs58.encode(first));
    expect(addressOf(both.subarray(32))).toBe(bs58.encode(second));
    expect(decodeAddress(bs58.encode(second))).toEqual(new Uint8Array(second));
    expect(decodeAddress(bs58.encode(first))).toEqual(new Uint8Array(first));
  }
});

test.each([
  '',
  '1',
  '0OIl',
  bs58.encode(randomBytes(31).fill(7, 0, 1)),
  bs58.encode(randomBytes(33).fill(7, 0, 1)),
  '1'.repeat(10_000),
])('base58: refuses %.12s as an address, which is not 32 bytes', (text) => {
  expect(decodeAddress(text)).toBeUndefined();
});
