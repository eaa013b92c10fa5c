import { readFile } from 'node:fs/promises';
import { confirmed } from '@fan-api/sdk/web3';
import { type Connection, Keypair } from '@solana/web3.js';
import type { Kit } from './kit.ts';

/** The partner's wallet, which pays the fees and is the marketplace: the kit's, or a new one that the faucet funds. */
export async function fundedWallet(kit: Kit, connection: Connection): Promise<Keypair> {
  if (kit.keypair !== undefined) {
    const bytes = JSON.parse(await readFile(kit.keypair, 'utf8'));
    return Keypair.fromSecretKey(Uint8Array.from(bytes));
  }
  const wallet = Keypair.generate();
  await confirmed(connection, await connection.requestAirdrop(wallet.publicKey, 1_000_000_000));
  return wallet;
}
