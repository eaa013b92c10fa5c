import { ChainError } from '../../chain-error.ts';
import type { ParsedTransaction } from './parse-transaction.ts';
import { isAbsent } from './verify-signatures.ts';

/** A 64-byte signature for the signer at `index`. */
export interface SlotSignature {
  readonly index: number;
  readonly signature: Uint8Array;
}

/**
 * Puts signatures into their slots of the received bytes and returns the whole transaction in hex. Nothing else changes, and the
 * signatures that came along stay: for one of our own slots that can only be the one we would make again.
 *
 * @throws ChainError `signature_conflict` where another signature is present
 * @throws RangeError for a slot that is not there or a signature that has not 64 bytes: a mistake of ours, not of a partner
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
