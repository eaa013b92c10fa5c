import { mkdirSync } from 'node:fs';
import { CLUSTER_DELAYS, type CommitmentDelays } from '@fan-api/solana-wire/local-network';
import { type AccountVersions, createAccountVersions } from './account-versions.ts';
import { rememberMessage } from './admission.ts';
import { addGenesisProgram, type GenesisProgram } from './genesis-program.ts';
import { bytesOf, type Key, keyAt } from './key.ts';
import { type Ledger, slotOf } from './ledger.ts';
import { createPriorityFees } from './priority-fees.ts';
import { BLOCKHASH_LIFETIME, createSlotClock } from './slot-clock.ts';
import { openGenesis } from './store/genesis.ts';
import { createHistory } from './store/history.ts';
import { type JournalPlace, openJournal } from './store/journal.ts';
import type { LandedTransaction } from './store/landed-transaction.ts';
import { readSnapshot, writeSnapshot } from './store/snapshot.ts';
import type { ClosedAccount, StoredAccount } from './store/stored-account.ts';
import { accountAt, accountOfStored, createVm, restoreAccounts, storedAccountAt, storedAccountOf } from './vm.ts';
import { readTransaction } from './wire-transaction.ts';

export interface LedgerLimits {
  /** Bytes after which a journal segment is closed and a snapshot taken. */
  segmentBytes: number;
  /** Segments kept behind the current one, for `getTransaction` and `getSignaturesForAddress`. */
  keptSegments: number;
}

/** About 20,000 small transactions of history, which a start reads in about half a second. */
const LIMITS: LedgerLimits = { segmentBytes: 4 * 1024 * 1024, keptSegments: 5 };

export interface LedgerOptions {
  /** Created if it does not exist. */
  folder: string;
  programs: GenesisProgram[];
  /** Milliseconds; used for a new folder only. */
  slotDuration: number;
  delays?: CommitmentDelays;
  warn: (message: string) => void;
}

/** Opens the chain of a folder as it was left: the last snapshot, and every transaction that landed after it. */
export function openLedger(options: LedgerOptions): Ledger {
  const { folder, programs, slotDuration, delays = CLUSTER_DELAYS, warn } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const genesis = openGenesis(folder, slotDuration);
  const snapshot = readSnapshot(folder);
  const vm = createVm();
  const genesisAccounts = programs.flatMap((program) => addGenesisProgram(vm, program));
  const accounts = new Map<string, StoredAccount | ClosedAccount>();
  for (const account of snapshot?.accounts ?? []) accounts.set(account.key, account);
  const history = createHistory();
  const priorityFees = createPriorityFees();
  const landedMessages = new Map<string, number>();
  const versions = createAccountVersions();
  for (const { slot, account } of snapshot?.earlier ?? []) keepStored(versions, slot, account);
  let lastSlot = snapshot?.slot ?? 0;
  let transactionCount = snapshot?.transactionCount ?? 0;
  let dirty = false;

  function restore(transaction: LandedTransaction, place: JournalPlace): void {
    const { signature, slot, blockTime, err, loaded, written } = transaction;
    const { message, messageBytes } = readTransaction(Buffer.from(transaction.wire, 'base64'));
    const loadedKeys = [...loaded.writable, ...loaded.readonly].map(keyOfBase64);
    history.add({ signature, slot, blockTime, err, place }, [...message.keys, ...loadedKeys]);
    priorityFees.add(
      slot,
      message,
      written.map(({ key }) => keyOfBase64(key)),
    );
    rememberMessage({ landedMessages }, messageBytes, slot);
    if (slot > lastSlot) versions.drop(slot - delays.finalized);
    lastSlot = Math.max(lastSlot, slot);
    if (snapshot && isBefore(place, snapshot)) return;
    transactionCount += 1;
    for (const account of written) {
      const before = accounts.get(account.key) ?? storedAccountAt(vm, keyOfBase64(account.key));
      if (before && delays.finalized > 0) keepStored(versions, slot, before);
      accounts.set(account.key, account);
    }
    dirty = true;
  }

  const journal = openJournal(folder, restore, warn);
  // A transaction that names a program as writable, or upgrades it, makes its accounts stored ones. The code must be the one
  // given at this start.
  for (const key of genesisAccounts) accounts.delete(bytesOf(key).toString('base64'));
  restoreAccounts(
    vm,
    [...accounts.values()].filter((account) => 'owner' in account),
  );
  const touched = new Set([...accounts.keys()].map(keyOfBase64));
  const clock = createSlotClock(genesis, lastSlot);
  // If the journal was damaged before the snapshot's position, new lines would lie where the snapshot seems to cover them.
  if (snapshot && isBefore({ segment: journal.segment(), offset: journal.size() }, snapshot)) journal.roll();
  const kept = { journal, history, priorityFees, landedMessages, versions, touched };
  const ledger: Ledger = { genesis, clock, delays, vm, ...kept, transactionCount, clockSlot: -1, dirty };
  versions.drop(slotOf(ledger, 'finalized'));
  return ledger;
}

function keepStored(versions: AccountVersions, slot: number, account: StoredAccount | ClosedAccount): void {
  versions.keep(keyOfBase64(account.key), slot, accountOfStored(account));
}

function keyOfBase64(text: string): Key {
  return keyAt(Buffer.from(text, 'base64'));
}

/** Called every few seconds: makes the journal safe against a power cut and, when its segment is full, takes a snapshot. */
export function keepLedger(ledger: Ledger, folder: string, limits = LIMITS): void {
  ledger.journal.sync();
  if (ledger.journal.size() < limits.segmentBytes) return;
  ledger.journal.roll();
  saveLedger(ledger, folder);
  dropOldHistory(ledger, ledger.journal.segment() - 1 - limits.keptSegments);
}

/** Takes a snapshot when anything landed since the last. */
export function saveLedger(ledger: Ledger, folder: string): void {
  if (!ledger.dirty) return;
  const { clock, journal, touched, transactionCount, versions, vm } = ledger;
  versions.drop(slotOf(ledger, 'finalized'));
  journal.sync();
  const accounts = [...touched].flatMap((key) => {
    const account = storedAccountAt(vm, key);
    return account && 'owner' in account ? [account] : [];
  });
  const place = { segment: journal.segment(), offset: journal.size() };
  const earlier = [...versions.entries()].flatMap(([key, { slot, account }]) => {
    const stored = storedAccountOf(key, account);
    return stored ? [{ slot, account: stored }] : [];
  });
  earlier.sort((a, b) => a.slot - b.slot);
  writeSnapshot(folder, { version: 1, ...place, slot: clock.slot(), accounts, transactionCount, earlier });
  ledger.dirty = false;
  for (const key of touched) if (!accountAt(vm, key)) touched.delete(key);
}

/** Segments are kept while a blockhash in them may be valid: after a restart, duplicates are found with them. */
function dropOldHistory({ clock, history, journal }: Ledger, last: number): void {
  const slot = history.lastSlotIn(last);
  if (last < 1 || (slot !== undefined && slot >= clock.slot() - BLOCKHASH_LIFETIME)) return;
  history.forget(last);
  journal.drop(last);
}

function isBefore(place: { segment: number; offset: number }, other: { segment: number; offset: number }): boolean {
  return place.segment < other.segment || (place.segment === other.segment && place.offset < other.offset);
}
