/**
 * The genesis hash of a local network proves that it is one: its second half is the hash of its first. So a process can
 * tell a local network, on which public keys may be used, from every other cluster.
 */
import { createHash, randomBytes } from 'node:crypto';
import bs58 from 'bs58';

const HALF = 16;

/** A new genesis hash in base58. */
export function newGenesisHash(): string {
  const random = randomBytes(HALF);
  return bs58.encode(Buffer.concat([random, markOf(random)]));
}

/** Whether a genesis hash is that of a local network. A cluster has such a hash by chance once in 2^128. */
export function isLocalGenesisHash(genesisHash: string): boolean {
  const bytes = bs58.decodeUnsafe(genesisHash);
  return bytes?.length === 2 * HALF && markOf(bytes.subarray(0, HALF)).equals(bytes.subarray(HALF));
}

function markOf(random: Uint8Array): Buffer {
  return createHash('sha256').update('Fan API local network').update(random).digest().subarray(0, HALF);
}
