/** Another authority or payer in the Config account of the ticket program, as anyone who has its admin key can name one. */
import { LOCAL_ADMIN_SEED } from '@fan-api/ticket-program/local-keys';
import { Keypair, Transaction, type TransactionInstruction } from '@solana/web3.js';
import { encodeInstruction } from '../../src/chain/instruction/instructions.ts';
import { setUpLocalProgram } from '../../src/sandbox/set-up-local-program.ts';
import type { ChainApp } from './chain-app.ts';
import { land, unseenBlockhash } from './ticket-transactions.ts';

const admin = Keypair.fromSeed(LOCAL_ADMIN_SEED);

/** Has the program name an authority. @param payer of the fee */
export async function rotateTo(app: ChainApp, payer: Keypair, next: Keypair): Promise<void> {
  const accounts = { admin: admin.publicKey.toBase58(), new_authority: next.publicKey.toBase58() };
  await run(app, payer, encodeInstruction(app.chain.programId, 'rotate_authority_v1', accounts, {}), next);
}

/** Has the program name a payer. @param payer of the fee */
export async function rotatePayerTo(app: ChainApp, payer: Keypair, next: Keypair): Promise<void> {
  const accounts = { admin: admin.publicKey.toBase58(), new_payer: next.publicKey.toBase58() };
  await run(app, payer, encodeInstruction(app.chain.programId, 'rotate_payer_v1', accounts, {}), next);
}

async function run(app: ChainApp, payer: Keypair, instruction: TransactionInstruction, next: Keypair): Promise<void> {
  const { blockhash } = await app.connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  transaction.add(instruction);
  transaction.sign(payer, admin, next);
  await land(app, transaction.serialize());
}

/** Has the program name the service's own authority and payer again. */
export async function rotateBack(app: ChainApp): Promise<void> {
  // with the blockhash of the rotation before it would be the same transaction, which runs once
  await unseenBlockhash(app);
  await setUpLocalProgram(app.chain, app.runtime.signer);
}
