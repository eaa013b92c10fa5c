import type { ExplainResponse, Ticket } from '@fan-api/sdk';

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
  explained?: ExplainResponse | undefined;
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
  /** The result of the claim. */
  claimed?: { ticket: Ticket; seller: string; buyer: string; transferId: string } | undefined;
}

/** @throws Error for anything but a number of SOL with at most 9 decimals */
export function lamportsOf(sol: string): bigint {
  const [, whole = '', decimals = ''] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(sol.trim()) ?? [];
  if (whole === '') throw new Error('The price must be a number of SOL, such as 2 or 0.5.');
  return BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0'));
}
