import type { KeyObject } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { privateKeyOf, publicKeyOfKey, signWithKey } from '@fan-api/solana-wire/ed25519';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { timeSigning } from '../../keys/time-signing.ts';
import type { Custody } from '../../keys/vault.ts';
import { prepared } from '../../platform/database/prepared.ts';

/** Signs with the Solana keys of this service: fans' custodial wallets, authorities and payers. Callers never see a key. */
export interface Signer {
  /**
   * Signs with the key of an address.
   * @throws DomainError `unavailable` where the key's vault can't be reached; Error where the key is not ours, a bug of the caller
   */
  sign(address: string, message: Uint8Array): Promise<Uint8Array>;
}

/** The part of a context that signs with our keys. */
export interface WithSigner {
  signer: Signer;
}

/** How long an opened key is kept after its last use. */
const KEPT_MS = 60_000;
const MOST_KEPT = 5_000;

const readSealedKey = prepared<{ sealed_key: string; sealed_with: string }>(
  `select sealed_key, sealed_with from wallet where address = $1
   union all select sealed_key, sealed_with from chain_key where address = $1`,
);

/** A signer in this process, with the sealed keys in the database. */
export function createSigner({ pool, custody }: { pool: Pool; custody: Custody }): Signer {
  // purged by timers: an entry that is only stale would stay in memory until it is read
  const keys = new LRUCache<string, Promise<KeyObject>>({
    max: MOST_KEPT,
    ttl: KEPT_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
  });

  async function open(address: string): Promise<KeyObject> {
    const [row] = await readSealedKey(pool, [address]);
    if (!row) throw new Error(`no key of ours has the address ${address}`);
    const seed = await custody.open(address, { sealed: row.sealed_key, sealedWith: row.sealed_with });
    try {
      const key = privateKeyOf(seed);
      if (addressOf(publicKeyOfKey(key)) !== address) throw new Error(`the sealed key of ${address} does not match`);
      return key;
    } finally {
      seed.fill(0);
    }
  }

  function keyOf(address: string): Promise<KeyObject> {
    let key = keys.get(address);
    if (key === undefined) {
      key = open(address);
      keys.set(address, key);
      key.catch(() => keys.delete(address));
    }
    return key;
  }

  return {
    sign: (address, message) => timeSigning('solana', async () => signWithKey(await keyOf(address), message)),
  };
}
