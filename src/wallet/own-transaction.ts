import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { PublicKey, type TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import type { Chain } from '../chain/chains.ts';
import type { Submission } from '../chain/gateway/submit-transaction.ts';
import { ChainError } from '../chain-error.ts';
import { DomainError } from '../errors.ts';
import type { Signer } from './signer.ts';

/** How long a transaction of our own may take to be confirmed; a cluster takes about a second. */
const CONFIRM_WITHIN_MS = 30_000;
const POLL_MS = 250;

/**
 * Signs, submits and confirms a transaction of our own, paid by our payer.
 * @param signers addresses that must sign besides the payer
 * @throws DomainError `unavailable` where the cluster does not confirm it in time, or refuses it (its cause is a ChainError
 * then); the caller looks at the chain again before it tries once more
 */
export async function runOwnTransaction(
  { gateway, payer }: Chain,
  signer: Signer,
  instructions: TransactionInstruction[],
  signers: readonly string[],
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
  const submission = await gateway.submit(transaction.serialize());
  await confirmed(gateway, transaction, submission);
}

async function confirmed(
  gateway: Chain['gateway'],
  transaction: VersionedTransaction,
  submission: Submission,
): Promise<void> {
  const signature = firstSignature(transaction);
  for (let waited = 0; waited < CONFIRM_WITHIN_MS; waited += POLL_MS) {
    const [status] = await gateway.statuses([signature]);
    if (status?.state === 'confirmed') return;
    if (status?.state === 'failed') throw refused(status.reason);
    // a refusal of what is known may only mean that another process sent the same a moment before
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
