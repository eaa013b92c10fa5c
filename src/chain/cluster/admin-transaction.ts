import { type ParsedTransaction, parseTransaction } from '@fan-api/cosign-policy/parse-transaction';
import { checkFullySigned, verifyPresentSignatures } from '@fan-api/cosign-policy/signatures';
import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import type { TransactionInstruction } from '@solana/web3.js';
import { ChainError } from '../../platform/chain-error.ts';
import { landTransaction, type SignedTransaction } from '../land-transaction.ts';
import { readOutcome } from '../transaction-outcome.ts';
import { signOwnTransaction } from '../wallet/own-transaction.ts';
import type { Signer } from '../wallet/signer.ts';
import { adminNonce, readAdminNonce } from './admin-nonce.ts';
import type { OutsideSigner } from './keypair-file.ts';
import type { Cluster } from './open-cluster.ts';
import { SetupError } from './setup-error.ts';

/** The outcome of a step: done, or a transaction in base64 that waits for the admin's signature. */
export type StepOutcome = { readonly done: string } | { readonly unsigned: string };

/** A blockhash is valid for about a minute, a durable nonce for longer. */
const PATIENCE_MS = 100_000;

/** A transaction that our payer pays, with the signatures of ours that it needs, and one or more from outside. */
export interface AdminTransaction {
  readonly instructions: readonly TransactionInstruction[];
  /** Our addresses that sign, besides the payer. */
  readonly ours: readonly string[];
  readonly outside: readonly OutsideSigner[];
}

/**
 * Signs a transaction, and lands it where all signatures can be made here. Where one is made elsewhere, the transaction names a durable
 * nonce, so that it stays valid until it is signed.
 * @throws SetupError where the cluster refuses it, its blockhash expires, or it is not confirmed in time
 */
export async function runAdminTransaction(
  cluster: Cluster,
  signer: Signer,
  { instructions, ours, outside }: AdminTransaction,
): Promise<StepOutcome> {
  const complete = outside.every(({ sign }) => sign !== undefined);
  const nonce = complete ? undefined : await adminNonce(cluster, signer);
  const { blockhash, slot } = await cluster.gateway.freshBlockhash();
  const signed = await signOwnTransaction(cluster, signer, {
    instructions: [...(nonce ? [nonce.advance] : []), ...instructions],
    blockhash: nonce?.value ?? blockhash,
    signers: ours,
    outside,
  });
  if (!complete) return { unsigned: Buffer.from(signed.bytes).toString('base64') };
  return { done: await land(cluster, { ...signed, lifetime: { blockhash, validAt: slot } }) };
}

/**
 * Lands a transaction that `runAdminTransaction` returned, once it is signed.
 * @param text base64
 * @throws SetupError where it is none of ours, a signature is missing or wrong, or as `runAdminTransaction`
 */
export async function landSigned(cluster: Cluster, text: string): Promise<string> {
  try {
    const transaction = parseTransaction(Buffer.from(text.trim(), 'base64'));
    if (addressOf(transaction.accountKeys[0] ?? new Uint8Array(32)) !== cluster.payer) {
      throw new SetupError('This is no transaction of ours: another address pays for it.');
    }
    checkFullySigned(transaction);
    await verifyPresentSignatures([{ transaction }], () => 'the transaction');
    return await landOnce(cluster, transaction);
  } catch (error) {
    if (error instanceof SetupError) throw error;
    if (error instanceof ChainError) throw new SetupError(`The transaction can't be sent: ${error.message}`);
    throw error;
  }
}

/** A nonce is good for one transaction: with another value this one has landed already, or never will. */
async function landOnce(cluster: Cluster, { bytes, recentBlockhash, signatures }: ParsedTransaction): Promise<string> {
  const signature = encodeBase58(signatures[0] ?? new Uint8Array());
  const current = await readAdminNonce(cluster);
  if (current === addressOf(recentBlockhash)) return land(cluster, { signature, bytes });
  const outcome = await readOutcome(cluster.gateway, { signature });
  if (outcome.is === 'landed') return signature;
  throw new SetupError('This transaction is void: another was sent since. Print a new one with --unsigned.');
}

/** @returns its signature */
async function land({ gateway }: Cluster, transaction: SignedTransaction): Promise<string> {
  const { signature } = transaction;
  const landing = await landTransaction(gateway, transaction, PATIENCE_MS);
  if (landing.is === 'landed') return signature;
  if (landing.is === 'failed') throw new SetupError(`The transaction ${signature} failed: ${landing.reason}`);
  if (landing.is === 'refused') throw new SetupError(`The cluster refused the transaction: ${landing.reason}`);
  if (landing.is === 'never') throw new SetupError('The transaction expired before it landed. Repeat the command.');
  throw new SetupError(`The transaction ${signature} was not confirmed in time. Repeat the command: it looks first.`);
}
