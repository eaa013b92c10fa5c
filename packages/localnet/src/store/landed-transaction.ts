import type { TransactionErrorJson } from '../transaction-error.ts';
import type { ClosedAccount, StoredAccount } from './stored-account.ts';

/** What a token account of a transaction held. */
export interface TokenBalance {
  /** In the message's order. */
  accountIndex: number;
  /** Base58, as are `owner` and `programId`. */
  mint: string;
  owner: string;
  programId: string;
  /** Decimal text of the smallest units. */
  amount: string;
  decimals: number;
}

/**
 * A transaction that the network executed and charged for, with what a client may ask about it and with the state of
 * the accounts it wrote. All bytes are base64.
 */
export interface LandedTransaction {
  slot: number;
  /** Unix seconds. */
  blockTime: number;
  /** Base58, as clients name it. */
  signature: string;
  wire: string;
  err: TransactionErrorJson | null;
  /** Lamports. */
  fee: number;
  /** Lamports of each account, in the message's order, before and after. */
  before: number[];
  after: number[];
  /** Absent in lines from before they were recorded. */
  tokens?: { before: TokenBalance[]; after: TokenBalance[] };
  logs: string[];
  inner: InnerInstructions[];
  computeUnits: number;
  returnData: { programId: string; data: string } | null;
  loaded: { writable: string[]; readonly: string[] };
  written: (StoredAccount | ClosedAccount)[];
}

/** The instructions that the instruction at `index` invoked. */
export interface InnerInstructions {
  index: number;
  instructions: { program: number; accounts: number[]; data: string; stackHeight: number }[];
}
