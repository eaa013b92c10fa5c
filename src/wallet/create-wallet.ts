import type { Context } from '../context.ts';
import type { Fan } from '../entities/fan.ts';
import { Wallet } from '../entities/wallet.ts';
import type { WithSecrets } from '../keys/seal.ts';
import { newSealedKey } from './new-key.ts';

/** Creates a fan's custodial wallet. Written with the caller's unit of work. */
export async function createWallet(
  { em, now, secrets }: Pick<Context, 'em' | 'now'> & WithSecrets,
  fan: Fan,
): Promise<Wallet> {
  return em.create(Wallet, { ...(await newSealedKey(secrets)), fan, createdAt: now() });
}
