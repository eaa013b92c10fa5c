import { createHash, randomBytes } from 'node:crypto';
import { publicKeyOfSeed } from '@fan-api/solana-wire/ed25519';

/** The order of Ed25519's group. @see RFC 8032 §5.1 */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

const sha512 = (...parts: Uint8Array[]) => createHash('sha512').update(Buffer.concat(parts)).digest();
const numberIn = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

/** The secret scalar of a seed. @see RFC 8032 §5.1.5 */
function scalarOf(seed: Uint8Array): bigint {
  const bytes = sha512(seed).subarray(0, 32);
  bytes.writeUInt8(bytes.readUInt8(0) & 0xf8, 0);
  bytes.writeUInt8((bytes.readUInt8(31) & 0x7f) | 0x40, 31);
  return numberIn(bytes);
}

/**
 * A valid Ed25519 signature that is not the one which RFC 8032 makes of key and message: its nonce is random. Only who has the key
 * can make one.
 */
export function signOtherwise(seed: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = randomBytes(32);
  const point = publicKeyOfSeed(nonce);
  const challenge = numberIn(sha512(point, publicKeyOfSeed(seed), message));
  const answer = (scalarOf(nonce) + challenge * scalarOf(seed)) % ORDER;
  const bytes = Buffer.from(answer.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([point, bytes]);
}
