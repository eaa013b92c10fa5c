import type { Ticket } from '../tickets/fetch-tickets.ts';

/** What the partner wants of the Fan API. */
export type TradeKind = 'list' | 'cancel' | 'claim';

/** A transaction on its way: built, perhaps explained, signed, submitted. */
export interface BuiltTransaction {
  ticketId: string;
  /** In hex; signed by the partner's wallet only. */
  hex: string;
  /** ISO 8601. */
  at: string;
  instruction: DecodedInstruction;
  explained?: Explanation | undefined;
  /** In hex; signed by all. */
  signed?: string | undefined;
  /** Signature of the confirmed transaction. */
  confirmed?: string | undefined;
}

/** The ticket instruction of a transaction, in words. */
export interface DecodedInstruction {
  name: string;
  accounts: { name: string; address: string; signer: boolean; writable: boolean }[];
  /** In hex. */
  data: string;
  blockhash: string;
  feePayer: string;
}

/** An answer to `Prefer: explain`. */
export interface Explanation {
  transactions: ExplainedTransaction[];
}

export interface ExplainedTransaction {
  accepted: boolean;
  instructions: ExplainedInstruction[];
  rules: ExplainedRule[];
}

/** An instruction as the service reads it. */
export interface ExplainedInstruction {
  program: string;
  program_name?: string | null;
  name?: string | null;
  accounts: { role: string | null; address: string | null; signer: boolean; writable: boolean }[];
  arguments?: Record<string, string>;
  data: string;
}

export interface ExplainedRule {
  rule: string;
  passed: boolean;
  message?: string | null;
  fix?: string | null;
}

/** The way of one ticket from its holder to its buyer. */
export interface Sale {
  /** The chosen one; empty before. */
  ticketId: string;
  /** In SOL, as typed. */
  price: string;
  /** The partner's wallet: pays fees, and is the marketplace. Test network only. */
  wallet?: { address: string; secret: number[]; lamports: number } | undefined;
  /** The listing that was submitted and not cancelled. */
  listed?: { ticket: Ticket; seller: string } | undefined;
  /** `sub` of the test user who buys. */
  buyer?: string | undefined;
  transactions: Partial<Record<TradeKind, BuiltTransaction>>;
  /** What the claim answered. */
  claimed?: { ticket: Ticket; seller: string; buyer: string; transferId: string } | undefined;
}
