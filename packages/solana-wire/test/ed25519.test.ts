import { createHash, randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { publicKeyOfSeed, signEd25519, signEd25519Sync, verifyEd25519, verifyEd25519Sync } from '../src/ed25519.ts';

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @see RFC 8032 §7.1, TEST 2 */
const SEED = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
const PUBLIC_KEY = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
const MESSAGE = Buffer.from('72', 'hex');
const SIGNATURE = Buffer.from(
  '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  'hex',
);

test('RFC 8032 §7.1: signs and verifies the test vector, on the thread and off it', async () => {
  expect(Buffer.from(publicKeyOfSeed(SEED))).toEqual(PUBLIC_KEY);
  expect(Buffer.from(await signEd25519(SEED, MESSAGE))).toEqual(SIGNATURE);
  expect(Buffer.from(signEd25519Sync(SEED, MESSAGE))).toEqual(SIGNATURE);
  expect(await verifyEd25519(PUBLIC_KEY, MESSAGE, SIGNATURE)).toBe(true);
  expect(verifyEd25519Sync(PUBLIC_KEY, MESSAGE, SIGNATURE)).toBe(true);
});

test('Ed25519: the public key of a seed is the wallet that web3.js makes of it', () => {
  const pair = Keypair.generate();
  expect(Buffer.from(publicKeyOfSeed(pair.secretKey.subarray(0, 32)))).toEqual(Buffer.from(pair.publicKey.toBytes()));
});

test('Ed25519: refuses a signature of which any part is changed, of another message and of another key', async () => {
  for (const at of [0, 31, 32, 63]) {
    const changed = Buffer.from(SIGNATURE);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(await verifyEd25519(PUBLIC_KEY, MESSAGE, changed)).toBe(false);
    expect(verifyEd25519Sync(PUBLIC_KEY, MESSAGE, changed)).toBe(false);
  }
  expect(await verifyEd25519(PUBLIC_KEY, Buffer.from('73', 'hex'), SIGNATURE)).toBe(false);
  expect(await verifyEd25519(publicKeyOfSeed(randomBytes(32)), MESSAGE, SIGNATURE)).toBe(false);
});

test('RFC 8032 §5.1.7: refuses the same signature with S plus the order of the group', async () => {
  const s = BigInt(`0x${Buffer.from(SIGNATURE.subarray(32)).reverse().toString('hex')}`) + ORDER;
  const malleated = Buffer.concat([SIGNATURE.subarray(0, 32), littleEndian(s)]);
  expect(await verifyEd25519(PUBLIC_KEY, MESSAGE, malleated)).toBe(false);
});

test.each([31, 33])('Ed25519: a seed or public key of %d bytes is a mistake of the caller', async (length) => {
  const key = new Uint8Array(length).fill(9);
  expect(() => signEd25519Sync(key, MESSAGE)).toThrow(RangeError);
  expect(() => signEd25519(key, MESSAGE)).toThrow(RangeError);
  expect(() => verifyEd25519(key, MESSAGE, SIGNATURE)).toThrow(RangeError);
});

test.each([63, 65])('Ed25519: a signature of %d bytes is a mistake of the caller', (length) => {
  for (const verify of [verifyEd25519, verifyEd25519Sync]) {
    expect(() => verify(PUBLIC_KEY, MESSAGE, new Uint8Array(length))).toThrow(RangeError);
  }
});

const SMALL_ORDER_KEYS = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

test.each(SMALL_ORDER_KEYS)(
  'Ed25519: the small-order key %s, for which anybody can sign, has no valid signature',
  async (key) => {
    // With S = 1 and R = B the equation S·B = R + h·A holds for each message whose h·A is the neutral element: one in eight or more.
    const basePoint = Buffer.from(`58${'66'.repeat(31)}`, 'hex');
    const forgery = Buffer.concat([basePoint, littleEndian(1n)]);
    for (let index = 0; index < 200; index++) {
      expect(verifyEd25519Sync(Buffer.from(key, 'hex'), Buffer.from([index]), forgery)).toBe(false);
    }
    expect(await verifyEd25519(Buffer.from(key, 'hex'), MESSAGE, forgery)).toBe(false);
  },
);

test('Ed25519: refuses a signature whose R is of small order, as the cluster does', async () => {
  const neutral = littleEndian(1n);
  const hashed = createHash('sha512').update(SEED).digest().subarray(0, 32);
  hashed.writeUInt8(hashed.readUInt8(0) & 248, 0);
  hashed.writeUInt8((hashed.readUInt8(31) & 127) | 64, 31);
  const h = createHash('sha512').update(neutral).update(PUBLIC_KEY).update(MESSAGE).digest();
  const signature = Buffer.concat([neutral, littleEndian((fromLittleEndian(h) * fromLittleEndian(hashed)) % ORDER)]);
  expect(await verifyEd25519(PUBLIC_KEY, MESSAGE, signature)).toBe(false);
});

function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}
