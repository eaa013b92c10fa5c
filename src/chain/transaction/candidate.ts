import { addressOf } from '@fan-api/solana-wire/base58';
import type { InstructionName } from '@fan-api/ticket-program/description';
import { ChainError } from '../../chain-error.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

/** The one shape that a transaction is allowed to have. Addresses are in base58. */
export interface AllowedShape {
  readonly programId: string;
  /** The only ticket instruction accepted, once. */
  readonly instruction: InstructionName;
  /** The accounts that are known beforehand, by slot name; the others are the partner's choice. */
  readonly knownAccounts: ReadonlyMap<string, string>;
  /** The one slot whose account may pay the fee too, and is then writable and a signer as every fee payer is. */
  readonly payingSlot?: string;
  /** The one known account that the caller compares itself, because what it answers depends on more than the transaction. */
  readonly comparedByCaller?: string;
  /** Wallets and keys of this service: they never pay, and stand nowhere but in a slot of `knownAccounts`. */
  readonly ourKeys: ReadonlySet<string>;
  readonly computeUnitLimitCap: number;
  /** In micro-lamports per compute unit. */
  readonly computeUnitPriceCap: bigint;
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

/**
 * The address of the account at `index`.
 *
 * @throws ChainError `lookup_table` for an account that is not in the transaction itself
 */
export function addressAt(addresses: readonly string[], index: number): string {
  const address = addresses[index];
  if (address === undefined) throw new ChainError('lookup_table', { detail: `account ${index}` });
  return address;
}
