import { addressOf } from '@fan-api/solana-wire/base58';
import type { AllowedShape } from './candidate.ts';
import { ChainError, judgeAt } from './chain-error.ts';
import { checkCount, checkDistinct } from './check-request.ts';
import type { ComputeCaps } from './compute-budget.ts';
import { decodeTransactionText } from './decode-transaction-text.ts';
import { judgeShape, type ShapedTransaction } from './judge-shape.ts';
import { type ParsedTransaction, parseTransaction } from './parse-transaction.ts';
import { configAddress } from './program-addresses.ts';
import { decodeArgs } from './read-instruction.ts';
import { isAbsent, verifyPresentSignatures } from './signatures.ts';

const MAX_TRANSACTIONS = 4;

const SYSTEM_PROGRAM = '11111111111111111111111111111111';

export type ListingAction = 'list' | 'cancel';

/** What a listing is judged by. Addresses are in base58. */
export interface ListingFacts extends ComputeCaps {
  readonly type: ListingAction;
  /** The ticket program in the token's mode. */
  readonly programId: string;
  /** The co-signing authorities in the token's mode: the present one, then the one before while the program knows it. */
  readonly authorities: readonly string[];
  /** The custodial wallet of the token's fan. */
  readonly fanWallet: string;
  /** Keys of this service, besides `authorities` and `fanWallet`, that must neither pay nor be chosen as an account. */
  readonly ourKeys: ReadonlySet<string>;
}

/** A transaction that passed the checks that need neither database nor chain. Addresses are in base58. */
export interface JudgedListing {
  readonly transaction: ParsedTransaction;
  readonly permit: string;
  /** The permit's owner in the transaction; `find-refusal.ts` compares it. */
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
  checkCount(transactions, MAX_TRANSACTIONS, 'transactions');
  const shape = shapeFor(facts);
  const judged = transactions.map((text, index) => judgeAt(placeOf(index), () => judgeOne(text, shape, facts)));
  // with two signed listings of one permit at different prices, the submitter could choose
  const permits = judged.map(({ permit }) => permit);
  checkDistinct(permits, 'repeated_permit', placeOf, (permit, first) => `${permit}, as ${first}`);
  await verifyPresentSignatures(judged, placeOf);
  return judged;
}

/** The distinct marketplaces of listings. */
export function marketplacesOf(judged: readonly JudgedListing[]): string[] {
  return [...new Set(judged.flatMap(({ marketplace }) => marketplace ?? []))];
}

/** The place of a transaction in the request, for refusals. */
export function placeOf(index: number): string {
  return `transactions[${index}]`;
}

function shapeFor(facts: ListingFacts): AllowedShape {
  const { type, authorities, fanWallet, ...rest } = facts;
  return {
    ...rest,
    instruction: type === 'list' ? 'create_listing_v1' : 'cancel_listing_v1',
    knownAccounts: new Map([
      ['config', [configAddress(rest.programId).address]],
      ['owner', [fanWallet]],
      ['authority', authorities],
    ]),
    comparedByCaller: 'owner',
    payingSlot: 'marketplace',
    ourKeys: new Set([...rest.ourKeys, ...authorities, fanWallet]),
  };
}

function judgeOne(text: string, shape: AllowedShape, facts: ListingFacts): JudgedListing {
  const shaped = judgeShape(parseTransaction(decodeTransactionText(text)), shape);
  const { transaction, feePayer, addresses } = shaped;
  const terms = facts.type === 'list' ? readTerms(shaped) : { price: null, marketplace: null };
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
    slots: { fanWallet: shaped.indexOf(facts.fanWallet), authority: shaped.indexOf(authority) },
    signatures: transaction.signatures.map((signature) => (isAbsent(signature) ? null : signature)),
    sentence: sentenceOf(permit, terms, feePayer, facts),
  };
}

type Terms = Pick<JudgedListing, 'price' | 'marketplace'>;

function readTerms(shaped: ShapedTransaction): Terms {
  const { price } = decodeArgs('create_listing_v1', shaped.data);
  const marketplace = shaped.accountIn('marketplace');
  if (price === 0n) throw new ChainError('price_zero');
  // nobody holds the zero address: the listing could never be sold
  if (marketplace === SYSTEM_PROGRAM) throw new ChainError('marketplace_zero');
  return { price, marketplace };
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
