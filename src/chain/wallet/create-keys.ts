import { randomBytes } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';
import { publicKeyOfSeed, SEED_LENGTH } from '@fan-api/solana-wire/ed25519';
import { ChainKey, type ChainKeyRole } from '../../entities/chain.ts';
import type { Fan } from '../../entities/fan.ts';
import { Wallet } from '../../entities/wallet.ts';
import type { WithCustody } from '../../keys/vault.ts';
import type { EntityContext } from '../../platform/context.ts';
import type { Mode } from '../../platform/mode.ts';

type KeyContext = EntityContext & WithCustody;

/** A new Solana key: its address, and its 32-byte seed, sealed. */
export type NewKey = Pick<Wallet, 'address' | 'sealedKey' | 'sealedWith'>;

/**
 * Creates a fan's custodial wallet. Written with the caller's unit of work.
 * @param key from `newKey`, where the caller made it before its transaction: a key service may take seconds
 */
export async function createWallet({ em, now, custody }: KeyContext, fan: Fan, key?: NewKey): Promise<Wallet> {
  return em.create(Wallet, { ...(key ?? (await newKey({ custody }))), fan, createdAt: now() });
}

/** The service's own Solana addresses of a mode, created on first use. Safe in concurrent processes. */
export async function ensureChainKeys(context: KeyContext, mode: Mode): Promise<Record<'authority' | 'payer', string>> {
  return { authority: await ensureKey(context, mode, 'authority'), payer: await ensureKey(context, mode, 'payer') };
}

/** The key that replaces the authority of a mode, created on first use. Safe in concurrent processes. */
export function ensureNextAuthority(context: KeyContext, mode: Mode): Promise<string> {
  return ensureKey(context, mode, 'next_authority');
}

async function ensureKey({ em, now, custody }: KeyContext, mode: Mode, role: ChainKeyRole): Promise<string> {
  const known = await em.fork().findOne(ChainKey, { mode, role });
  if (known) return known.address;
  const key = { mode, role, ...(await newKey({ custody })), createdAt: now() };
  await em.upsert(ChainKey, key, { onConflictFields: ['mode', 'role'], onConflictAction: 'ignore' });
  return (await em.fork().findOneOrFail(ChainKey, { mode, role })).address;
}

/** Generates a Solana key. @throws DomainError `unavailable` where the vault can't be reached */
export async function newKey({ custody }: WithCustody): Promise<NewKey> {
  const seed = randomBytes(SEED_LENGTH);
  try {
    const address = addressOf(publicKeyOfSeed(seed));
    const { sealed, sealedWith } = await custody.vault.seal(address, seed);
    return { address, sealedKey: sealed, sealedWith };
  } finally {
    seed.fill(0);
  }
}
