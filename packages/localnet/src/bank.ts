/** The accounts as they were at the end of a slot: kept earlier versions first, then the VM's state. */
import { Account } from 'litesvm/dist/internal.js';
import { bytesOf, type Key } from './key.ts';
import type { Ledger } from './ledger.ts';
import { accountAt, LOADER, ownerOf } from './vm.ts';

const NOTHING = new Account(0n, new Uint8Array(), new Uint8Array(32), false, 0n);

/** The account at `key` as of `slot`; undefined where there was none. */
export function accountAtSlot({ vm, versions }: Pick<Ledger, 'vm' | 'versions'>, key: Key, slot: number) {
  const earlier = versions.at(key, slot);
  return earlier === undefined ? accountAt(vm, key) : existing(earlier);
}

/**
 * Calls `run` with the VM's accounts as of `slot`, then restores the newest. Programs are not changed: the VM runs their
 * newest code at every commitment.
 */
export function withStateAt<T>(ledger: Ledger, keys: Key[], slot: number, run: () => T): T {
  const { vm, versions } = ledger;
  const newest: [Key, Account | null][] = [];
  for (const key of keys) {
    const earlier = versions.at(key, slot);
    if (earlier === undefined) continue;
    const account = vm.getAccount(bytesOf(key));
    if ([earlier, account].some((state) => state && (state.executable() || ownerOf(state) === LOADER))) continue;
    newest.push([key, account]);
    vm.setAccount(bytesOf(key), earlier ?? NOTHING);
  }
  try {
    return run();
  } finally {
    for (const [key, account] of newest) vm.setAccount(bytesOf(key), account ?? NOTHING);
  }
}

function existing(account: Account | null): Account | undefined {
  return account === null || account.lamports() === 0n ? undefined : account;
}
