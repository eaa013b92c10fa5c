import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { PublicKey, type TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Chain } from '../chain/chains.ts';
import type { Submission } from '../chain/gateway/submit-transaction.ts';
import { ChainError } from '../chain-error.ts';
import { DomainError } from '../errors.ts';
import type { Signer } from './signer.ts';

/** A cluster confirms within about a second. */
const CONFIRM_WITHIN_MS = 30_000;
const POLL_MS = 250;

/** What tells later whether a transaction landed, or still can. Base58. */
export interface OwnTransaction {
  signature: string;
  blockhash: string;
}

/**
 * Signs, submits and confirms a transaction of our own, paid by our payer.
 * @param signers addresses that must sign besides the payer
 * @param beforeSubmission given what identifies the transaction, before it can land; where it throws, nothing is sent
 * @throws DomainError `unavailable` where it is not confirmed in time, or is refused (then with a ChainError as cause); read the
 * chain again before a retry
 */
export async function runOwnTransaction(
  { gateway, payer }: Chain,
  signer: Signer,
  instructions: TransactionInstruction[],
  signers: readonly string[],
  beforeSubmission?: (identity: OwnTransaction) => Promise<void>,
): Promise<void> {
  const message = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: await gateway.latestBlockhash(),
    instructions,
  }).compileToLegacyMessage();
  const transaction = new VersionedTransaction(message);
  const bytes = message.serialize();
  const signatures = await Promise.all(
    [payer, ...signers].map(async (address) => ({ address, signature: await signer.sign(address, bytes) })),
  );
  for (const { address, signature } of signatures) transaction.addSignature(new PublicKey(address), signature);
  await beforeSubmission?.({ signature: firstSignature(transaction), blockhash: message.recentBlockhash });
  const submission = await gateway.submit(transaction.serialize());
  await waitUntilConfirmed(gateway, transaction, submission);
}

async function waitUntilConfirmed(
  gateway: Chain['gateway'],
  transaction: VersionedTransaction,
  submission: Submission,
): Promise<void> {
  const signature = firstSignature(transaction);
  for (let waited = 0; waited < CONFIRM_WITHIN_MS; waited += POLL_MS) {
    const [status] = await gateway.statuses([signature]);
    if (status?.state === 'confirmed') return;
    if (status?.state === 'failed') throw refused(status.reason);
    // preflight also refuses a transaction that another process has just sent
    if (submission.outcome === 'refused' && status?.state === 'unknown') throw refused(submission.reason);
    await sleep(POLL_MS);
  }
  throw new DomainError('unavailable', 'The Solana cluster did not confirm a transaction in time.');
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
