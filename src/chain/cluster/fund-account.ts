import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Cluster } from './open-cluster.ts';

/**
 * Gives an account that is to be made what it lacks to be free of rent: anybody may have sent lamports there, with which an account
 * is not created in one step.
 * @param to who gets it, where another makes the account
 */
export async function fundAccount(
  { gateway, payer }: Pick<Cluster, 'gateway' | 'payer'>,
  address: string,
  bytes: number,
  to = address,
): Promise<TransactionInstruction> {
  const needed = await gateway.rentExemption(bytes);
  const held = (await gateway.account(address))?.lamports ?? 0n;
  const lamports = needed > held ? needed - held : 0n;
  return SystemProgram.transfer({ fromPubkey: new PublicKey(payer), toPubkey: new PublicKey(to), lamports });
}
