/**
 * The ledger: the VM with what a cluster adds around it. It owns the recent blockhashes, the check for duplicates, the
 * record of landed transactions, and the state on disk. Everything here is synchronous and belongs to one worker thread.
 */

import { encodeBase58 } from '@fan-api/solana-wire/base58';
import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';
import { type Account, FailedTransactionMetadata, type LiteSvm } from 'litesvm/dist/internal.js';
import type { AccountVersions } from './account-versions.ts';
import { admit, rememberMessage, signaturesVerify } from './admission.ts';
import { type Commitment, slotAtCommitment } from './commitment.ts';
import { nonceValueAt, setsNonce } from './durable-nonce.ts';
import { executionOf, toBase64 } from './execution.ts';
import { bytesOf, type Key } from './key.ts';
import { accountsOf, type MessageAccounts } from './message-accounts.ts';
import type { PriorityFees } from './priority-fees.ts';
import type { Genesis, SlotClock } from './slot-clock.ts';
import type { History } from './store/history.ts';
import type { Journal } from './store/journal.ts';
import type { LandedTransaction } from './store/landed-transaction.ts';
import { tokenBalancesOf } from './token-balances.ts';
import { errorJsonOf, type TransactionErrorJson } from './transaction-error.ts';
import { transactionFee } from './transaction-fee.ts';
import { accountAt, advanceNonce, setClock, storedAccountAt } from './vm.ts';
import { type WireTransaction, withBlockhash } from './wire-transaction.ts';

export interface Ledger {
  genesis: Genesis;
  clock: SlotClock;
  delays: CommitmentDelays;
  vm: LiteSvm;
  /** What accounts held before they changed, back to the newest finalized slot. */
  versions: AccountVersions;
  journal: Journal;
  history: History;
  priorityFees: PriorityFees;
  /** Hashes of the messages that landed while their blockhash may still be valid, with the slot; oldest first. */
  landedMessages: Map<string, number>;
  /** How many transactions have landed since the genesis. */
  transactionCount: number;
  /** Every account that a transaction has written: what a snapshot holds. */
  touched: Set<Key>;
  /** The slot the VM's clock shows. */
  clockSlot: number;
  /** Whether anything landed since the last snapshot. */
  dirty: boolean;
}

/** The outcome of a transaction. A refused one changed nothing and cost nothing. */
export type Landing = { landed: LandedTransaction; accounts: MessageAccounts } | { refused: TransactionErrorJson };

/** The newest slot that has reached a commitment. */
export function slotOf({ clock, delays }: Ledger, commitment: Commitment): number {
  return slotAtCommitment(clock.slot(), delays, commitment);
}

/**
 * Executes a transaction and records it, before anything is answered.
 * @param verified whether its signatures have just been verified: a second check takes longer than the execution
 */
export function landTransaction(ledger: Ledger, transaction: WireTransaction, verified = false): Landing {
  const { vm } = ledger;
  const { message } = transaction;
  const { slot, blockTime } = tick(ledger);
  const admission = admit(ledger, transaction, slot);
  if ('refused' in admission) return admission;
  const accounts = accountsOf(message, (key) => accountAt(vm, key)?.data());
  if (!accounts) return { refused: 'AddressLookupTableNotFound' };
  const ownCheck = setsNonce(message);
  if (ownCheck && !verified && !signaturesVerify(transaction)) return { refused: 'SignatureFailure' };

  const writtenKeys = accounts.keys.filter((_, index) => accounts.writable[index]);
  const earlier = statesBefore(ledger, writtenKeys, slot);
  const before = balancesOf(vm, accounts.keys);
  const tokensBefore = tokenBalancesOf(vm, accounts.keys);
  const blockhash = ledger.clock.blockhashAt(slot);
  // The VM derives the next value of a nonce account from the blockhash in the message, a cluster from its newest one.
  const wire = ownCheck ? withBlockhash(transaction, blockhash) : transaction.wire;
  const result = execute(vm, wire, verified || ownCheck);
  const after = balancesOf(vm, accounts.keys);
  const err = result instanceof FailedTransactionMetadata ? errorJsonOf(result) : null;
  // A failed transaction is on the chain only if its fee was taken.
  if (err !== null && before[0] === after[0]) return { refused: err };
  // The attempt uses up the value of the nonce. Otherwise a failing transaction could be charged again and again.
  if (err !== null && admission.nonce) advanceNonce(vm, admission.nonce, nonceValueAt(blockhash));

  // A failed transaction changes only the accounts that it is charged to.
  const charged = [accounts.keys[0], admission.nonce].filter((key) => key !== undefined);
  const changedKeys = err === null ? writtenKeys : [...new Set(charged)];
  const landed: LandedTransaction = {
    slot,
    blockTime,
    signature: signatureOf(transaction),
    wire: Buffer.from(transaction.wire).toString('base64'),
    err,
    fee: Number(transactionFee(message)),
    before,
    after,
    tokens: { before: tokensBefore, after: tokenBalancesOf(vm, accounts.keys) },
    ...executionOf(result instanceof FailedTransactionMetadata ? result.meta() : result),
    loaded: { writable: accounts.loaded.writable.map(toBase64), readonly: accounts.loaded.readonly.map(toBase64) },
    written: changedKeys.flatMap((key) => storedAccountAt(vm, key) ?? []),
  };
  const place = ledger.journal.append(landed);
  ledger.history.add({ signature: landed.signature, slot, blockTime, err, place }, accounts.keys);
  ledger.priorityFees.add(slot, message, writtenKeys);
  rememberMessage(ledger, transaction.messageBytes, slot);
  for (const [key, state] of earlier) ledger.versions.keep(key, slot, state);
  for (const key of writtenKeys) ledger.touched.add(key);
  ledger.transactionCount += 1;
  ledger.dirty = true;
  return { landed, accounts };
}

function execute(vm: LiteSvm, wire: Uint8Array, verified: boolean) {
  vm.setSigverify(!verified);
  try {
    return vm.sendVersionedTransaction(wire);
  } finally {
    vm.setSigverify(true);
  }
}

/** The states of the accounts that `slot` has not changed yet; empty if every slot is final at once. */
function statesBefore({ vm, versions, delays }: Ledger, keys: Key[], slot: number): [Key, Account | null][] {
  if (delays.finalized === 0) return [];
  return keys.filter((key) => !versions.has(key, slot)).map((key) => [key, vm.getAccount(bytesOf(key))]);
}

/** Sets the VM's clock to the present, and drops states that are older than every commitment. */
export function tick(ledger: Ledger): { slot: number; blockTime: number } {
  const slot = ledger.clock.slot();
  const blockTime = Math.floor(Date.now() / 1000);
  if (slot !== ledger.clockSlot) {
    setClock(ledger.vm, slot, blockTime, ledger.clock.blockhashAt);
    ledger.versions.drop(slotOf(ledger, 'finalized'));
  }
  ledger.clockSlot = slot;
  return { slot, blockTime };
}

/** The first signature of a transaction in base58: clients identify it by this. */
export function signatureOf({ signatures }: WireTransaction): string {
  return encodeBase58(signatures[0] ?? new Uint8Array());
}

function balancesOf(vm: LiteSvm, keys: Key[]): number[] {
  return keys.map((key) => Number(vm.getBalance(bytesOf(key)) ?? 0n));
}
