/**
 * The Solana VM of LiteSVM. The native binding is used directly because it takes a transaction's bytes as received. The
 * public class takes a decoded one and encodes it again, at twice the cost of running it.
 */
import { Account, LiteSvm } from 'litesvm/dist/internal.js';
import { withNonceValue } from './durable-nonce.ts';
import { base58Of, bytesOf, type Key, keyAt, keyFromBase58 } from './key.ts';
import type { ClosedAccount, StoredAccount } from './store/stored-account.ts';

/** Owner of the accounts that hold upgradeable programs and their code. */
export const LOADER: Key | undefined = keyFromBase58('BPFLoaderUpgradeab1e11111111111111111111111');

/** Accounts of these owners belong to the VM and are created at each start. */
const VM_OWNERS = new Set(
  ['NativeLoader1111111111111111111111111111111', 'Sysvar1111111111111111111111111111111111111'].map(keyFromBase58),
);

/** As on a cluster: two days of slots. */
export const SLOTS_PER_EPOCH = 432_000;

/**
 * A VM whose checks of blockhash and duplicates are off: it has one blockhash only and forgets transactions, so the ledger
 * makes both checks.
 */
export function createVm(): LiteSvm {
  const vm = new LiteSvm();
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);
  return vm;
}

/** How many recent slots programs can look up; the lookup table program needs one to create a table. */
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

/** The program that an account belongs to. */
export function ownerOf(account: Account): Key {
  return keyAt(account.owner());
}

/** The state of an account as stored in files, or undefined when it belongs to the VM. */
export function storedAccountAt(vm: LiteSvm, key: Key): StoredAccount | ClosedAccount | undefined {
  return storedAccountOf(key, vm.getAccount(bytesOf(key)));
}

/** An account as stored in files, or undefined when it belongs to the VM. Null is an account that does not exist. */
export function storedAccountOf(key: Key, account: Account | null): StoredAccount | ClosedAccount | undefined {
  const encodedKey = bytesOf(key).toString('base64');
  if (account === null || account.lamports() === 0n) return { key: encodedKey };
  const owner = ownerOf(account);
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

/** Gives a nonce account another value. */
export function advanceNonce(vm: LiteSvm, key: Key, value: Key): void {
  const account = accountAt(vm, key);
  if (!account) return;
  const data = withNonceValue(account.data(), value);
  const advanced = new Account(account.lamports(), data, account.owner(), account.executable(), account.rentEpoch());
  vm.setAccount(bytesOf(key), advanced);
}

/** Restores stored accounts. Programs come last, because the VM loads their code from accounts that must exist. */
export function restoreAccounts(vm: LiteSvm, accounts: StoredAccount[]): void {
  const dataFirst = [...accounts].sort((a, b) => Number(a.executable) - Number(b.executable));
  for (const account of dataFirst) {
    const restored = accountOfStored(account);
    if (restored) vm.setAccount(Buffer.from(account.key, 'base64'), restored);
  }
}

/** Reads a stored account; null if it was closed. */
export function accountOfStored(stored: StoredAccount | ClosedAccount): Account | null {
  if (!('owner' in stored)) return null;
  const { lamports, owner, executable, rentEpoch, data } = stored;
  return new Account(
    BigInt(lamports),
    Buffer.from(data, 'base64'),
    Buffer.from(owner, 'base64'),
    executable,
    BigInt(rentEpoch),
  );
}
