/** The first checks of a cluster: whether a transaction may still run. */
import { createHash } from 'node:crypto';
import { verifyEd25519Sync } from '@fan-api/solana-wire/ed25519';
import type { LiteSvm } from 'litesvm/dist/internal.js';
import { accountAtSlot } from './account-at-slot.ts';
import { nonceAdvanceOf, nonceValueAt, readNonce } from './durable-nonce.ts';
import { bytesOf, type Key, SYSTEM_PROGRAM } from './key.ts';
import type { SlotClock } from './slot-clock.ts';
import type { Store } from './store.ts';
import type { TransactionErrorJson } from './transaction-error.ts';
import { ownerOf } from './vm.ts';
import type { WireMessage, WireTransaction } from './wire-transaction.ts';

/** A transaction that may run; `nonce` is the nonce account whose value replaces a recent blockhash. */
export type Admission = { refused: TransactionErrorJson } | { nonce: Key | undefined };

/** The state of the chain that decides whether a transaction may run. */
interface Standing {
  clock: SlotClock;
  vm: LiteSvm;
  store: Store;
}

/**
 * Checks the age of a transaction, then whether it is a duplicate, as of `slot`. The order is that of a cluster: an old
 * transaction gets `BlockhashNotFound`, even if it landed before.
 */
export function admit(standing: Standing, transaction: WireTransaction, slot: number): Admission {
  const { clock, store } = standing;
  const { message } = transaction;
  const isRecent = clock.validSlotOf(message.blockhash, slot) !== undefined;
  const nonce = isRecent ? undefined : usableNonce(standing, message, slot);
  if (!isRecent && nonce === undefined) return { refused: 'BlockhashNotFound' };
  if (store.hasLanded(messageHash(transaction.messageBytes), slot)) return { refused: 'AlreadyProcessed' };
  return { nonce };
}

/**
 * The nonce account whose value a message names as its blockhash, if it may use it as of `slot`: the account is
 * initialised, its authority signs the advance, and the value is not the one that this slot would give.
 */
function usableNonce(standing: Standing, message: WireMessage, slot: number): Key | undefined {
  const advance = nonceAdvanceOf(message);
  const account = advance && accountAtSlot(standing, advance.account, slot);
  if (!advance || !account || ownerOf(account) !== SYSTEM_PROGRAM) return undefined;
  const nonce = readNonce(account.data());
  if (nonce === undefined || nonce.value !== message.blockhash || !advance.signers.includes(nonce.authority)) {
    return undefined;
  }
  return nonce.value === nonceValueAt(standing.clock.blockhashAt(slot)) ? undefined : advance.account;
}

/** Whether every signature is valid. A key that is not a point of the curve has no valid signatures. */
export function signaturesVerify({ signatures, message, messageBytes }: WireTransaction): boolean {
  return signatures.every((signature, index) => {
    const key = message.keys[index];
    try {
      return key !== undefined && verifyEd25519Sync(bytesOf(key), messageBytes, signature);
    } catch {
      return false;
    }
  });
}

/** A message's hash. Duplicates are found by message, not by signature: the same message signed again may have another signature. */
export function messageHash(message: Uint8Array): Uint8Array {
  return createHash('sha256').update(message).digest();
}
