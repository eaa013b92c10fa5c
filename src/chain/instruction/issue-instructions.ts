import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Chain } from '../chains.ts';
import { encodeInstruction } from './instructions.ts';

/** A permit that can be issued. Addresses are in base58. */
export interface PermitToIssue {
  readonly id: Uuid;
  /** Address of the Permit account. */
  readonly address: string;
  /** Address of the Event account. */
  readonly event: string;
  /** The 32-byte onchain id of the ticket, base58. */
  readonly ticketId: string;
  /** The holder's wallet. */
  readonly owner: string;
  /** The most permits in a transaction with it, after a refusal. */
  readonly together: number | null;
}

type IssuingChain = Pick<Chain, 'programId' | 'authority' | 'payer'>;

/** The most that a transaction may have. */
const TRANSACTION_BYTES = 1_232;
const ADDRESS = 32;
/** Two signatures, header, blockhash, lengths, and the two instructions of the Compute Budget program. */
const BASE_BYTES = 1 + 2 * 64 + 3 + 1 + 32 + 1 + 8 + 12;
/** Payer, authority, configuration, System program, ticket program, Compute Budget program. */
const COMMON_ACCOUNTS = 6;
/** Six account indexes, 72 bytes of data, and the lengths before them. */
const INSTRUCTION_BYTES = 1 + 1 + 6 + 1 + 72;

/** How many permits of one event a transaction holds. */
export const MOST_PERMITS = Math.floor(
  (TRANSACTION_BYTES - BASE_BYTES - (COMMON_ACCOUNTS + 1) * ADDRESS) / (ADDRESS + INSTRUCTION_BYTES),
);

/** Measured on the VM: what one permit costs besides the search for its address, which tries one bump after the other. */
const PERMIT_UNITS = 9_000;
const BUMP_UNITS = 1_500;
const COMPUTE_BUDGET_UNITS = 300;

/** Whether permits fit into one transaction. */
export function fits(permits: readonly PermitToIssue[]): boolean {
  const events = new Set(permits.map(({ event }) => event)).size;
  const bytes = BASE_BYTES + ADDRESS * (COMMON_ACCOUNTS + events) + permits.length * (ADDRESS + INSTRUCTION_BYTES);
  return bytes <= TRANSACTION_BYTES;
}

/** Packs permits into as few transactions as their events and their limits after a refusal allow. */
export function packPermits(permits: readonly PermitToIssue[]): PermitToIssue[][] {
  const ordered = [...permits].sort(
    (a, b) => (a.together ?? 0) - (b.together ?? 0) || (a.event < b.event ? -1 : a.event > b.event ? 1 : 0),
  );
  const batches: PermitToIssue[][] = [];
  for (const permit of ordered) {
    const batch = batches.at(-1);
    // a refused one is packed with other refused ones, so that a good one never waits for it
    const alike = batch?.[0]?.together === permit.together;
    if (batch && alike && batch.length < (permit.together ?? MOST_PERMITS) && fits([...batch, permit])) {
      batch.push(permit);
    } else {
      batches.push([permit]);
    }
  }
  return batches;
}

/** The compute units that a transaction with these permits may use. */
export function unitsOf(programId: string, permits: readonly PermitToIssue[]): number {
  return permits.reduce((units, { event, ticketId }) => {
    const { bump } = permitAddress(programId, event, addressBytes(ticketId));
    return units + PERMIT_UNITS + (256 - bump) * BUMP_UNITS;
  }, COMPUTE_BUDGET_UNITS);
}

/**
 * The instructions of one transaction that issues permits.
 * @param price micro-lamports per compute unit
 */
export function issueInstructions(
  { programId, authority, payer }: IssuingChain,
  permits: readonly PermitToIssue[],
  price: number,
): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitsOf(programId, permits) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
    ...permits.map(({ address, event, ticketId, owner }) =>
      encodeInstruction(
        programId,
        'issue_permit_v1',
        { event, permit: address, authority, payer },
        { ticket_id: addressBytes(ticketId), owner },
      ),
    ),
  ];
}

/** Lamports that the cluster takes for a transaction of two signatures. @param price micro-lamports per compute unit */
export function feeOf(units: number, price: number): bigint {
  return 2n * 5_000n + (BigInt(units) * BigInt(price) + 999_999n) / 1_000_000n;
}
