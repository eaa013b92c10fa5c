import type { Account } from 'litesvm/dist/internal.js';
import type { Key } from './key.ts';

/** What an account held before a slot changed it; null where it did not exist. */
interface Version {
  /** The slot that overwrote it. */
  slot: number;
  account: Account | null;
}

export type AccountVersions = ReturnType<typeof createAccountVersions>;

/**
 * Earlier states of the accounts that changed since the newest finalized slot. The VM holds the newest state only; with
 * these, a read at `confirmed` or `finalized` sees the state of its slot.
 */
export function createAccountVersions() {
  const versions = new Map<Key, Version[]>();
  const changed = new Map<number, Key[]>();

  return {
    /** Whether the state before `slot` is kept already: only the first change of a slot overwrites it. */
    has: (key: Key, slot: number): boolean => versions.get(key)?.at(-1)?.slot === slot,
    /** Keeps the state of an account before its first change in `slot`. */
    keep(key: Key, slot: number, account: Account | null): void {
      const kept = versions.get(key);
      if (kept?.at(-1)?.slot === slot) return;
      if (kept) kept.push({ slot, account });
      else versions.set(key, [{ slot, account }]);
      const keys = changed.get(slot);
      if (keys) keys.push(key);
      else changed.set(slot, [key]);
    },
    /** The state at the end of `slot`; undefined where it has not changed since, so that the VM's state holds. */
    at: (key: Key, slot: number) => versions.get(key)?.find((version) => version.slot > slot)?.account,
    /** Every account with a kept state. */
    keys: (): Iterable<Key> => versions.keys(),
    /** Every kept state, oldest slot first for each account. */
    *entries(): Iterable<[Key, Version]> {
      for (const [key, kept] of versions) for (const version of kept) yield [key, version];
    },
    /** Forgets the changes of the slots after `slot`. */
    forgetAfter(slot: number): void {
      for (const [key, kept] of versions) {
        const left = kept.filter((version) => version.slot <= slot);
        if (left.length === 0) versions.delete(key);
        else versions.set(key, left);
      }
      for (const at of changed.keys()) if (at > slot) changed.delete(at);
    },
    /** Forgets what no read from `root` on can ask for. */
    drop(root: number): void {
      for (const [slot, keys] of changed) {
        if (slot > root) break;
        changed.delete(slot);
        for (const key of keys) {
          const later = versions.get(key)?.filter((version) => version.slot > root) ?? [];
          if (later.length === 0) versions.delete(key);
          else versions.set(key, later);
        }
      }
    },
  };
}
