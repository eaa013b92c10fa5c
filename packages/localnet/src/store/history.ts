import type { Key } from '../key.ts';
import type { TransactionErrorJson } from '../transaction-error.ts';
import type { JournalPlace } from './journal.ts';

/** The part of a landed transaction that is kept in memory. */
export interface HistoryEntry {
  signature: string;
  slot: number;
  /** Unix seconds. */
  blockTime: number;
  err: TransactionErrorJson | null;
  place: JournalPlace;
}

/** The index over the journal: by signature, and by every account that a transaction names. */
export interface History {
  add(entry: HistoryEntry, accounts: Key[]): void;
  find(signature: string): HistoryEntry | undefined;
  /** Oldest first. */
  ofAccount(account: Key): readonly HistoryEntry[];
  /** Those that landed in a slot, in their order. */
  ofSlot(slot: number): readonly HistoryEntry[];
  /** Slot of the last transaction in a segment; undefined when it holds none. */
  lastSlotIn(segment: number): number | undefined;
  /** Forgets the transactions of the segments up to and with `last`. */
  forget(last: number): void;
  /** Forgets the transactions after a slot. @returns how many */
  forgetAfter(slot: number): number;
}

export function createHistory(): History {
  const bySignature = new Map<string, HistoryEntry>();
  const byAccount = new Map<Key, HistoryEntry[]>();
  const bySlot = new Map<number, HistoryEntry[]>();
  const lastSlots = new Map<number, number>();
  return {
    add(entry, accounts) {
      bySignature.set(entry.signature, entry);
      lastSlots.set(entry.place.segment, entry.slot);
      append(bySlot, entry.slot, entry);
      for (const account of accounts) append(byAccount, account, entry);
    },
    find: (signature) => bySignature.get(signature),
    ofAccount: (account) => byAccount.get(account) ?? [],
    ofSlot: (slot) => bySlot.get(slot) ?? [],
    lastSlotIn: (segment) => lastSlots.get(segment),
    forget(last) {
      for (const [signature, { place }] of bySignature) if (place.segment <= last) bySignature.delete(signature);
      for (const segment of lastSlots.keys()) if (segment <= last) lastSlots.delete(segment);
      forgetIn(bySlot, ({ place }) => place.segment > last);
      forgetIn(byAccount, ({ place }) => place.segment > last);
    },
    forgetAfter(slot) {
      const before = bySignature.size;
      for (const [signature, entry] of bySignature) if (entry.slot > slot) bySignature.delete(signature);
      forgetIn(bySlot, (entry) => entry.slot <= slot);
      forgetIn(byAccount, (entry) => entry.slot <= slot);
      return before - bySignature.size;
    },
  };
}

function append<K>(index: Map<K, HistoryEntry[]>, key: K, entry: HistoryEntry): void {
  const entries = index.get(key);
  if (entries) entries.push(entry);
  else index.set(key, [entry]);
}

function forgetIn<K>(index: Map<K, HistoryEntry[]>, keep: (entry: HistoryEntry) => boolean): void {
  for (const [key, entries] of index) {
    const kept = entries.filter(keep);
    if (kept.length === 0) index.delete(key);
    else if (kept.length < entries.length) index.set(key, kept);
  }
}
