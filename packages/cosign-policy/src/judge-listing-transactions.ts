import { addressOf } from '@fan-api/solana-wire/base58';
import { ACTIONS, type ListingAction, type PolicyFacts, shapeFor } from './actions.ts';
import { type AllowedShape, SYSTEM_PROGRAM } from './candidate.ts';
import { judgeAt } from './chain-error.ts';
import { checkCount, checkDistinct } from './check-request.ts';
import { decodeTransactionText, parseDecoded } from './decode-transaction-text.ts';
import { checkRule, judgeShape, type ShapedTransaction } from './judge-shape.ts';
import type { ParsedTransaction } from './parse-transaction.ts';
import { decodeArgs } from './read-instruction.ts';
import { isAbsent, verifyPresentSignatures } from './signatures.ts';

/** What a listing is judged by. Addresses are in base58. */
export interface ListingFacts extends PolicyFacts {
  readonly type: ListingAction;
  readonly authorities: readonly string[];
  readonly fanWallet: string;
}

/** A transaction that passed the checks that need neither database nor chain. Addresses are in base58. */
export interface JudgedListing {
  readonly transaction: ParsedTransaction;
  readonly permit: string;
  /** The permit's owner by the transaction; `listing-rules.ts` compares it with the fan's wallet. */
  readonly owner: string;
  /** The co-signing authority that the transaction names. */
  readonly authority: string;
  /** In lamports; null when cancelling. */
  readonly price: bigint | null;
  /** Null when cancelling. */
  readonly marketplace: string | null;
  readonly feePayer: string;
  /** Every account key of the transaction. */
  readonly addresses: readonly string[];
  /** Base58. */
  readonly recentBlockhash: string;
  /** The message to sign, as received. */
  readonly messageBytes: Uint8Array;
  /** The indexes of our signatures. */
  readonly slots: { readonly fanWallet: number; readonly authority: number };
  /** As received and verified; null where absent. */
  readonly signatures: readonly (Uint8Array | null)[];
  /** A description of what is signed, for the audit. */
  readonly sentence: string;
}

/**
 * Judges 1 to 4 transactions in hex or base64, all or none, by the co-signing policy. The caller checks them against the database and
 * the chain (owner, state, blockhash) before signing.
 * @throws ChainError of the first broken rule; its message starts with `transactions[<index>]`
 * @see judge-shape.ts
 */
export async function judgeListingTransactions(
  transactions: readonly string[],
  facts: ListingFacts,
): Promise<JudgedListing[]> {
  checkCount(transactions, ACTIONS[facts.type].mostTransactions, 'transactions');
  const shape = shapeFor(facts.type, facts);
  const judged = transactions.map((text, index) => judgeAt(placeOf(index), () => judgeOne(text, shape, facts)));
  // with two signed listings of one permit at different prices, the submitter could choose
  const permits = judged.map(({ permit }) => permit);
  checkDistinct(permits, 'repeated_permit', placeOf, namePermit);
  await verifyPresentSignatures(judged, placeOf);
  return judged;
}

/** The detail of a refusal for a permit that occurs twice. @param first the place of the first */
export function namePermit(permit: string, first: string): string {
  return `${permit}, as ${first}`;
}

/** The distinct marketplaces of listings. */
export function marketplacesOf(judged: readonly JudgedListing[]): string[] {
  return [...new Set(judged.flatMap(({ marketplace }) => marketplace ?? []))];
}

/** The place of a transaction in the request, for refusals. */
export function placeOf(index: number): string {
  return `transactions[${index}]`;
}

function judgeOne(text: string, shape: AllowedShape, facts: ListingFacts): JudgedListing {
  const shaped = judgeShape(parseDecoded(text, decodeTransactionText(text)), shape);
  const terms = termsOf(facts.type, shaped);
  for (const { rule, find } of TERM_RULES) checkRule(rule, find(terms));
  return listingOf(shaped, terms, facts.fanWallet);
}

/** What the caller needs to know of a listing's transaction. @param fanWallet base58 */
export function listingOf(shaped: ShapedTransaction, terms: ListingTerms, fanWallet: string): JudgedListing {
  const { transaction, feePayer, addresses } = shaped;
  const permit = shaped.accountIn('permit');
  const authority = shaped.accountIn('authority');
  return {
    transaction,
    permit,
    owner: shaped.accountIn('owner'),
    authority,
    ...terms,
    feePayer,
    addresses,
    recentBlockhash: addressOf(transaction.recentBlockhash),
    messageBytes: transaction.message,
    slots: { fanWallet: shaped.indexOf(fanWallet), authority: shaped.indexOf(authority) },
    signatures: transaction.signatures.map((signature) => (isAbsent(signature) ? null : signature)),
    sentence: sentenceOf(permit, terms, feePayer, fanWallet),
  };
}

/** For how much and where a permit is listed; null when cancelling. */
export type ListingTerms = Pick<JudgedListing, 'price' | 'marketplace'>;

/** The terms of a listing. @throws RangeError for data of another length, which the shape excludes */
export function termsOf(type: ListingAction, shaped: ShapedTransaction): ListingTerms {
  if (type === 'cancel') return { price: null, marketplace: null };
  const { price } = decodeArgs('create_listing_v1', shaped.data);
  return { price, marketplace: shaped.accountIn('marketplace') };
}

/** Rules about the terms of a listing, in the form of shape rules. Nobody holds the zero address: such a listing could never be sold. */
export const TERM_RULES: readonly {
  readonly rule: 'price_zero' | 'marketplace_zero';
  readonly find: (terms: ListingTerms) => string | undefined;
}[] = [
  { rule: 'price_zero', find: ({ price }) => (price === 0n ? '' : undefined) },
  { rule: 'marketplace_zero', find: ({ marketplace }) => (marketplace === SYSTEM_PROGRAM ? '' : undefined) },
];

function sentenceOf(permit: string, { price, marketplace }: ListingTerms, feePayer: string, fanWallet: string): string {
  const action =
    price === null
      ? `Cancel the listing of permit ${permit}`
      : `List permit ${permit} for ${price} lamports on marketplace ${marketplace}`;
  return `${action}, for its owner ${fanWallet}; ${feePayer} pays the fee.`;
}
