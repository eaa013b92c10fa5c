import { type AllowedShape, addressAt, type Call, type Candidate } from './candidate.ts';
import { ChainError } from './chain-error.ts';
import { instructionDataLength, instructionNameOf, instructionOf } from './read-instruction.ts';

/** The ticket instruction of a candidate. @throws ChainError `no_instruction` */
export function ticketCall({ calls }: Candidate, { programId, instruction }: AllowedShape): Call {
  const call = calls.find(({ program }) => program === programId);
  if (call === undefined) throw new ChainError('no_instruction', { detail: `${instruction} is missing` });
  return call;
}

/** Every call of our program is the requested instruction. */
export function checkInstructionAskedFor({ calls }: Candidate, { programId, instruction }: AllowedShape): void {
  for (const [at, { program, data }] of calls.entries()) {
    if (program !== programId) continue;
    const name = instructionNameOf(data) ?? 'an unknown instruction';
    if (name !== instruction) {
      throw new ChainError('wrong_instruction', { detail: `instruction ${at} is ${name}, not ${instruction}` });
    }
  }
}

export function checkOneInstruction(candidate: Candidate, shape: AllowedShape): void {
  const count = candidate.calls.filter(({ program }) => program === shape.programId).length;
  if (count > 1) throw new ChainError('repeated_instruction', { detail: `${count} of ${shape.instruction}` });
}

export function checkDataLength(candidate: Candidate, shape: AllowedShape): void {
  const { data } = ticketCall(candidate, shape);
  const expected = instructionDataLength(shape.instruction);
  if (data.length !== expected) {
    throw new ChainError('data_length', { detail: `${data.length} bytes, not ${expected}` });
  }
}

export function checkAccountCount(candidate: Candidate, shape: AllowedShape): void {
  const { accountIndexes } = ticketCall(candidate, shape);
  const expected = instructionOf(shape.instruction).accounts.length;
  if (accountIndexes.length !== expected) {
    throw new ChainError('account_count', { detail: `${accountIndexes.length} accounts, not ${expected}` });
  }
}

export function checkKnownAccounts(candidate: Candidate, shape: AllowedShape): void {
  for (const { name, address } of filledSlots(candidate, shape)) {
    const known = shape.knownAccounts.get(name);
    if (name !== shape.comparedByCaller && known !== undefined && !known.includes(address)) {
      throw new ChainError('wrong_account', { detail: wrongAccountDetail(name, address, known[0] ?? 'any') });
    }
  }
}

/** What is wrong with an account in a slot that is for another one. */
export function wrongAccountDetail(slot: string, address: string, known: string): string {
  return `${slot} is ${address}, not ${known}`;
}

/** In a slot that the partner chooses, a key of ours would get an undeclared role. */
export function checkOurKeysInPlace(candidate: Candidate, shape: AllowedShape): void {
  for (const { name, address } of filledSlots(candidate, shape)) {
    if (!shape.knownAccounts.has(name) && shape.ourKeys.has(address)) {
      throw new ChainError('our_key_misplaced', { detail: `${name} is ${address}` });
    }
  }
}

/** An account in two roles would have the rights of both. */
export function checkDistinctAccounts(candidate: Candidate, shape: AllowedShape): void {
  const { accountIndexes } = ticketCall(candidate, shape);
  if (new Set(accountIndexes).size !== accountIndexes.length) throw new ChainError('repeated_account');
}

/** A declared account of the ticket instruction, with the account in its place. */
export interface FilledSlot {
  readonly name: string;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly index: number;
  readonly address: string;
}

/** The accounts of the ticket instruction with their declarations. */
export function filledSlots(candidate: Candidate, shape: AllowedShape): FilledSlot[] {
  const declared = instructionOf(shape.instruction).accounts;
  return Array.from(ticketCall(candidate, shape).accountIndexes, (index, at) => ({
    name: declared[at]?.name ?? `account ${at}`,
    signer: declared[at]?.signer ?? false,
    writable: declared[at]?.writable ?? false,
    index,
    address: addressAt(candidate.addresses, index),
  }));
}
