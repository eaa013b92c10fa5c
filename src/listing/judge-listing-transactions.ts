/**
 * The co-signing policy, as far as a request and a token decide it: which listing transactions get the signatures of the fan's
 * wallet and of the authority. What needs the database or the chain (whose permit it is, in which state, how recent the blockhash
 * is) is judged by the caller, between this and the signing.
 */

import { addressOf } from '@fan-api/solana-wire/base58';
import { decodeArgs } from '../chain/instruction/decode-instruction.ts';
import { configAddress } from '../chain/instruction/program-addresses.ts';
import type { AllowedShape } from '../chain/transaction/candidate.ts';
import { decodeTransactionText } from '../chain/transaction/decode-transaction-text.ts';
import { judgeShape, type ShapedTransaction } from '../chain/transaction/judge-shape.ts';
import { type ParsedTransaction, parseTransaction } from '../chain/transaction/parse-transaction.ts';
import { isAbsent, verifyPresentSignatures } from '../chain/transaction/verify-signatures.ts';
import { ChainError, judgeAt } from '../chain-error.ts';

/** Goes into the audit entry of every signature; changes whenever a rule does. */
export const LISTING_POLICY_VERSION = '2';

export const MAX_LISTING_TRANSACTIONS = 4;

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

export type ListingAction = 'list' | 'cancel';

/** What the request and the token say. Addresses are in base58. */
export interface ListingFacts {
  readonly type: ListingAction;
  /** The ticket program in the token's mode. */
  readonly programId: string;
  /** The co-signing authority in the token's mode. */
  readonly authority: string;
  /** The custodial wallet of the token's fan. */
  readonly fanWallet: string;
  /** Further keys of this service that must never pay or be chosen as an account; `authority` and `fanWallet` always count. */
  readonly ourKeys: ReadonlySet<string>;
  readonly computeUnitLimitCap: number;
  /** In micro-lamports per compute unit. */
  readonly computeUnitPriceCap: bigint;
}

/** A transaction that may be signed as far as this judgement goes. Addresses are in base58. */
export interface JudgedListing {
  readonly transaction: ParsedTransaction;
  readonly permit: string;
  /** Whom the transaction names as the permit's owner, which is compared by `find-refusal.ts`. */
  readonly owner: string;
  /** In lamports; null when cancelling. */
  readonly price: bigint | null;
  /** Null when cancelling. */
  readonly marketplace: string | null;
  readonly feePayer: string;
  /** Every account key of the transaction. */
  readonly addresses: readonly string[];
  /** In base58, as RPC calls want it. */
  readonly recentBlockhash: string;
  /** What both signatures are made over, as received. */
  readonly messageBytes: Uint8Array;
  /** The indexes of the signatures that are ours to make. */
  readonly slots: { readonly fanWallet: number; readonly authority: number };
  /** As received, each present one verified; null where absent. */
  readonly signatures: readonly (Uint8Array | null)[];
  /** What is signed, in plain English, for the audit. */
  readonly sentence: string;
}

/**
 * Judges the texts (hex or base64) of 1 to 4 transactions as one set: all of them pass, or none does.
 *
 * @returns the judgements in the order of the request
 * @throws ChainError with the code of the first rule that is broken; its message starts with `transactions[<index>]`
 * @see judge-shape.ts for the rules in their order
 */
export async function judgeListingTransactions(
  transactions: readonly string[],
  facts: ListingFacts,
): Promise<JudgedListing[]> {
  checkCount(transactions);
  const shape = shapeFor(facts);
  const judged = transactions.map((text, index) => judgeAt(placeOf(index), () => judgeOne(text, shape, facts)));
  checkDistinctPermits(judged);
  await verifyPresentSignatures(
    judged.map(({ transaction }) => transaction),
    placeOf,
  );
  return judged;
}

/** The marketplaces that the listings name, each once. */
export function marketplacesOf(judged: readonly JudgedListing[]): string[] {
  return [...new Set(judged.flatMap(({ marketplace }) => marketplace ?? []))];
}

/** The place of a transaction in the request, for refusals. */
export function placeOf(index: number): string {
  return `transactions[${index}]`;
}

function shapeFor(facts: ListingFacts): AllowedShape {
  const { programId, authority, fanWallet, computeUnitLimitCap, computeUnitPriceCap } = facts;
  return {
    programId,
    instruction: facts.type === 'list' ? 'create_listing_v1' : 'cancel_listing_v1',
    knownAccounts: new Map([
      ['config', configAddress(programId).address],
      ['owner', fanWallet],
      ['authority', authority],
    ]),
    comparedByCaller: 'owner',
    payingSlot: 'marketplace',
    ourKeys: new Set([...facts.ourKeys, authority, fanWallet]),
    computeUnitLimitCap,
    computeUnitPriceCap,
  };
}

function judgeOne(text: string, shape: AllowedShape, facts: ListingFacts): JudgedListing {
  const shaped = judgeShape(parseTransaction(decodeTransactionText(text)), shape);
  const { transaction, feePayer, addresses } = shaped;
  const terms = facts.type === 'list' ? readTerms(shaped) : { price: null, marketplace: null };
  checkPrice(terms);
  checkMarketplace(terms);
  const permit = shaped.accountIn('permit');
  return {
    transaction,
    permit,
    owner: shaped.accountIn('owner'),
    ...terms,
    feePayer,
    addresses,
    recentBlockhash: addressOf(transaction.recentBlockhash),
    messageBytes: transaction.message,
    slots: { fanWallet: shaped.indexOf(facts.fanWallet), authority: shaped.indexOf(facts.authority) },
    signatures: transaction.signatures.map((signature) => (isAbsent(signature) ? null : signature)),
    sentence: sentenceOf(permit, terms, feePayer, facts),
  };
}

type Terms = Pick<JudgedListing, 'price' | 'marketplace'>;

function readTerms(shaped: ShapedTransaction): Terms {
  return {
    price: decodeArgs('create_listing_v1', shaped.data).price,
    marketplace: shaped.accountIn('marketplace'),
  };
}

function checkPrice({ price }: Terms): void {
  if (price === 0n) throw new ChainError('price_zero');
}

/** The zero address is nobody's: such a listing could never be sold. */
function checkMarketplace({ marketplace }: Terms): void {
  if (marketplace === SYSTEM_PROGRAM) throw new ChainError('marketplace_zero');
}

function sentenceOf(
  permit: string,
  { price, marketplace }: Terms,
  feePayer: string,
  { fanWallet }: ListingFacts,
): string {
  const action =
    price === null
      ? `Cancel the listing of permit ${permit}`
      : `List permit ${permit} for ${price} lamports on marketplace ${marketplace}`;
  return `${action}, for its owner ${fanWallet}; ${feePayer} pays the fee.`;
}

function checkCount(transactions: readonly string[]): void {
  if (transactions.length < 1 || transactions.length > MAX_LISTING_TRANSACTIONS) {
    const detail = `${transactions.length} instead of 1 to ${MAX_LISTING_TRANSACTIONS}`;
    throw new ChainError('transaction_count', { where: 'transactions', detail });
  }
}

/** Two signed listings of one permit with different prices would leave the choice to whoever submits them. */
function checkDistinctPermits(judged: readonly JudgedListing[]): void {
  const seen = new Map<string, number>();
  for (const [index, { permit }] of judged.entries()) {
    const first = seen.get(permit);
    if (first !== undefined) {
      throw new ChainError('repeated_permit', { where: placeOf(index), detail: `${permit}, as ${placeOf(first)}` });
    }
    seen.set(permit, index);
  }
}
