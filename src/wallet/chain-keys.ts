import type { Context } from '../context.ts';
import { CHAIN_KEY_ROLES, ChainKey, type ChainKeyRole } from '../entities/chain.ts';
import type { Mode } from '../entities/mode.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { newSealedKey } from './new-key.ts';

/** The service's own Solana addresses of a mode, created on first use. Safe in several processes at once. */
export async function ensureChainKeys(
  { em, now, secrets }: Pick<Context, 'em' | 'now'> & WithSecrets,
  mode: Mode,
): Promise<Record<ChainKeyRole, string>> {
  for (const role of CHAIN_KEY_ROLES) {
    const key = { mode, role, ...(await newSealedKey(secrets)), createdAt: now() };
    await em.upsert(ChainKey, key, { onConflictFields: ['mode', 'role'], onConflictAction: 'ignore' });
  }
  const keys = await em.fork().find(ChainKey, { mode });
  const addressOf = (role: ChainKeyRole) => keys.find((key) => key.role === role)?.address ?? '';
  return { authority: addressOf('authority'), payer: addressOf('payer') };
}
