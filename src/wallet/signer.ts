import { signEd25519 } from '@fan-api/solana-wire/ed25519';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { prepared } from '../database/prepared.ts';
import { type DerivedKeys, unseal } from '../keys/seal.ts';

/**
 * Signs with the Solana keys of this service: fans' custodial wallets, authorities and payers. Callers never see a key, so a KMS can
 * replace the keys sealed in the database.
 */
export interface Signer {
  /** Signs with the key of an address. @throws Error where the key is not ours, a bug of the caller */
  sign(address: string, message: Uint8Array): Promise<Uint8Array>;
}

/** The part of a context that signs with our keys. */
export interface WithSigner {
  signer: Signer;
}

/** How long an unsealed seed is cached after its last use. */
const SEED_KEPT_MS = 60_000;

const readSealedKey = prepared<{ sealed_key: string }>(
  'select sealed_key from wallet where address = $1 union all select sealed_key from chain_key where address = $1',
);

/** A signer with the sealed keys in the database. */
export function createLocalSigner({ pool, secrets }: { pool: Pool; secrets: DerivedKeys }): Signer {
  const seeds = new LRUCache<string, Promise<Uint8Array>>({ max: 5_000, ttl: SEED_KEPT_MS, updateAgeOnGet: true });

  async function open(address: string): Promise<Uint8Array> {
    const [row] = await readSealedKey(pool, [address]);
    if (!row) throw new Error(`no key of ours has the address ${address}`);
    return unseal(secrets, address, row.sealed_key);
  }

  function seedOf(address: string): Promise<Uint8Array> {
    let seed = seeds.get(address);
    if (seed === undefined) {
      seed = open(address);
      seeds.set(address, seed);
      seed.catch(() => seeds.delete(address));
    }
    return seed;
  }

  return {
    sign: async (address, message) => signEd25519(await seedOf(address), message),
  };
}
