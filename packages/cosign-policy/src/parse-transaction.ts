import { type ParsedTransaction, parseTransaction as parse } from '@fan-api/solana-wire/parse-transaction';
import { WireError } from '@fan-api/solana-wire/wire-error';
import { ChainError } from './chain-error.ts';

export { MAX_VERSION_ONE_BYTES, type ParsedTransaction } from '@fan-api/solana-wire/parse-transaction';

/**
 * Parses the bytes of one transaction, legacy or version 0.
 *
 * @throws ChainError with the code of the parser's error
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  try {
    return parse(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ChainError(error.code, error.detail === undefined ? {} : { detail: error.detail });
  }
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
