/**
 * The ledger: the VM with what a cluster adds around it. It owns the recent blockhashes, the check for duplicates, and the state on disk.
 * Everything here is synchronous and belongs to one thread.
 */
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';
import { type Account, FailedTransactionMetadata, type LiteSvm } from 'litesvm/dist/internal.js';
import { admit, messageHash, signaturesVerify } from './admission.ts';
import { nonceValueAt, setsNonce } from './durable-nonce.ts';
import { executionOf, toBase64 } from './execution.ts';
import { bytesOf, type Key } from './key.ts';
import { LocalnetError } from './localnet-error.ts';
import { accountsOf, type MessageAccounts } from './message-accounts.ts';
import { createSlotClock, type Genesis, type SlotClock } from './slot-clock.ts';
import { type LandedTransaction, openStore, type Store } from './store.ts';
import { errorJsonOf, type TransactionErrorJson } from './transaction-error.ts';
import { priorityPrice, transactionFee } from './transaction-fee.ts';
import {
  accountAt,
  addGenesisProgram,
  advanceNonce,
  createVm,
  type GenesisProgram,
  isCode,
  isOfOtherVersion,
  isOfVm,
  NOTHING,
  restoreAccounts,
  setClock,
} from './vm.ts';
import { type WireTransaction, withBlockhash } from './wire-transaction.ts';

export interface Ledger {
  genesis: Genesis;
  clock: SlotClock;
  delays: CommitmentDelays;
  vm: LiteSvm;
  store: Store;
  /** The slot the VM's clock shows. */
  clockSlot: number;
  /** For tests: what happened after this slot can be dropped, however old it is. */
  keptFrom?: number;
}

export interface LedgerOptions {
  /** Created if it does not exist. */
  folder: string;
  programs: GenesisProgram[];
  /** Milliseconds; used for a new folder only. */
  slotDuration: number;
  delays: CommitmentDelays;
}

/** Opens the chain of a folder as it was left. @throws LocalnetError folder_in_use, other_version */
export function openLedger({ folder, programs, slotDuration, delays }: LedgerOptions): Ledger {
  const store = openStore(folder, slotDuration);
  const vm = createVm();
  // A transaction that names a program as writable, or upgrades it, makes its accounts kept ones. The code must be the one given at
  // this start.
  const given = new Set(programs.flatMap((program) => addGenesisProgram(vm, program)));
  const kept = store.accounts().filter(([key]) => !given.has(key));
  if (kept.some(([, account]) => programs.some((program) => isOfOtherVersion(account, program)))) {
    store.close();
    const advice = `the local network in ${folder} has accounts of another version of its program; remove this folder to start a new one`;
    throw new LocalnetError('other_version', advice);
  }
  restoreAccounts(vm, kept);
  const { genesis } = store;
  const clock = createSlotClock(genesis, store.highestSlot());
  const ledger: Ledger = { genesis, clock, delays, vm, store, clockSlot: -1 };
  forgetEarlier(ledger);
  return ledger;
}

/** Forgets states that are older than every commitment, except those after `keptFrom`. */
export function forgetEarlier(ledger: Ledger): void {
  ledger.store.dropEarlier(oldestKept(ledger));
}

function oldestKept(ledger: Ledger): number {
  return Math.min(slotOf(ledger, 'finalized'), ledger.keptFrom ?? Number.POSITIVE_INFINITY);
}

/** How final a state must be for a reader: executed, confirmed by votes, or irreversible. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The newest slot that has reached a commitment. */
export function slotOf({ clock, delays }: Ledger, commitment: Commitment): number {
  return commitment === 'processed' ? clock.slot() : Math.max(0, clock.slot() - delays[commitment]);
}

/** The highest commitment that `slot` has reached. */
export function commitmentOf({ clock, delays }: Ledger, slot: number): Commitment {
  const age = clock.slot() - slot;
  if (age >= delays.finalized) return 'finalized';
  return age >= delays.confirmed ? 'confirmed' : 'processed';
}

/**
 * Calls `run` with the VM's accounts as of `slot`, then restores the newest. Programs are not changed: the VM runs their newest code at
 * every commitment.
 */
export function withStateAt<T>({ vm, store }: Ledger, keys: Key[], slot: number, run: () => T): T {
  const newest: [Key, Account | null][] = [];
  for (const key of keys) {
    const earlier = store.earlierAt(key, slot);
    if (earlier === undefined) continue;
    const account = vm.getAccount(bytesOf(key));
    if ([earlier, account].some((state) => state && isCode(state))) continue;
    newest.push([key, account]);
    vm.setAccount(bytesOf(key), earlier ?? NOTHING);
  }
  try {
    return run();
  } finally {
    for (const [key, account] of newest) vm.setAccount(bytesOf(key), account ?? NOTHING);
  }
}

/** The outcome of a transaction. A refused one changed nothing and cost nothing. */
export type Landing = { landed: LandedTransaction } | { refused: TransactionErrorJson };

/**
 * Executes a transaction and records it, before anything is answered.
 * @param verified whether its signatures have just been verified: a second check takes longer than the execution
 */
export function landTransaction(ledger: Ledger, transaction: WireTransaction, verified = false): Landing {
  const { vm, store, delays } = ledger;
  const { message } = transaction;
  const { slot, blockTime } = tick(ledger);
  const admission = admit(ledger, transaction, slot);
  if ('refused' in admission) return admission;
  const accounts = accountsOf(message, (key) => accountAt(vm, key)?.data());
  if (!accounts) return { refused: 'AddressLookupTableNotFound' };
  const ownCheck = setsNonce(message);
  if (ownCheck && !verified && !signaturesVerify(transaction)) return { refused: 'SignatureFailure' };

  const states = () => new Map(accounts.keys.map((key) => [key, vm.getAccount(bytesOf(key))]));
  const statesBefore = states();
  const blockhash = ledger.clock.blockhashAt(slot);
  // The VM derives the next value of a nonce account from the blockhash in the message, a cluster from its newest one.
  const wire = ownCheck ? withBlockhash(transaction, blockhash) : transaction.wire;
  const result = execute(vm, wire, verified || ownCheck);
  const before = balancesOf(accounts, statesBefore);
  const after = balancesOf(accounts, states());
  const err = result instanceof FailedTransactionMetadata ? errorJsonOf(result) : null;
  // A failed transaction is on the chain only if its fee was taken.
  if (err !== null && before[0] === after[0]) return { refused: err };
  // The attempt uses up the value of the nonce. Otherwise a failing transaction could be charged again and again.
  if (err !== null && admission.nonce) advanceNonce(vm, admission.nonce, nonceValueAt(blockhash));

  // A failed transaction changes only the accounts that it is charged to.
  const charged = [accounts.keys[0], admission.nonce].filter((key) => key !== undefined);
  const writtenKeys = err === null ? accounts.keys.filter((_, index) => accounts.writable[index]) : charged;
  const changes = [...new Set(writtenKeys)].flatMap((key) => {
    const now = vm.getAccount(bytesOf(key));
    if (isOfVm(now)) return [];
    return delays.finalized === 0 ? { key, now } : { key, now, before: statesBefore.get(key) ?? null };
  });
  const landed: LandedTransaction = {
    slot,
    blockTime,
    signature: signatureOf(transaction),
    wire: Buffer.from(transaction.wire).toString('base64'),
    err,
    fee: Number(transactionFee(message)),
    before,
    after,
    ...executionOf(result instanceof FailedTransactionMetadata ? result.meta() : result),
    loaded: { writable: accounts.loaded.writable.map(toBase64), readonly: accounts.loaded.readonly.map(toBase64) },
    written: changes.map(({ key }) => toBase64(key)),
  };
  store.add({
    transaction: landed,
    message: messageHash(transaction.messageBytes),
    price: Number(priorityPrice(message)),
    accounts: new Map(accounts.keys.map((key, index) => [key, accounts.writable[index] === true])),
    changes,
  });
  return { landed };
}

function execute(vm: LiteSvm, wire: Uint8Array, verified: boolean) {
  vm.setSigverify(!verified);
  try {
    return vm.sendVersionedTransaction(wire);
  } finally {
    vm.setSigverify(true);
  }
}

/** Sets the VM's clock to the present, and drops states that are older than every commitment. */
export function tick(ledger: Ledger): { slot: number; blockTime: number } {
  const slot = ledger.clock.slot();
  const blockTime = Math.floor(Date.now() / 1000);
  if (slot !== ledger.clockSlot) {
    setClock(ledger.vm, slot, blockTime, ledger.clock.blockhashAt);
    forgetEarlier(ledger);
  }
  ledger.clockSlot = slot;
  return { slot, blockTime };
}

/**
 * For tests, what a cluster does when a fork loses: forgets every transaction after a slot, and what it changed. Those slots are then
 * empty, and their transactions may land again. Not before the newest finalized slot, or `keptFrom` where that is older.
 * @returns the slot after which all was dropped
 */
export function dropAfter(ledger: Ledger, slot: number): number {
  const from = Math.max(slot, oldestKept(ledger));
  for (const [key, account] of ledger.store.forgetAfter(from)) ledger.vm.setAccount(bytesOf(key), account ?? NOTHING);
  return from;
}

/** The first signature of a transaction in base58: clients identify it by this. */
export function signatureOf({ signatures }: WireTransaction): string {
  return encodeBase58(signatures[0] ?? new Uint8Array());
}

function balancesOf({ keys }: MessageAccounts, states: Map<Key, Account | null>): number[] {
  return keys.map((key) => Number(states.get(key)?.lamports() ?? 0n));
}
