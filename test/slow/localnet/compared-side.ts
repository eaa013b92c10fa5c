import {
  Connection,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { base64 } from '../../../packages/localnet/test/test-network.ts';
import { landing } from '../cluster/foreign-cluster.ts';

/** One side of the comparison with what was done on it. */
export interface Side {
  url: string;
  connection: Connection;
  payer: Keypair;
  to: PublicKey;
  nonce: Keypair;
  /** Signatures of what landed, by name. */
  landed: Record<string, string>;
}

/** A signed transfer in base64. */
export function signedPayment({ payer, to }: Side, lamports: number, blockhash: string): string {
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports }));
  transaction.sign(payer);
  return base64(transaction.serialize());
}

/** Does the same on a network: a transfer, a nonce account, a failing transaction with the nonce. */
export async function prepare(url: string): Promise<Side> {
  const connection = new Connection(url, 'confirmed');
  const [payer, nonce] = [Keypair.generate(), Keypair.generate()];
  const to = Keypair.generate().publicKey;
  const landed: Record<string, string> = {};

  async function land(name: string, instructions: TransactionInstruction[], signers: Keypair[] = [], value?: string) {
    const { blockhash } = await connection.getLatestBlockhash('confirmed');
    const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: value ?? blockhash });
    transaction.add(...instructions).sign(payer, ...signers);
    const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    await landing(connection, signature);
    landed[name] = signature;
  }

  await landing(connection, await connection.requestAirdrop(payer.publicKey, 5_000_000_000));
  const rent = (space: number) => connection.getMinimumBalanceForRentExemption(space);
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    noncePubkey: nonce.publicKey,
    authorizedPubkey: payer.publicKey,
    lamports: await rent(NONCE_ACCOUNT_LENGTH),
  });
  await land('create nonce', create.instructions, [nonce]);
  const info = await connection.getAccountInfo(nonce.publicKey);
  const { nonce: value } = NonceAccount.fromAccountData(info?.data ?? Buffer.alloc(0));
  const advance = SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: payer.publicKey });
  const pay = (lamports: number) => SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports });
  await land('failing with the nonce', [advance, pay(2e15)], [], value);
  await land('transfer', [pay(2e6)]);
  return { url, connection, payer, to, nonce, landed };
}
