/**
 * Ed25519 by node:crypto, from raw keys. The callback forms run on libuv's thread pool: the event loop stays free while
 * signatures are made and verified, and several of them use several cores (1.3 to 1.6 times the synchronous rate on two).
 * OpenSSL 3.5 is as strict as the cluster: it refuses points of small order, for which anyone could make signatures, and an S
 * beyond the order of the group.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export const SEED_LENGTH = 32;
export const PUBLIC_KEY_LENGTH = 32;
export const SIGNATURE_LENGTH = 64;

/** DER prefix of the raw bytes. @see RFC 8410 §4 and §7 */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PRIVATE_KEY_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

// Importing a key costs a third of a verification. Only the caller keeps private keys.
const publicKeys = new LRUCache<string, KeyObject>({ max: 5_000 });

/**
 * Signs `message` with the 32-byte seed of a wallet, off the event loop. The same input gives the same 64 bytes.
 *
 * @throws RangeError for a seed of another length
 * @see RFC 8032 §5.1.6
 */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  return signWithKey(privateKeyOf(seed), message);
}

/** {@link signEd25519} with a key of {@link privateKeyOf}, for callers who sign with it more than once. */
export function signWithKey(key: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign(null, message, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}

/** {@link signEd25519} on the calling thread: faster for a single signature when no other work waits. */
export function signEd25519Sync(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKeyOf(seed));
}

/**
 * Verifies, off the event loop, that `signature` (64 bytes) was made by `publicKey` (32 bytes) for `message`.
 *
 * @throws RangeError for a key or a signature of another length
 * @see RFC 8032 §5.1.7
 */
export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  checkLength('signature', signature, SIGNATURE_LENGTH);
  const key = publicKeyOf(publicKey);
  return new Promise((resolve, reject) => {
    verify(null, message, key, signature, (error, valid) => (error ? reject(error) : resolve(valid)));
  });
}

/** {@link verifyEd25519} on the calling thread. */
export function verifyEd25519Sync(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  checkLength('signature', signature, SIGNATURE_LENGTH);
  return verify(null, message, publicKeyOf(publicKey), signature);
}

/**
 * The 32-byte public key of a 32-byte seed.
 *
 * @throws RangeError for a seed of another length
 */
export function publicKeyOfSeed(seed: Uint8Array): Uint8Array {
  return publicKeyOfKey(privateKeyOf(seed));
}

/** The 32-byte public key of a private key. */
export function publicKeyOfKey(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return der.subarray(PUBLIC_KEY_PREFIX.length);
}

/**
 * The private key of a seed. OpenSSL holds it outside the JavaScript heap, zeroes it when it is freed, and nothing prints it.
 *
 * @throws RangeError for a seed of another length
 */
export function privateKeyOf(seed: Uint8Array): KeyObject {
  checkLength('seed', seed, SEED_LENGTH);
  const der = Buffer.concat([PRIVATE_KEY_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

function publicKeyOf(raw: Uint8Array): KeyObject {
  checkLength('public key', raw, PUBLIC_KEY_LENGTH);
  const id = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const known = publicKeys.get(id);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_KEY_PREFIX, raw]), format: 'der', type: 'spki' });
  publicKeys.set(id, key);
  return key;
}

function checkLength(what: string, bytes: Uint8Array, length: number): void {
  if (bytes.length !== length) throw new RangeError(`an Ed25519 ${what} has ${length} bytes, not ${bytes.length}`);
}
