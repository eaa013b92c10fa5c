/**
 * The internal form of a 32-byte key (address, blockhash, program id): 32 characters of latin1. As a Map key it costs a
 * fraction of base58, which is only made for clients.
 */
import { addressOf, decodeAddress } from '@fan-api/solana-wire/base58';

/** 32 bytes, one per character. */
export type Key = string & { readonly __brand: 'Key' };

/** The key held in `bytes` from `offset`; the caller has checked that 32 bytes are there. */
export function keyAt(bytes: Uint8Array, offset = 0): Key {
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, 32).toString('latin1') as Key;
}

/** The raw bytes of a key. */
export function bytesOf(key: Key): Buffer {
  return Buffer.from(key, 'latin1');
}

/** A key in base58. */
export function base58Of(key: Key): string {
  return addressOf(bytesOf(key));
}

/** Reads a base58 address. Undefined for anything that is not exactly 32 bytes. */
export function keyFromBase58(text: string): Key | undefined {
  const bytes = decodeAddress(text);
  return bytes && keyAt(bytes);
}

/** The System program's address. */
export const SYSTEM_PROGRAM: Key = keyAt(new Uint8Array(32));
