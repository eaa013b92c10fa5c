/**
 * The Solana VM itself, as LiteSVM brings it. The native binding is used directly, because it takes a transaction's bytes
 * as they came, where the public class takes a decoded one and encodes it again at twice the cost of running it.
 */
import { Account, LiteSvm } from 'litesvm/dist/internal.js';
import { base58Of, bytesOf, type Key, keyAt, keyFromBase58 } from './key.ts';
import type { ClosedAccount, StoredAccount } from './store/landed-transaction.ts';

/** A program that is there from the start, as in a cluster's genesis. */
export interface GenesisProgram {
  /** Base58. */
  id: string;
  elf: Uint8Array;
}

/** Accounts of these owners belong to the VM and are made anew at each start. */
const VM_OWNERS = new Set(
  ['NativeLoader1111111111111111111111111111111', 'Sysvar1111111111111111111111111111111111111'].map(keyFromBase58),
);

/** As on a cluster: two days of slots. */
export const SLOTS_PER_EPOCH = 432_000;

/**
 * A VM whose blockhash check and duplicate check are off: it knows one blockhash only and forgets transactions, so the
 * ledger does both.
 */
export function createVm(programs: { key: Key; elf: Uint8Array }[]): LiteSvm {
  const vm = new LiteSvm();
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);
  for (const { key, elf } of programs) vm.addProgram(bytesOf(key), elf);
  return vm;
}

/** How many recent slots programs can look up; the lookup table program wants one to make a table. */
const SLOT_HASHES = 32;

/** Sets the clock and the recent slots that programs read. `seconds` is Unix time, `hashAt` gives the hash of a slot. */
export function setClock(vm: LiteSvm, slot: number, seconds: number, hashAt: (slot: number) => Key): void {
  const clock = vm.getClock();
  const epoch = Math.floor(slot / SLOTS_PER_EPOCH);
  clock.slot = BigInt(slot);
  clock.epoch = BigInt(epoch);
  clock.leaderScheduleEpoch = BigInt(epoch + 1);
  clock.unixTimestamp = BigInt(seconds);
  vm.setClock(clock);
  const recent = Array.from({ length: Math.min(SLOT_HASHES, slot) }, (_, index) => slot - index);
  vm.setSlotHashes(recent.map((at) => ({ slot: BigInt(at), hash: base58Of(hashAt(at)) })));
}

/** The account at `key`; undefined where a cluster would say there is none. */
export function accountAt(vm: LiteSvm, key: Key): Account | undefined {
  const account = vm.getAccount(bytesOf(key));
  return account === null || account.lamports() === 0n ? undefined : account;
}

/** The state of an account as the files hold it, or undefined when it belongs to the VM. */
export function storedAccountAt(vm: LiteSvm, key: Key): StoredAccount | ClosedAccount | undefined {
  const encodedKey = bytesOf(key).toString('base64');
  const account = accountAt(vm, key);
  if (!account) return { key: encodedKey };
  const owner = keyAt(account.owner());
  if (VM_OWNERS.has(owner)) return undefined;
  return {
    key: encodedKey,
    lamports: String(account.lamports()),
    owner: bytesOf(owner).toString('base64'),
    executable: account.executable(),
    rentEpoch: String(account.rentEpoch()),
    data: Buffer.from(account.data()).toString('base64'),
  };
}

/** Puts stored accounts back. Programs come last, because the VM loads their code from accounts that must be there. */
export function restoreAccounts(vm: LiteSvm, accounts: StoredAccount[]): void {
  const dataFirst = [...accounts].sort((a, b) => Number(a.executable) - Number(b.executable));
  for (const { key, lamports, owner, executable, rentEpoch, data } of dataFirst) {
    const account = new Account(
      BigInt(lamports),
      Buffer.from(data, 'base64'),
      Buffer.from(owner, 'base64'),
      executable,
      BigInt(rentEpoch),
    );
    vm.setAccount(Buffer.from(key, 'base64'), account);
  }
}
