import bs58 from 'bs58';
import { LRUCache } from 'lru-cache';

// The same wallets, programs and PDAs occur in many requests: both directions are cached, 10,000 entries each.
const encoded = new LRUCache<string, string>({ max: 10_000 });
const decoded = new LRUCache<string, Uint8Array>({ max: 10_000 });

/** Encodes bytes as base58 (Bitcoin alphabet), a leading zero byte as `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** The bytes of a text in base58; undefined for any other text. */
export function decodeBase58(text: string): Uint8Array | undefined {
  return bs58.decodeUnsafe(text);
}

/** The base58 address of a 32-byte key, cached. */
export function addressOf(key: Uint8Array): string {
  const id = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
  const known = encoded.get(id);
  if (known !== undefined) return known;
  const address = encodeBase58(key);
  encoded.set(id, address);
  return address;
}

/** The 32 bytes of a base58 address, cached: do not write to them. Undefined for any other text. */
export function decodeAddress(address: string): Uint8Array | undefined {
  const known = decoded.get(address);
  if (known !== undefined) return known;
  const bytes = address.length <= 44 ? bs58.decodeUnsafe(address) : undefined;
  if (bytes?.length !== 32) return undefined;
  decoded.set(address, bytes);
  return bytes;
}
