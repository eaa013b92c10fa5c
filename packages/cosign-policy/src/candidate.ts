import { addressOf } from '@fan-api/solana-wire/base58';
import type { InstructionName } from '@fan-api/ticket-program/description';
import { ChainError } from './chain-error.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

/** Also the zero address, for which nobody has a key. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

/** The only shape that a transaction may have. Addresses are in base58. */
export interface AllowedShape {
  readonly programId: string;
  /** The only ticket instruction, exactly once. */
  readonly instruction: InstructionName;
  /**
   * By slot name, the accounts that may be in the slot, the usual one first; undefined where they are not known here. The partner
   * chooses what is in other slots.
   */
  readonly knownAccounts: ReadonlyMap<string, readonly string[] | undefined>;
  /** The slot whose account may also pay the fee, and is then a writable signer. */
  readonly payingSlot?: string;
  /** The known slot that the caller compares itself, because its refusal depends on more than the transaction. */
  readonly comparedByCaller?: string;
  /** Wallets and keys of this service: they never pay, and appear only in a slot of `knownAccounts`. */
  readonly ourKeys: ReadonlySet<string>;
}

/** An instruction with its program resolved. */
export interface Call {
  readonly program: string;
  readonly accountIndexes: Uint8Array;
  readonly data: Uint8Array;
}

/** A parsed transaction with its addresses resolved, ready to be judged against a shape. */
export interface Candidate {
  readonly transaction: ParsedTransaction;
  /** The static account keys in base58; the first pays the fee. */
  readonly addresses: readonly string[];
  readonly feePayer: string;
  readonly calls: readonly Call[];
}

export function candidateOf(transaction: ParsedTransaction): Candidate {
  const addresses = transaction.accountKeys.map(addressOf);
  const calls = transaction.instructions.map(({ programIndex, accountIndexes, data }) => {
    return { program: addressAt(addresses, programIndex), accountIndexes, data };
  });
  return { transaction, addresses, feePayer: addressAt(addresses, 0), calls };
}

/** The address of an account. @throws ChainError `lookup_table` for one that is not in the transaction itself */
export function addressAt(addresses: readonly string[], index: number): string {
  const address = addresses[index];
  if (address === undefined) throw new ChainError('lookup_table', { detail: `account ${index}` });
  return address;
}

/** The detail of a refusal: a slot has another account than the known one. */
export function wrongAccountDetail(slot: string, address: string, known: string): string {
  return `${slot} is ${address}, not ${known}`;
}
