import { sizeOf } from '@fan-api/ticket-program/description';
import { type Call, type Candidate, COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from './candidate.ts';
import { isKind, SET_COMPUTE_UNIT_LIMIT, SET_COMPUTE_UNIT_PRICE } from './compute-budget.ts';
import { isSigner, isWritable } from './parse-transaction.ts';
import { readFields } from './read-fields.ts';
import { instructionDataLength, instructionNameOf, instructionOf } from './read-instruction.ts';

/** An instruction of a transaction in words. */
export interface DescribedInstruction {
  /** Address of the program, base58. */
  readonly program: string;
  /** What the program is; null where the policy does not know it. */
  readonly program_name: 'ticket program' | 'Compute Budget' | 'System' | null;
  /** Null where it is not known. */
  readonly name: string | null;
  readonly accounts: readonly DescribedAccount[];
  /** Numbers in decimal, as they may be beyond what JSON numbers hold. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Hex. */
  readonly data: string;
}

export interface DescribedAccount {
  /** The account's name in the instruction; null where it is not declared. */
  readonly role: string | null;
  /** Base58; null where it comes from a lookup table. */
  readonly address: string | null;
  readonly signer: boolean;
  readonly writable: boolean;
}

/** The Compute Budget instructions that have names. Their data is a byte of kind, then a number. */
const COMPUTE_BUDGET_NAMES: Readonly<Record<number, string>> = {
  1: 'RequestHeapFrame',
  2: 'SetComputeUnitLimit',
  3: 'SetComputeUnitPrice',
  4: 'SetLoadedAccountsDataSizeLimit',
};

const SYSTEM_NAMES: Readonly<Record<number, string>> = {
  0: 'CreateAccount',
  1: 'Assign',
  2: 'Transfer',
  3: 'CreateAccountWithSeed',
  4: 'AdvanceNonceAccount',
  8: 'Allocate',
};

/** The instructions of a transaction with names, roles and arguments. @param programId of the ticket program */
export function describeInstructions(candidate: Candidate, programId: string): DescribedInstruction[] {
  return candidate.calls.map((call) => describeCall(candidate, call, programId));
}

function describeCall(candidate: Candidate, call: Call, programId: string): DescribedInstruction {
  const { program, data } = call;
  const hex = Buffer.from(data).toString('hex');
  if (program === programId) return { ...describeTicketCall(candidate, call), data: hex };
  const accounts = accountsOf(candidate, call, []);
  if (program === COMPUTE_BUDGET_PROGRAM) {
    return { program, program_name: 'Compute Budget', ...describeComputeBudget(data), accounts, data: hex };
  }
  const isSystem = program === SYSTEM_PROGRAM && data.length >= 4;
  const name = isSystem ? (SYSTEM_NAMES[Buffer.from(data).readUInt32LE()] ?? null) : null;
  return {
    program,
    program_name: program === SYSTEM_PROGRAM ? 'System' : null,
    name,
    accounts,
    arguments: {},
    data: hex,
  };
}

function describeTicketCall(candidate: Candidate, call: Call): Omit<DescribedInstruction, 'data'> {
  const { program, data } = call;
  const name = instructionNameOf(data) ?? null;
  const described = name === null ? undefined : instructionOf(name);
  const fits = name !== null && data.length === instructionDataLength(name);
  const args = described?.args ?? [];
  const values: Record<string, unknown> = fits ? readFields(args, data.subarray(data.length - sizeOf(args))) : {};
  return {
    program,
    program_name: 'ticket program',
    name,
    accounts: accountsOf(candidate, call, described?.accounts ?? []),
    arguments: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)])),
  };
}

function describeComputeBudget(data: Uint8Array): Pick<DescribedInstruction, 'name' | 'arguments'> {
  const view = Buffer.from(data);
  const name = COMPUTE_BUDGET_NAMES[data[0] ?? -1] ?? null;
  if (isKind(data, SET_COMPUTE_UNIT_LIMIT)) return { name, arguments: { units: String(view.readUInt32LE(1)) } };
  if (isKind(data, SET_COMPUTE_UNIT_PRICE)) {
    return { name, arguments: { micro_lamports: String(view.readBigUInt64LE(1)) } };
  }
  return { name, arguments: {} };
}

function accountsOf(
  { transaction, addresses }: Candidate,
  { accountIndexes }: Call,
  declared: readonly { readonly name: string }[],
): DescribedAccount[] {
  return Array.from(accountIndexes, (index, at) => ({
    role: declared[at]?.name ?? null,
    address: addresses[index] ?? null,
    signer: isSigner(transaction, index),
    writable: isWritable(transaction, index),
  }));
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
