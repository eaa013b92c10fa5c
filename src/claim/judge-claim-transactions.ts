/**
 * What is a claim, as far as a request and a token decide it: a fully signed transfer of one permit to the fan's wallet. What needs
 * the database or the chain is judged by the caller, before anything is submitted.
 */

import { addressOf, encodeBase58 } from '@fan-api/solana-wire/base58';
import { configAddress } from '../chain/instruction/program-addresses.ts';
import type { AllowedShape } from '../chain/transaction/candidate.ts';
import { decodeTransactionHex } from '../chain/transaction/decode-transaction-text.ts';
import { judgeShape } from '../chain/transaction/judge-shape.ts';
import { type ParsedTransaction, parseTransaction } from '../chain/transaction/parse-transaction.ts';
import { checkFullySigned, verifyPresentSignatures } from '../chain/transaction/verify-signatures.ts';
import { ChainError, judgeAt } from '../chain-error.ts';

export const MAX_CLAIM_TRANSACTIONS = 10;

/** What the token says. Addresses are in base58. */
export interface ClaimFacts {
  /** The ticket program in the token's mode. */
  readonly programId: string;
  /** The custodial wallet of the token's fan, the only destination accepted. */
  readonly fanWallet: string;
  /** Further keys of this service that must neither pay nor transfer; `fanWallet` always counts. */
  readonly ourKeys: ReadonlySet<string>;
  readonly computeUnitLimitCap: number;
  /** In micro-lamports per compute unit. */
  readonly computeUnitPriceCap: bigint;
}

/** A transaction that may be submitted as far as this judgement goes. Addresses are in base58. */
export interface JudgedClaim {
  readonly transaction: ParsedTransaction;
  readonly permit: string;
  /** Who signs the transfer: the owner of a held permit, the marketplace of a listed one. */
  readonly transferAuthority: string;
  /** The fan's wallet. */
  readonly destination: string;
  readonly feePayer: string;
  /** In base58, as RPC calls want it. */
  readonly recentBlockhash: string;
  /** The first signature in base58: the identity of the transaction, the `transfer_id` of the answer. */
  readonly signature: string;
  /** The whole transaction as received, to be submitted as it is. */
  readonly bytes: Uint8Array;
}

/**
 * Judges the hex texts of 1 to 10 transactions as one set: all of them pass, or none does.
 *
 * @returns the judgements in the order of the request
 * @throws ChainError with the code of the first rule that is broken; its message starts with `tickets[<index>].tx`
 * @see judge-shape.ts for the rules in their order
 */
export async function judgeClaimTransactions(
  transactions: readonly string[],
  facts: ClaimFacts,
): Promise<JudgedClaim[]> {
  checkCount(transactions);
  const shape = shapeFor(facts);
  const judged = transactions.map((text, index) => judgeAt(placeOf(index), () => judgeOne(text, shape)));
  checkDistinct(judged, 'repeated_transaction', ({ signature }) => signature);
  checkDistinct(judged, 'repeated_permit', ({ permit }) => permit);
  await verifyPresentSignatures(
    judged.map(({ transaction }) => transaction),
    placeOf,
  );
  return judged;
}

/** Names a transaction of the request. */
export function placeOf(index: number): string {
  return `tickets[${index}].tx`;
}

function shapeFor({
  programId,
  fanWallet,
  ourKeys,
  computeUnitLimitCap,
  computeUnitPriceCap,
}: ClaimFacts): AllowedShape {
  return {
    programId,
    instruction: 'transfer_permit_v1',
    knownAccounts: new Map([
      ['config', configAddress(programId).address],
      ['destination', fanWallet],
    ]),
    payingSlot: 'transfer_authority',
    ourKeys: new Set([...ourKeys, fanWallet]),
    computeUnitLimitCap,
    computeUnitPriceCap,
  };
}

function judgeOne(text: string, shape: AllowedShape): JudgedClaim {
  const shaped = judgeShape(parseTransaction(decodeTransactionHex(text)), shape);
  const { transaction, feePayer } = shaped;
  checkFullySigned(transaction);
  const [signature = new Uint8Array()] = transaction.signatures;
  return {
    transaction,
    permit: shaped.accountIn('permit'),
    transferAuthority: shaped.accountIn('transfer_authority'),
    destination: shaped.accountIn('destination'),
    feePayer,
    recentBlockhash: addressOf(transaction.recentBlockhash),
    signature: encodeBase58(signature),
    bytes: transaction.bytes,
  };
}

function checkCount(transactions: readonly string[]): void {
  if (transactions.length < 1 || transactions.length > MAX_CLAIM_TRANSACTIONS) {
    const detail = `${transactions.length} instead of 1 to ${MAX_CLAIM_TRANSACTIONS}`;
    throw new ChainError('transaction_count', { where: 'tickets', detail });
  }
}

/** Of two transfers of one permit at most one can succeed; the answer could not say which. */
function checkDistinct(
  judged: readonly JudgedClaim[],
  code: 'repeated_transaction' | 'repeated_permit',
  identityOf: (claim: JudgedClaim) => string,
): void {
  const seen = new Map<string, number>();
  for (const [index, claim] of judged.entries()) {
    const identity = identityOf(claim);
    const first = seen.get(identity);
    if (first !== undefined) throw new ChainError(code, { where: placeOf(index), detail: `as ${placeOf(first)}` });
    seen.set(identity, index);
  }
}
