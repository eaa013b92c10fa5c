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

/**
 * A signature covers the whole message, so everything in it must be declared. Where an attack breaks several rules, the most specific
 * refusal comes first.
 */
const CHECKS: readonly ((candidate: Candidate, shape: AllowedShape) => void)[] = [
  checkNoLookupTables,
  checkNoDurableNonce,
  checkNoKeyOfOursIsProgram,
  checkProgramsAllowed,
  checkComputeBudgetKinds,
  checkComputeBudgetAccounts,
  checkComputeBudgetOnce,
  checkComputeUnitLimit,
  checkComputeUnitPrice,
  checkInstructionAskedFor,
  checkOneInstruction,
  checkDataLength,
  checkAccountCount,
  checkFeePayer,
  checkKnownAccounts,
  checkOurKeysInPlace,
  checkDistinctAccounts,
  checkNoForeignSigner,
  checkSlotFlags,
  checkProgramFlags,
  checkNoUnusedAccount,
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
  for (const check of CHECKS) check(candidate, shape);

  const accounts = new Map(filledSlots(candidate, shape).map(({ name, address }) => [name, address]));
  return {
    transaction,
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
