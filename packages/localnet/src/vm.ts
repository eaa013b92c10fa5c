/**
 * The Solana VM of LiteSVM. The native binding is used directly because it takes a transaction's bytes as received. The
 * public class takes a decoded one and encodes it again, at twice the cost of running it.
 */
import { Account, LiteSvm } from 'litesvm/dist/internal.js';
import { withNonceValue } from './durable-nonce.ts';
import { base58Of, bytesOf, type Key, keyAt, keyFromBase58 } from './key.ts';

/** Owner of the accounts that hold upgradeable programs and their code. */
const LOADER: Key | undefined = keyFromBase58('BPFLoaderUpgradeab1e11111111111111111111111');

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

/** Whether an account holds a program or its code. */
export function isCode(account: Account): boolean {
  return account.executable() || ownerOf(account) === LOADER;
}

/** Whether an account belongs to the VM, which makes it at each start. */
export function isOfVm(account: Account | null): boolean {
  return account !== null && VM_OWNERS.has(ownerOf(account));
}

/** The VM's form of an account that does not exist. */
export const NOTHING = new Account(0n, new Uint8Array(), new Uint8Array(32), false, 0n);

/** An account as it is kept; null where there is none. Lamports and rent epoch are text, since they may exceed 2^53. */
export function stateOf(account: Account | null): string | null {
  if (account === null || account.lamports() === 0n) return null;
  return JSON.stringify({
    lamports: String(account.lamports()),
    owner: Buffer.from(account.owner()).toString('base64'),
    executable: account.executable(),
    rentEpoch: String(account.rentEpoch()),
    data: Buffer.from(account.data()).toString('base64'),
  });
}

/** Reads what `stateOf` wrote. */
export function accountOf(state: string | null): Account | null {
  if (state === null) return null;
  const { lamports, owner, executable, rentEpoch, data } = JSON.parse(state);
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return new Account(BigInt(lamports), bytes(data), bytes(owner), executable, BigInt(rentEpoch));
}

/** Puts accounts into the VM. Programs come last, because it loads their code from accounts that must exist. */
export function restoreAccounts(vm: LiteSvm, accounts: [Key, Account][]): void {
  const dataFirst = accounts.toSorted(([, a], [, b]) => Number(a.executable()) - Number(b.executable()));
  for (const [key, account] of dataFirst) vm.setAccount(bytesOf(key), account);
}

/** Gives a nonce account another value. */
export function advanceNonce(vm: LiteSvm, key: Key, value: Key): void {
  const account = accountAt(vm, key);
  if (account) vm.setAccount(bytesOf(key), withData(account, withNonceValue(account.data(), value)));
}

function withData(account: Account, data: Uint8Array): Account {
  return new Account(account.lamports(), data, account.owner(), account.executable(), account.rentEpoch());
}

/** A program that is there from the start, as in a cluster's genesis. */
export interface GenesisProgram {
  /** Base58. */
  id: string;
  elf: Uint8Array;
  /** Base58: who may upgrade it. Nobody unless given. */
  upgradeAuthority?: string;
  /** The byte after the discriminator of each account that it makes. A chain that holds accounts with another one is refused. */
  accountVersion?: number;
}

/** Whether an account was made by another version of a program. */
export function isOfOtherVersion(account: Account, { id, accountVersion }: GenesisProgram): boolean {
  return (
    accountVersion !== undefined &&
    ownerOf(account) === keyFromBase58(id) &&
    account.data()[DISCRIMINATOR_SIZE] !== accountVersion
  );
}

const DISCRIMINATOR_SIZE = 8;

/** Offsets in accounts of the upgradeable loader: a Program account, and the ProgramData account that it names. */
const PROGRAM_DATA_ADDRESS = 4;
const SLOT = 4;
const HAS_AUTHORITY = 12;
const AUTHORITY = 13;

/**
 * Puts a program into the VM, with the accounts that the upgradeable loader would make. The VM alone names no upgrade authority.
 * @returns the program's two accounts
 * @throws Error for an id or authority that is no address
 */
export function addGenesisProgram(vm: LiteSvm, { id, elf, upgradeAuthority }: GenesisProgram): [Key, Key] {
  const program = requireKey('program id', id);
  vm.addProgram(bytesOf(program), elf);
  const programData = keyAt(vm.getAccount(bytesOf(program))?.data() ?? new Uint8Array(), PROGRAM_DATA_ADDRESS);
  const account = vm.getAccount(bytesOf(programData));
  if (account === null) throw new Error(`the VM has no code for the program ${id}`);
  const data = Buffer.from(account.data());
  data.writeBigUInt64LE(0n, SLOT);
  if (upgradeAuthority !== undefined) {
    data.writeUInt8(1, HAS_AUTHORITY);
    data.set(bytesOf(requireKey('upgrade authority', upgradeAuthority)), AUTHORITY);
  }
  vm.setAccount(bytesOf(programData), withData(account, data));
  return [program, programData];
}

function requireKey(what: string, address: string): Key {
  const key = keyFromBase58(address);
  if (!key) throw new Error(`the ${what} ${address} is not an address`);
  return key;
}
