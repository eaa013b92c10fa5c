import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { ComputeBudgetProgram, type TransactionInstruction } from '@solana/web3.js';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import type { Chain } from '../chains.ts';
import { encodeInstruction } from './instructions.ts';

/** A permit that can be closed. Addresses are in base58. */
export interface PermitToClose {
  readonly id: Uuid;
  /** Address of the Permit account. */
  readonly address: string;
  /** Address of the Event account. */
  readonly event: string;
  /** The most permits in a transaction with it, after a refusal. */
  readonly together: number | null;
}

/** A permit that can be issued. */
export interface PermitToIssue extends PermitToClose {
  /** The 32-byte onchain id of the ticket, base58. */
  readonly ticketId: string;
  /** The holder's wallet. */
  readonly owner: string;
}

type OurKeys = Pick<Chain, 'programId' | 'authority' | 'payer'>;

/** What transactions of many permits do: how large an instruction is, what it costs, and what it says. */
export interface BatchKind<Permit extends PermitToClose> {
  /** The most permits of one event in a transaction. */
  readonly most: number;
  readonly bytesOf: (permits: readonly Permit[]) => number;
  /** Compute units of one permit. */
  readonly unitsOf: (programId: string, permit: Permit) => number;
  readonly instructionOf: (keys: OurKeys, permit: Permit) => TransactionInstruction;
}

/** The most that a transaction may have. */
const TRANSACTION_BYTES = 1_232;
const ADDRESS = 32;
/** Two signatures, header, blockhash, lengths, and the two instructions of the Compute Budget program. */
const BASE_BYTES = 1 + 2 * 64 + 3 + 1 + 32 + 1 + 8 + 12;

/**
 * @param commonAccounts accounts that all instructions share
 * @param instructionBytes of one instruction: its account indexes and data, and the lengths before them
 */
function sizes(commonAccounts: number, instructionBytes: number): Pick<BatchKind<PermitToClose>, 'most' | 'bytesOf'> {
  const bytesOf = (events: number, permits: number) =>
    BASE_BYTES + ADDRESS * (commonAccounts + events) + permits * (ADDRESS + instructionBytes);
  return {
    most: Math.floor((TRANSACTION_BYTES - bytesOf(1, 0)) / (ADDRESS + instructionBytes)),
    bytesOf: (permits) => bytesOf(new Set(permits.map(({ event }) => event)).size, permits.length),
  };
}

/** Measured on the VM, and compared by a test: what one permit takes, and each bump that the search for its address tries. */
const ISSUE_UNITS = 2_435;
const BUMP_UNITS = 348;
/** More, where somebody sent lamports to the address before. A transaction that was refused is made again with them. */
const FUNDED_UNITS = 2_276;
const CLOSE_UNITS = 1_054;
const COMPUTE_BUDGET_UNITS = 300;
/** Asked for beyond what is taken: a fifth. */
const MARGIN = 1.2;

export const ISSUE: BatchKind<PermitToIssue> = {
  // payer, authority, configuration, System program, ticket program, Compute Budget program; six indexes and 72 bytes
  ...sizes(6, 1 + 1 + 6 + 1 + 72),
  unitsOf: (programId, { event, ticketId, together }) =>
    ISSUE_UNITS +
    (together === null ? 0 : FUNDED_UNITS) +
    (256 - permitAddress(programId, event, addressBytes(ticketId)).bump) * BUMP_UNITS,
  instructionOf: ({ programId, authority, payer }, { address, event, ticketId, owner }) =>
    encodeInstruction(
      programId,
      'issue_permit_v1',
      { event, permit: address, authority, payer },
      { ticket_id: addressBytes(ticketId), owner },
    ),
};

export const CLOSE: BatchKind<PermitToClose> = {
  // payer, authority, configuration, ticket program, Compute Budget program; five indexes and 8 bytes
  ...sizes(5, 1 + 1 + 5 + 1 + 8),
  unitsOf: () => CLOSE_UNITS,
  instructionOf: ({ programId, authority, payer }, { address, event }) =>
    encodeInstruction(programId, 'close_permit_v1', { event, permit: address, authority, receiver: payer }, {}),
};

/** Packs permits into as few transactions as their events and their limits after a refusal allow. */
export function packPermits<Permit extends PermitToClose>(
  { most, bytesOf }: BatchKind<Permit>,
  permits: readonly Permit[],
): Permit[][] {
  const ordered = [...permits].sort(
    (a, b) => (a.together ?? 0) - (b.together ?? 0) || (a.event < b.event ? -1 : a.event > b.event ? 1 : 0),
  );
  const batches: Permit[][] = [];
  for (const permit of ordered) {
    const batch = batches.at(-1);
    // a refused one is packed with other refused ones, so that a good one never waits for it
    const alike = batch?.[0]?.together === permit.together;
    const hasRoom =
      batch && batch.length < (permit.together ?? most) && bytesOf([...batch, permit]) <= TRANSACTION_BYTES;
    if (alike && hasRoom) batch.push(permit);
    else batches.push([permit]);
  }
  return batches;
}

/** The compute units that a transaction with these permits may use: what it takes, and a fifth. */
export function unitsOf<Permit extends PermitToClose>(
  kind: BatchKind<Permit>,
  programId: string,
  permits: readonly Permit[],
): number {
  const taken = permits.reduce((units, permit) => units + kind.unitsOf(programId, permit), COMPUTE_BUDGET_UNITS);
  return Math.ceil(taken * MARGIN);
}

/**
 * The instructions of one transaction of permits.
 * @param price micro-lamports per compute unit
 */
export function batchInstructions<Permit extends PermitToClose>(
  kind: BatchKind<Permit>,
  keys: OurKeys,
  permits: readonly Permit[],
  price: number,
): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: unitsOf(kind, keys.programId, permits) }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: price }),
    ...permits.map((permit) => kind.instructionOf(keys, permit)),
  ];
}

/** Lamports that the cluster takes for a transaction of two signatures. @param price micro-lamports per compute unit */
export function feeOf(units: number, price: number): bigint {
  return 2n * 5_000n + (BigInt(units) * BigInt(price) + 999_999n) / 1_000_000n;
}
