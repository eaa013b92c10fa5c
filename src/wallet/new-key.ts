import { randomBytes } from 'node:crypto';
import { type DerivedKeys, seal } from '../keys/seal.ts';
import { addressOf } from '../solana/base58.ts';
import { publicKeyOfSeed, SEED_LENGTH } from '../solana/ed25519.ts';

/** Generates a Solana key: its address, and its 32-byte seed, sealed. */
export async function newSealedKey(
  secrets: Pick<DerivedKeys, 'seal'>,
): Promise<{ address: string; sealedKey: string }> {
  const seed = randomBytes(SEED_LENGTH);
  const address = addressOf(publicKeyOfSeed(seed));
  const sealedKey = await seal(secrets, address, seed);
  seed.fill(0);
  return { address, sealedKey };
}
