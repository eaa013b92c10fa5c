import { encodeBase58 } from '@fan-api/solana-wire/base58';
import bs58 from 'bs58';
import { ACTIONS, type PolicyAction, type PolicyFacts, shapeFor } from './actions.ts';
import { type AllowedShape, type Candidate, candidateOf, SYSTEM_PROGRAM } from './candidate.ts';
import { ChainError } from './chain-error.ts';
import { checkCount } from './check-request.ts';
import { decodeTransactionHex, decodeTransactionText, parseDecoded } from './decode-transaction-text.ts';
import { claimOf, type JudgedClaim } from './judge-claim-transactions.ts';
import { type JudgedListing, listingOf, namePermit, TERM_RULES, termsOf } from './judge-listing-transactions.ts';
import { ACCOUNTS_READABLE, checkRule, SHAPE_RULES, shapedOf } from './judge-shape.ts';
import { MAX_VERSION_ONE_BYTES, type ParsedTransaction, parseTransaction } from './parse-transaction.ts';
import { type RuleName, WIRE_RULES } from './rules.ts';
import { checkFullySigned, verifyPresentSignatures } from './signatures.ts';
import { failBy, hasPassed, judgeRule, type Marks, pass } from './verdicts.ts';

/** A transaction that was judged by every rule that needs only the request, not only up to the first refusal. */
export interface Examined {
  readonly marks: Marks;
  /** Undefined where the text holds no transaction. */
  readonly candidate: Candidate | undefined;
  /** What it would list or cancel; undefined where its ticket instruction cannot be read, and for claims. */
  readonly listing: JudgedListing | undefined;
  /** What it would claim; undefined where its ticket instruction cannot be read, and for listings. */
  readonly claim: JudgedClaim | undefined;
}

/** The rules that must pass before a transaction shows what it lists, cancels or claims. */
export const TERMS_READABLE: readonly RuleName[] = [...ACCOUNTS_READABLE, 'data_length'];

/**
 * Judges the transactions of a request by all rules that need no chain and no database. It accepts what `judgeListingTransactions`
 * and `judgeClaimTransactions` accept, and their refusal is among the failed rules.
 * @param texts as they are sent
 */
export async function examineTransactions(
  texts: readonly string[],
  action: PolicyAction,
  facts: PolicyFacts,
): Promise<Examined[]> {
  const shape = shapeFor(action, facts);
  // the zero address, which signs nothing, in place of an unknown wallet
  const examined = texts.map((text) => examineOne(text, action, shape, facts.fanWallet ?? SYSTEM_PROGRAM));
  await Promise.all(examined.map(examineSignatures));
  examineRequest(examined, action);
  return examined;
}

function examineOne(text: string, action: PolicyAction, shape: AllowedShape, fanWallet: string): Examined {
  const marks: Marks = new Map();
  const transaction = readTransaction(marks, text, action);
  if (transaction === undefined) return { marks, candidate: undefined, listing: undefined, claim: undefined };
  const candidate = candidateOf(transaction);
  for (const { rule, find, after } of SHAPE_RULES) {
    judgeRule(marks, rule, () => checkRule(rule, find(candidate, shape)), after);
  }
  if (ACTIONS[action].fullySigned) judgeRule(marks, 'signature_missing', () => checkFullySigned(transaction));
  if (!TERMS_READABLE.every((rule) => hasPassed(marks, rule))) {
    for (const { rule } of TERM_RULES) judgeRule(marks, rule, () => {}, TERMS_READABLE);
    return { marks, candidate, listing: undefined, claim: undefined };
  }
  const shaped = shapedOf(candidate, shape);
  if (action === 'claim') return { marks, candidate, listing: undefined, claim: claimOf(shaped) };
  const terms = termsOf(action, shaped);
  for (const { rule, find } of TERM_RULES) judgeRule(marks, rule, () => checkRule(rule, find(terms)));
  return { marks, candidate, listing: listingOf(shaped, terms, fanWallet), claim: undefined };
}

/** Reads the transaction in a text. One in another encoding breaks the rule `encoding`, and is judged by the other rules too. */
function readTransaction(marks: Marks, text: string, action: PolicyAction): ParsedTransaction | undefined {
  const decode = ACTIONS[action].encodings.includes('base64') ? decodeTransactionText : decodeTransactionHex;
  try {
    const bytes = decode(text);
    pass(marks, 'encoding');
    return passWire(marks, parseDecoded(text, bytes));
  } catch (error) {
    failBy(marks, error);
  }
  const transaction = hasPassed(marks, 'encoding') ? undefined : readOtherEncoding(text);
  return transaction && passWire(marks, transaction);
}

function passWire(marks: Marks, transaction: ParsedTransaction): ParsedTransaction {
  for (const rule of WIRE_RULES) pass(marks, rule);
  return transaction;
}

/** A transaction in base64 where only hex is accepted, or in base58, in which wallets and explorers give it. */
function readOtherEncoding(text: string): ParsedTransaction | undefined {
  if (text.length > MAX_VERSION_ONE_BYTES) return undefined;
  for (const read of [decodeTransactionText, (each: string) => bs58.decodeUnsafe(each) ?? new Uint8Array()]) {
    try {
      return parseTransaction(read(text));
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
    }
  }
  return undefined;
}

async function examineSignatures({ marks, candidate }: Examined): Promise<void> {
  if (candidate === undefined) return;
  try {
    await verifyPresentSignatures([candidate], () => '');
    pass(marks, 'signature_invalid');
  } catch (error) {
    failBy(marks, error);
  }
  // our keys sign a message in one way only (Ed25519): a valid signature of theirs is the one that they would make again
  judgeRule(marks, 'signature_conflict', () => {}, ['signature_invalid']);
}

/** Rules that compare the transactions of a request. */
function examineRequest(examined: readonly Examined[], action: PolicyAction): void {
  const field = action === 'claim' ? 'tickets' : 'transactions';
  for (const { marks } of examined) {
    judgeRule(marks, 'transaction_count', () => checkCount(examined, ACTIONS[action].mostTransactions, field));
  }
  const placeOf = (index: number) => (action === 'claim' ? `tickets[${index}].tx` : `transactions[${index}]`);
  const signatures = examined.map(({ candidate }) => {
    const [signature] = candidate?.transaction.signatures ?? [];
    return signature && encodeBase58(signature);
  });
  const permits = examined.map(({ listing, claim }) => (listing ?? claim)?.permit);
  for (const [index, { marks }] of examined.entries()) {
    if (action === 'claim' && signatures[index] !== undefined) {
      const check = () => checkRule('repeated_transaction', repeatOf(signatures, index, placeOf));
      judgeRule(marks, 'repeated_transaction', check, ['signature_missing']);
    }
    const detailOf = action === 'claim' ? undefined : namePermit;
    const check = () => checkRule('repeated_permit', repeatOf(permits, index, placeOf, detailOf));
    judgeRule(marks, 'repeated_permit', check, TERMS_READABLE);
  }
}

/** The detail of a refusal where an earlier transaction has the same key; undefined where the key is new or unknown. */
function repeatOf(
  keys: readonly (string | undefined)[],
  index: number,
  placeOf: (index: number) => string,
  detailOf: (key: string, first: string) => string = (_, first) => `as ${first}`,
): string | undefined {
  const key = keys[index];
  const first = keys.indexOf(key);
  return key === undefined || first === index ? undefined : detailOf(key, placeOf(first));
}
