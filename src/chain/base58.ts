import bs58 from 'bs58';
import { LRUCache } from 'lru-cache';
import { ChainError } from './chain-error.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
// Five base58 digits at a time: 58^5 * 2^16 is still an exact integer in a double.
const DIGITS_PER_LIMB = 5;
const LIMB = 58 ** DIGITS_PER_LIMB;

// Wallets, programs and PDAs come back request after request; both directions are remembered, 10,000 each.
const encoded = new LRUCache<string, string>({ max: 10_000 });
const decoded = new LRUCache<string, Uint8Array>({ max: 10_000 });

/** Encodes bytes as base58 (Bitcoin alphabet), a leading zero byte as `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const digits = limbsOf(bytes).map(digitsOf).reverse().join('').replace(/^1+/, '');
  return '1'.repeat(zeros) + digits;
}

function limbsOf(bytes: Uint8Array): number[] {
  const limbs: number[] = [];
  const odd = bytes.length % 2;
  if (odd === 1) addToLimbs(limbs, bytes[0] ?? 0, 256);
  for (let at = odd; at < bytes.length; at += 2) {
    addToLimbs(limbs, ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0), 65_536);
  }
  return limbs;
}

/** limbs := limbs * radix + value, the lowest limb first. */
function addToLimbs(limbs: number[], value: number, radix: number): void {
  let carry = value;
  for (let index = 0; index < limbs.length; index++) {
    const sum = (limbs[index] ?? 0) * radix + carry;
    carry = Math.floor(sum / LIMB);
    limbs[index] = sum - carry * LIMB;
  }
  if (carry > 0) limbs.push(carry);
}

function digitsOf(limb: number): string {
  let text = '';
  let rest = limb;
  for (let digit = 0; digit < DIGITS_PER_LIMB; digit++) {
    text = ALPHABET.charAt(rest % 58) + text;
    rest = Math.floor(rest / 58);
  }
  return text;
}

/** The base58 address of a 32-byte key, remembered. */
export function addressOf(key: Uint8Array): string {
  const id = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const known = encoded.get(id);
  if (known !== undefined) return known;
  const address = encodeBase58(key);
  encoded.set(id, address);
  return address;
}

/**
 * The 32 bytes of a base58 address, remembered: do not write to them.
 *
 * @throws ChainError `bad_address` for anything else than 32 bytes in base58
 */
export function addressBytes(address: string): Uint8Array {
  const known = decoded.get(address);
  if (known !== undefined) return known;
  const bytes = address.length <= 44 ? bs58.decodeUnsafe(address) : undefined;
  if (bytes?.length !== 32) throw new ChainError('bad_address', { detail: address.slice(0, 44) });
  decoded.set(address, bytes);
  return bytes;
}
