import { SIGNATURE_LENGTH, verifyEd25519 } from '@fan-api/solana-wire/ed25519';
import { ChainError } from './chain-error.ts';
import type { ParsedTransaction } from './parse-transaction.ts';

const ABSENT = Buffer.alloc(SIGNATURE_LENGTH);

/** Whether a signature slot is empty: all zero. */
export function isAbsent(signature: Uint8Array): boolean {
  return ABSENT.equals(signature);
}

/** Checks that no signature slot is empty. @throws ChainError `signature_missing` */
export function checkFullySigned({ signatures }: ParsedTransaction): void {
  const index = signatures.findIndex(isAbsent);
  if (index >= 0) throw new ChainError('signature_missing', { detail: `signature ${index}` });
}

/**
 * Verifies every present signature, concurrently and off the event loop.
 * @param placeOf the place of a transaction in the request, for the refusal
 * @throws ChainError `signature_invalid` for the first bad one in order
 */
export async function verifyPresentSignatures(
  judged: readonly { readonly transaction: ParsedTransaction }[],
  placeOf: (index: number) => string,
): Promise<void> {
  const verdicts = await Promise.all(judged.map(({ transaction }) => verifyOne(transaction)));
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

/** A 64-byte signature for the signer at `index`. */
export interface SlotSignature {
  readonly index: number;
  readonly signature: Uint8Array;
}

/**
 * Writes signatures into their slots of the received bytes. Nothing else changes.
 * @returns the transaction in hex
 * @throws ChainError `signature_conflict` where a different signature is present
 * @throws RangeError for a missing slot or a signature of another length, a bug of ours
 */
export function fillSignatures(transaction: ParsedTransaction, filled: readonly SlotSignature[]): string {
  const bytes = Buffer.from(transaction.bytes);
  for (const { index, signature } of filled) {
    const slot = transaction.signatures[index];
    if (slot === undefined || signature.length !== slot.length) {
      throw new RangeError(`no slot ${index} for a signature of ${signature.length} bytes`);
    }
    if (!isAbsent(slot) && Buffer.compare(slot, signature) !== 0) {
      throw new ChainError('signature_conflict', { detail: `signature ${index}` });
    }
    bytes.set(signature, slot.byteOffset - transaction.bytes.byteOffset);
  }
  return bytes.toString('hex');
}
