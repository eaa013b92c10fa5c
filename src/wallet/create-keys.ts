import { randomBytes } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed, SEED_LENGTH } from '@fan-api/solana-wire/ed25519';
import type { Context } from '../context.ts';
import { CHAIN_KEY_ROLES, ChainKey, type ChainKeyRole } from '../entities/chain.ts';
import type { Fan } from '../entities/fan.ts';
import type { Mode } from '../entities/mode.ts';
import { Wallet } from '../entities/wallet.ts';
import { type DerivedKeys, seal, type WithSecrets } from '../keys/seal.ts';

type KeyContext = Pick<Context, 'em' | 'now'> & WithSecrets;

/** Creates a fan's custodial wallet. Written with the caller's unit of work. */
export async function createWallet({ em, now, secrets }: KeyContext, fan: Fan): Promise<Wallet> {
  return em.create(Wallet, { ...(await newSealedKey(secrets)), fan, createdAt: now() });
}

/** The service's own Solana addresses of a mode, created on first use. Safe in several processes at once. */
export async function ensureChainKeys(
  { em, now, secrets }: KeyContext,
  mode: Mode,
): Promise<Record<ChainKeyRole, string>> {
  for (const role of CHAIN_KEY_ROLES) {
    const key = { mode, role, ...(await newSealedKey(secrets)), createdAt: now() };
    await em.upsert(ChainKey, key, { onConflictFields: ['mode', 'role'], onConflictAction: 'ignore' });
  }
  const keys = await em.fork().find(ChainKey, { mode });
  const addressFor = (role: ChainKeyRole) => keys.find((key) => key.role === role)?.address ?? '';
  return { authority: addressFor('authority'), payer: addressFor('payer') };
}

/** Generates a Solana key: its address, and its 32-byte seed, sealed. */
async function newSealedKey(secrets: Pick<DerivedKeys, 'seal'>): Promise<{ address: string; sealedKey: string }> {
  const seed = randomBytes(SEED_LENGTH);
  const address = addressOf(publicKeyOfSeed(seed));
  const sealedKey = await seal(secrets, address, seed);
  seed.fill(0);
  return { address, sealedKey };
}
