import { Account, type LiteSvm } from 'litesvm/dist/internal.js';
import { bytesOf, type Key, keyAt, keyFromBase58 } from './key.ts';

/** A program that is there from the start, as in a cluster's genesis. */
export interface GenesisProgram {
  /** Base58. */
  id: string;
  elf: Uint8Array;
  /** Base58: who may upgrade it. Nobody unless given. */
  upgradeAuthority?: string;
}

/** Where the upgradeable loader keeps things: in a Program account, and in the ProgramData account that it names. */
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
  const changed = new Account(account.lamports(), data, account.owner(), account.executable(), account.rentEpoch());
  vm.setAccount(bytesOf(programData), changed);
  return [program, programData];
}

function requireKey(what: string, address: string): Key {
  const key = keyFromBase58(address);
  if (!key) throw new Error(`the ${what} ${address} is not an address`);
  return key;
}
