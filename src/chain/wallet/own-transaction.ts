import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { PublicKey, type TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { ChainError } from '../../platform/chain-error.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Chain } from '../chains.ts';
import { landTransaction, type SignedTransaction } from '../land-transaction.ts';
import type { Signer } from './signer.ts';

/** A cluster confirms within about a second. */
const CONFIRM_WITHIN_MS = 30_000;

/** Identifies a transaction, to find out later whether it landed or still can. Base58. */
export interface TransactionIdentity {
  signature: string;
  blockhash: string;
}

/**
 * Signs, submits and confirms a transaction of our own, paid by our payer.
 * @param signers addresses that must sign besides the payer
 * @param beforeSubmission gets the identity of the transaction before it can land; where it throws, nothing is sent
 * @returns its signature, base58
 * @throws DomainError `unavailable` where it is not confirmed in time, or is refused (then with a ChainError as cause); read the chain
 * again before a retry
 */
export async function runOwnTransaction(
  chain: Chain,
  signer: Signer,
  instructions: TransactionInstruction[],
  signers: readonly string[],
  beforeSubmission?: (identity: TransactionIdentity) => Promise<void>,
): Promise<string> {
  const { gateway } = chain;
  const { blockhash, slot } = await gateway.freshBlockhash();
  const { signature, bytes } = await signOwnTransaction(chain, signer, { instructions, blockhash, signers });
  await beforeSubmission?.({ signature, blockhash });
  const lifetime = { blockhash, validAt: slot };
  const landing = await landTransaction(gateway, { signature, bytes, lifetime }, CONFIRM_WITHIN_MS);
  if (landing.is === 'landed') return signature;
  if (landing.is === 'failed' || landing.is === 'refused') throw refused(landing.reason);
  throw new DomainError('unavailable', 'The Solana cluster did not confirm a transaction in time.');
}

/** A transaction of our own before it is signed. */
export interface OwnTransaction {
  readonly instructions: TransactionInstruction[];
  /** Base58. */
  readonly blockhash: string;
  /** Addresses that must sign besides the payer. */
  readonly signers: readonly string[];
  /** Signers whose keys are not ours; without `sign`, the place of the signature stays empty. */
  readonly outside?: readonly {
    readonly address: string;
    readonly sign?: (message: Uint8Array) => Promise<Uint8Array> | Uint8Array;
  }[];
}

/** Signs a transaction of our own, paid by our payer. @throws DomainError `unavailable` where the key's vault can't be reached */
export async function signOwnTransaction(
  { payer }: Pick<Chain, 'payer'>,
  signer: Signer,
  { instructions, blockhash, signers, outside = [] }: OwnTransaction,
): Promise<SignedTransaction> {
  const given = { payerKey: new PublicKey(payer), recentBlockhash: blockhash, instructions };
  const message = new TransactionMessage(given).compileToLegacyMessage();
  const transaction = new VersionedTransaction(message);
  const bytes = message.serialize();
  const signatures = await Promise.all(
    [payer, ...signers].map(async (address) => ({ address, signature: await signer.sign(address, bytes) })),
  );
  for (const { address, sign } of outside) if (sign) signatures.push({ address, signature: await sign(bytes) });
  for (const { address, signature } of signatures) transaction.addSignature(new PublicKey(address), signature);
  return { signature: firstSignature(transaction), bytes: transaction.serialize() };
}

function firstSignature(transaction: VersionedTransaction): string {
  const [signature] = transaction.signatures;
  if (signature === undefined) throw new RangeError('a transaction has at least one signature');
  return encodeBase58(signature);
}

function refused(reason: string): DomainError {
  return new DomainError('unavailable', `The Solana cluster refused a transaction of this service: ${reason}`, {
    cause: new ChainError('chain_refused', { detail: reason }),
  });
}
