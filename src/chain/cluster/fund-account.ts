import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Cluster } from './open-cluster.ts';

/**
 * Tops up the address of a new account to its rent exemption. Anybody may have sent lamports there, and an address that holds any cannot
 * be created in one step.
 * @param to the recipient, where another account pays for the creation
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
