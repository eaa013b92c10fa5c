/** What the service and the local Solana network must agree on. */
import { createHash, randomBytes } from 'node:crypto';
import bs58 from 'bs58';

/** How many slots behind `processed` the other two commitments are. */
export interface CommitmentDelays {
  confirmed: number;
  finalized: number;
}

/** As on a cluster: confirmed within a second, finalized after some 13 seconds at 400 ms per slot. */
export const CLUSTER_DELAYS: CommitmentDelays = { confirmed: 2, finalized: 32 };

const HALF = 16;

/**
 * A new genesis hash in base58. Its second half is the hash of its first: this proves that a network is a local one, on which
 * the public keys may be used.
 */
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
