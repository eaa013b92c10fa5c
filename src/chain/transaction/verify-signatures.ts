import { SIGNATURE_LENGTH, verifyEd25519 } from '@fan-api/solana-wire/ed25519';
import { ChainError } from '../../chain-error.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

const ABSENT = Buffer.alloc(SIGNATURE_LENGTH);

/** Whether a signature slot is still to be filled: all zero. */
export function isAbsent(signature: Uint8Array): boolean {
  return ABSENT.equals(signature);
}

/**
 * Checks that no signature slot is empty.
 *
 * @throws ChainError `signature_missing`
 */
export function checkFullySigned({ signatures }: ParsedTransaction): void {
  const index = signatures.findIndex(isAbsent);
  if (index >= 0) throw new ChainError('signature_missing', { detail: `signature ${index}` });
}

/**
 * Verifies every signature that is present in any of the transactions, side by side and off the event loop. Of several bad ones
 * the first in order is named, whichever was found first.
 *
 * @param placeOf names the place of a transaction in the request, for the refusal
 * @throws ChainError `signature_invalid`
 */
export async function verifyPresentSignatures(
  transactions: readonly ParsedTransaction[],
  placeOf: (index: number) => string,
): Promise<void> {
  const verdicts = await Promise.all(transactions.map(verifyOne));
  for (const [index, verdict] of verdicts.entries()) {
    const bad = verdict.indexOf(false);
    if (bad >= 0) throw new ChainError('signature_invalid', { where: placeOf(index), detail: `signature ${bad}` });
  }
}

function verifyOne({ signatures, accountKeys, message }: ParsedTransaction): Promise<boolean[]> {
  return Promise.all(
    signatures.map((signature, index) => {
      const key = accountKeys[index];
      return isAbsent(signature) || (key !== undefined && verifyEd25519(key, message, signature));
    }),
  );
}
