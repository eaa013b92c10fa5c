import { signEd25519 } from '@fan-api/solana-wire/ed25519';
import {
  ComputeBudgetProgram,
  type Keypair,
  PublicKey,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import type { Chain } from '../../../src/chain/chains.ts';

/** Signs with the key of an address; undefined leaves the slot empty for somebody else. */
type Sign = (address: string, message: Uint8Array) => Promise<Uint8Array | undefined>;

const SIGNATURE_LENGTH = 64;
const AT_ONCE = 16;

/**
 * A legacy transaction, signed as far as `sign` does. web3.js signs ten times as slowly as `node:crypto`, so only its
 * compiler is used.
 * @param signers base58, the fee payer first
 */
export async function transactionOf(
  instructions: TransactionInstruction[],
  recentBlockhash: string,
  signers: readonly string[],
  sign: Sign,
): Promise<Buffer> {
  const feePayer = new PublicKey(signers[0] ?? '');
  const compiled = new Transaction({ feePayer, recentBlockhash }).add(...instructions).compileMessage();
  const message = compiled.serialize();
  const slots = compiled.accountKeys.slice(0, compiled.header.numRequiredSignatures);
  const signatures = await Promise.all(slots.map((key) => sign(key.toBase58(), message)));
  const filled = signatures.map((signature) => signature ?? Buffer.alloc(SIGNATURE_LENGTH));
  return Buffer.concat([Buffer.from([slots.length]), ...filled, message]);
}

/** Signs for one wallet and leaves the other slots empty. */
export function signerOf(wallet: Keypair): Sign {
  const address = wallet.publicKey.toBase58();
  return async (of, message) => (of === address ? signEd25519(wallet.secretKey.subarray(0, 32), message) : undefined);
}

let transactionsMade = 0;

/** A price that no transaction of this run had before: the same message twice would be one transaction. */
export function freshPrice(): TransactionInstruction {
  transactionsMade += 1;
  return ComputeBudgetProgram.setComputeUnitPrice({ microLamports: transactionsMade });
}

/** @throws Error where the network does not take it */
export async function submit({ gateway }: Chain, transaction: Uint8Array): Promise<void> {
  const submission = await gateway.submit(transaction);
  if (submission.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(submission)}`);
}

/** Works on several at a time. @returns the results in the order of `items` */
export async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
