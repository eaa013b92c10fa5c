import type { ParsedTransaction } from './parse-transaction.ts';

/** Whether the account at `index` must sign. */
export function isSigner({ header }: Pick<ParsedTransaction, 'header'>, index: number): boolean {
  return index < header.requiredSignatures;
}

/**
 * Whether the message asks for write access to the account at `index`: within the signers and within the others the writable
 * ones come first; accounts from lookup tables follow the static keys, again the writable ones first.
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
