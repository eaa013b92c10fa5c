import { randomBytes } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed, SEED_LENGTH } from '@fan-api/solana-wire/ed25519';
import { type DerivedKeys, seal } from '../keys/seal.ts';

/** A new Solana key: its address, and its 32-byte seed sealed for the database. */
export async function newSealedKey(
  secrets: Pick<DerivedKeys, 'seal'>,
): Promise<{ address: string; sealedKey: string }> {
  const seed = randomBytes(SEED_LENGTH);
  const address = addressOf(publicKeyOfSeed(seed));
  const sealedKey = await seal(secrets, address, seed);
  seed.fill(0);
  return { address, sealedKey };
}
