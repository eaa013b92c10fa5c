import type { TransactionErrorJson } from '../transaction-error.ts';

/** An account as stored in files. Lamports and rent epoch are decimal text, since they may exceed 2^53. */
export interface StoredAccount {
  key: string;
  lamports: string;
  owner: string;
  executable: boolean;
  rentEpoch: string;
  data: string;
}

/** An account that was closed: its balance is zero. */
export interface ClosedAccount {
  key: string;
}

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
