import { type AllowedShape, type Candidate, candidateOf } from './candidate.ts';
import {
  checkFeePayer,
  checkNoForeignSigner,
  checkNoUnusedAccount,
  checkProgramFlags,
  checkSlotFlags,
} from './check-accounts.ts';
import {
  checkComputeBudgetAccounts,
  checkComputeBudgetKinds,
  checkComputeBudgetOnce,
  checkComputeUnitLimit,
  checkComputeUnitPrice,
  checkNoDurableNonce,
  checkNoKeyOfOursIsProgram,
  checkNoLookupTables,
  checkProgramsAllowed,
} from './check-programs.ts';
import {
  checkAccountCount,
  checkDataLength,
  checkDistinctAccounts,
  checkInstructionAskedFor,
  checkKnownAccounts,
  checkOneInstruction,
  checkOurKeysInPlace,
  filledSlots,
  ticketCall,
} from './check-ticket-instruction.ts';
import type { ParsedTransaction } from './parse-transaction.ts';
import type { RuleName } from './rules.ts';

/** A rule about the shape of a transaction. Its check throws the ChainError of this rule. */
export interface ShapeRule {
  readonly rule: RuleName;
  readonly check: (candidate: Candidate, shape: AllowedShape) => void;
  /** Rules that stand before it and without which it cannot be judged. */
  readonly after?: readonly RuleName[];
}

const ONE_INSTRUCTION: readonly RuleName[] = ['wrong_instruction', 'repeated_instruction', 'no_instruction'];

/** Without these, the accounts of the ticket instruction are not the declared ones. */
export const ACCOUNTS_READABLE: readonly RuleName[] = ['lookup_table', ...ONE_INSTRUCTION, 'account_count'];

/**
 * A signature covers the whole message, so everything in it must be declared. Where an attack breaks several rules, the most specific
 * refusal comes first.
 */
export const SHAPE_RULES: readonly ShapeRule[] = [
  { rule: 'lookup_table', check: checkNoLookupTables },
  { rule: 'durable_nonce', check: checkNoDurableNonce },
  { rule: 'our_key_as_program', check: checkNoKeyOfOursIsProgram },
  { rule: 'foreign_program', check: checkProgramsAllowed },
  { rule: 'compute_budget_kind', check: checkComputeBudgetKinds },
  { rule: 'compute_budget_accounts', check: checkComputeBudgetAccounts },
  { rule: 'compute_budget_repeated', check: checkComputeBudgetOnce },
  { rule: 'compute_unit_limit', check: checkComputeUnitLimit },
  { rule: 'compute_unit_price', check: checkComputeUnitPrice },
  { rule: 'wrong_instruction', check: checkInstructionAskedFor },
  { rule: 'repeated_instruction', check: checkOneInstruction },
  { rule: 'no_instruction', check: ticketCall },
  { rule: 'data_length', check: checkDataLength, after: ONE_INSTRUCTION },
  { rule: 'account_count', check: checkAccountCount, after: ONE_INSTRUCTION },
  { rule: 'our_key_pays', check: checkFeePayer },
  { rule: 'wrong_account', check: checkKnownAccounts, after: ACCOUNTS_READABLE },
  { rule: 'our_key_misplaced', check: checkOurKeysInPlace, after: ACCOUNTS_READABLE },
  { rule: 'repeated_account', check: checkDistinctAccounts, after: ACCOUNTS_READABLE },
  { rule: 'foreign_signer', check: checkNoForeignSigner, after: ACCOUNTS_READABLE },
  { rule: 'wrong_flags', check: checkSlotFlags, after: ACCOUNTS_READABLE },
  { rule: 'wrong_flags', check: checkProgramFlags },
  { rule: 'unused_account', check: checkNoUnusedAccount },
];

/** A transaction of the allowed shape. */
export interface ShapedTransaction {
  readonly transaction: ParsedTransaction;
  readonly feePayer: string;
  /** Every account key of the transaction in base58. */
  readonly addresses: readonly string[];
  /** The data of the ticket instruction, discriminator included. */
  readonly data: Uint8Array;
  /** The base58 address in a slot of the ticket instruction. */
  readonly accountIn: (slot: string) => string;
  /** The index of an address, and so of its signature; -1 where it is absent. */
  readonly indexOf: (address: string) => number;
}

/** Judges a parsed transaction, but not its signatures, against a shape. @throws ChainError of the first broken rule */
export function judgeShape(transaction: ParsedTransaction, shape: AllowedShape): ShapedTransaction {
  const candidate = candidateOf(transaction);
  for (const { check } of SHAPE_RULES) check(candidate, shape);
  return shapedOf(candidate, shape);
}

/** What a candidate says, once its ticket instruction names its declared accounts. */
export function shapedOf(candidate: Candidate, shape: AllowedShape): ShapedTransaction {
  const accounts = new Map(filledSlots(candidate, shape).map(({ name, address }) => [name, address]));
  return {
    transaction: candidate.transaction,
    feePayer: candidate.feePayer,
    addresses: candidate.addresses,
    data: ticketCall(candidate, shape).data,
    accountIn: (slot) => {
      const address = accounts.get(slot);
      if (address === undefined) throw new RangeError(`${shape.instruction} has no account ${slot}`);
      return address;
    },
    indexOf: (address) => candidate.addresses.indexOf(address),
  };
}
