import type { AllowedShape, Candidate } from './candidate.ts';
import { ChainError } from './chain-error.ts';
import { filledSlots } from './check-ticket-instruction.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

const FEE_PAYER_INDEX = 0;

/** The fan's wallet agreed to a listing, not to pay lamports. */
export function checkFeePayer({ feePayer }: Candidate, { ourKeys }: AllowedShape): void {
  if (ourKeys.has(feePayer)) throw new ChainError('our_key_pays', { detail: feePayer });
}

export function checkNoForeignSigner(candidate: Candidate, shape: AllowedShape): void {
  const declared = new Set(filledSlots(candidate, shape).flatMap(({ signer, index }) => (signer ? [index] : [])));
  for (const [index, address] of candidate.addresses.entries()) {
    const allowed = index === FEE_PAYER_INDEX || declared.has(index);
    if (isSigner(candidate.transaction, index) && !allowed) throw new ChainError('foreign_signer', { detail: address });
  }
}

/** Flags belong to the whole message, and so apply to every program that it calls. */
export function checkSlotFlags(candidate: Candidate, shape: AllowedShape): void {
  for (const { name, signer, writable, index } of filledSlots(candidate, shape)) {
    const pays = index === FEE_PAYER_INDEX && name === shape.payingSlot;
    checkFlags(candidate, name, index, pays || signer, pays || writable);
  }
}

export function checkProgramFlags(candidate: Candidate): void {
  for (const [at, { programIndex }] of candidate.transaction.instructions.entries()) {
    checkFlags(candidate, `the program of instruction ${at}`, programIndex, false, false);
  }
}

export function checkNoUnusedAccount({ transaction, addresses }: Candidate): void {
  const used = new Set([FEE_PAYER_INDEX]);
  for (const { programIndex, accountIndexes } of transaction.instructions) {
    used.add(programIndex);
    for (const index of accountIndexes) used.add(index);
  }
  const unused = addresses.find((_, index) => !used.has(index));
  if (unused !== undefined) throw new ChainError('unused_account', { detail: unused });
}

function checkFlags({ transaction }: Candidate, what: string, index: number, signer: boolean, writable: boolean): void {
  const seen = flagsText(isSigner(transaction, index), isWritable(transaction, index));
  const expected = flagsText(signer, writable);
  if (seen !== expected) throw new ChainError('wrong_flags', { detail: `${what} is ${seen}, not ${expected}` });
}

function flagsText(signer: boolean, writable: boolean): string {
  return `${writable ? 'writable' : 'readonly'}${signer ? ' signer' : ''}`;
}

/** Whether the account at `index` must sign. */
export function isSigner({ header }: Pick<ParsedTransaction, 'header'>, index: number): boolean {
  return index < header.requiredSignatures;
}

/**
 * Whether the account at `index` is writable: among the signers and among the others the writable ones come first; accounts from
 * lookup tables follow the static keys, again the writable ones first.
 */
export function isWritable(
  { header, accountKeys, lookups }: Pick<ParsedTransaction, 'header' | 'accountKeys' | 'lookups'>,
  index: number,
): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  if (index < requiredSignatures) return index < requiredSignatures - readonlySigned;
  if (index < accountKeys.length) return index < accountKeys.length - readonlyUnsigned;
  const writableLookups = lookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0);
  return index < accountKeys.length + writableLookups;
}
