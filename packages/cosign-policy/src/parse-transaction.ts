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
