import type { Key } from '../key.ts';
import type { TransactionErrorJson } from '../transaction-error.ts';
import type { JournalPlace } from './journal.ts';

/** What is known of a landed transaction without reading the journal. */
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
  /** Slot of the last transaction in a segment; undefined when it holds none. */
  lastSlotIn(segment: number): number | undefined;
  /** Forgets the transactions of the segments up to and with `last`. */
  forget(last: number): void;
}

export function createHistory(): History {
  const bySignature = new Map<string, HistoryEntry>();
  const byAccount = new Map<Key, HistoryEntry[]>();
  const lastSlots = new Map<number, number>();
  return {
    add(entry, accounts) {
      bySignature.set(entry.signature, entry);
      lastSlots.set(entry.place.segment, entry.slot);
      for (const account of accounts) {
        const entries = byAccount.get(account);
        if (entries) entries.push(entry);
        else byAccount.set(account, [entry]);
      }
    },
    find: (signature) => bySignature.get(signature),
    ofAccount: (account) => byAccount.get(account) ?? [],
    lastSlotIn: (segment) => lastSlots.get(segment),
    forget(last) {
      for (const [signature, { place }] of bySignature) if (place.segment <= last) bySignature.delete(signature);
      for (const segment of lastSlots.keys()) if (segment <= last) lastSlots.delete(segment);
      for (const [account, entries] of byAccount) {
        const kept = entries.filter(({ place }) => place.segment > last);
        if (kept.length === 0) byAccount.delete(account);
        else if (kept.length < entries.length) byAccount.set(account, kept);
      }
    },
  };
}
