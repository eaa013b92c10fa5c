import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import { ACTIONS, type PolicyFacts, shapeFor } from './actions.ts';
import type { AllowedShape } from './candidate.ts';
import { judgeAt } from './chain-error.ts';
import { checkCount, checkDistinct } from './check-request.ts';
import { decodeTransactionHex } from './decode-transaction-text.ts';
import { judgeShape, type ShapedTransaction } from './judge-shape.ts';
import { type ParsedTransaction, parseTransaction } from './parse-transaction.ts';
import { decodeArgs } from './read-instruction.ts';
import { checkFullySigned, verifyPresentSignatures } from './signatures.ts';

/** What a claim is judged by. Addresses are in base58. */
export interface ClaimFacts extends PolicyFacts {
  /** The only accepted destination. */
  readonly fanWallet: string;
}

/** A transaction that passed the checks that need neither database nor chain. Addresses are in base58. */
export interface JudgedClaim {
  readonly transaction: ParsedTransaction;
  readonly permit: string;
  /** Who signs the transfer: the owner of a held permit, the marketplace of a listed one. */
  readonly transferAuthority: string;
  /** The fan's wallet. */
  readonly destination: string;
  /** The number of the listing that it fulfils; 0 for a held permit. */
  readonly listing: bigint;
  /** The price of that listing in lamports; 0 for a held permit. */
  readonly price: bigint;
  readonly feePayer: string;
  /** Base58. */
  readonly recentBlockhash: string;
  /** The first signature in base58: the identity of the transaction, and the `transfer_id` of the answer. */
  readonly signature: string;
  /** The transaction as received and submitted. */
  readonly bytes: Uint8Array;
}

/**
 * Judges 1 to 10 transactions in hex, all or none: each is a fully signed transfer of one permit to the fan's wallet. The caller
 * checks them against the database and the chain before submission.
 * @throws ChainError of the first broken rule; its message starts with `tickets[<index>].tx`
 * @see judge-shape.ts
 */
export async function judgeClaimTransactions(
  transactions: readonly string[],
  facts: ClaimFacts,
): Promise<JudgedClaim[]> {
  checkCount(transactions, ACTIONS.claim.mostTransactions, 'tickets');
  const shape = shapeFor('claim', facts);
  const judged = transactions.map((text, index) => judgeAt(placeOf(index), () => judgeOne(text, shape)));
  const signatures = judged.map(({ signature }) => signature);
  checkDistinct(signatures, 'repeated_transaction', placeOf);
  // of two transfers of one permit at most one succeeds; the answer could not say which
  const permits = judged.map(({ permit }) => permit);
  checkDistinct(permits, 'repeated_permit', placeOf);
  await verifyPresentSignatures(judged, placeOf);
  return judged;
}

/** The place of a transaction in the request, for refusals. */
export function placeOf(index: number): string {
  return `tickets[${index}].tx`;
}

function judgeOne(text: string, shape: AllowedShape): JudgedClaim {
  const shaped = judgeShape(parseTransaction(decodeTransactionHex(text)), shape);
  checkFullySigned(shaped.transaction);
  return claimOf(shaped);
}

/** What the caller needs to know of a claim's transaction. @throws RangeError for data of another length, which the shape excludes */
export function claimOf(shaped: ShapedTransaction): JudgedClaim {
  const { transaction, feePayer } = shaped;
  const [signature = new Uint8Array()] = transaction.signatures;
  return {
    transaction,
    permit: shaped.accountIn('permit'),
    transferAuthority: shaped.accountIn('transfer_authority'),
    destination: shaped.accountIn('destination'),
    ...decodeArgs('transfer_permit_v1', shaped.data),
    feePayer,
    recentBlockhash: addressOf(transaction.recentBlockhash),
    signature: encodeBase58(signature),
    bytes: transaction.bytes,
  };
}
