/**
 * Reads the wire form of a transaction (legacy and version 0) strictly. Nothing reaches the VM that this has not
 * accepted: the VM's native side aborts the whole process on bytes it cannot decode, so a refusal must come from here.
 * @see https://solana.com/docs/core/transactions
 */
import { bytesOf, type Key, keyAt } from './key.ts';
import { RpcError } from './rpc-error.ts';

/** The largest transaction a cluster accepts, in bytes: one IPv6 packet less its headers. */
export const MAX_TRANSACTION_BYTES = 1232;

export interface WireInstruction {
  /** Index of the program in the account list. */
  program: number;
  /** Indexes of the accounts, in the instruction's order. */
  accounts: Uint8Array;
  data: Uint8Array;
}

export interface TableLookup {
  table: Key;
  writable: Uint8Array;
  readonly: Uint8Array;
}

export interface WireMessage {
  version: 'legacy' | 0;
  header: { signers: number; readonlySigned: number; readonlyUnsigned: number };
  /** Accounts named in the message itself, without those of lookup tables. */
  keys: Key[];
  blockhash: Key;
  /** Where the blockhash is in the message's bytes. */
  blockhashOffset: number;
  instructions: WireInstruction[];
  lookups: TableLookup[];
}

export interface WireTransaction {
  wire: Uint8Array;
  /** One per signer, 64 bytes each. */
  signatures: Uint8Array[];
  /** The signed bytes. */
  messageBytes: Uint8Array;
  message: WireMessage;
}

/** @throws RpcError invalidParams, naming the part that is wrong */
export function readTransaction(wire: Uint8Array): WireTransaction {
  if (wire.length > MAX_TRANSACTION_BYTES) {
    throw malformed(`the transaction has ${wire.length} bytes, the most is ${MAX_TRANSACTION_BYTES}`);
  }
  const cursor = cursorOver(wire);
  const signatures = Array.from({ length: cursor.length('signatures') }, () => cursor.take(64, 'signatures'));
  const messageBytes = wire.subarray(cursor.offset());
  const message = readMessage(messageBytes);
  if (signatures.length !== message.header.signers) {
    throw malformed(`${signatures.length} signatures, but the header asks for ${message.header.signers}`);
  }
  return { wire, signatures, messageBytes, message };
}

/** @throws RpcError invalidParams, naming the part that is wrong */
export function readMessage(bytes: Uint8Array): WireMessage {
  const cursor = cursorOver(bytes);
  const prefix = cursor.peek('version');
  const version = prefix < 0x80 ? 'legacy' : prefix & 0x7f;
  if (version !== 'legacy' && version !== 0) throw malformed(`version ${version} is not supported`);
  if (version === 0) cursor.byte('version');
  const header = {
    signers: cursor.byte('header'),
    readonlySigned: cursor.byte('header'),
    readonlyUnsigned: cursor.byte('header'),
  };
  const keys = Array.from({ length: cursor.length('account keys') }, () => keyAt(cursor.take(32, 'account keys')));
  const blockhashOffset = cursor.offset();
  const blockhash = keyAt(cursor.take(32, 'blockhash'));
  const instructions = Array.from({ length: cursor.length('instructions') }, () => readInstruction(cursor));
  const lookups = version === 0 ? Array.from({ length: cursor.length('table lookups') }, () => readLookup(cursor)) : [];
  if (cursor.offset() !== bytes.length) throw malformed('bytes follow the end of the message');
  const message: WireMessage = { version, header, keys, blockhash, blockhashOffset, instructions, lookups };
  checkReferences(message);
  return message;
}

/** A transaction's bytes with another blockhash; its signatures no longer fit. */
export function withBlockhash({ wire, messageBytes, message }: WireTransaction, blockhash: Key): Uint8Array {
  const changed = Uint8Array.from(wire);
  changed.set(bytesOf(blockhash), wire.length - messageBytes.length + message.blockhashOffset);
  return changed;
}

function readInstruction(cursor: Cursor): WireInstruction {
  const program = cursor.byte('instruction');
  const accounts = cursor.take(cursor.length('instruction accounts'), 'instruction accounts');
  const data = cursor.take(cursor.length('instruction data'), 'instruction data');
  return { program, accounts, data };
}

function readLookup(cursor: Cursor): TableLookup {
  const table = keyAt(cursor.take(32, 'table lookup'));
  const writable = cursor.take(cursor.length('table lookup'), 'table lookup');
  const readonly = cursor.take(cursor.length('table lookup'), 'table lookup');
  return { table, writable, readonly };
}

/** The header fits the key list, and every index names an account that exists. The fee payer is a writable signer. */
function checkReferences({ header, keys, instructions, lookups }: WireMessage): void {
  if (header.signers < 1 || header.readonlySigned >= header.signers) {
    throw malformed('no writable signer to pay the fee');
  }
  if (header.signers + header.readonlyUnsigned > keys.length) {
    throw malformed('the header counts more accounts than the message has');
  }
  if (new Set(keys).size !== keys.length) throw malformed('an account is named twice');
  const loaded = lookups.map(({ writable, readonly }) => writable.length + readonly.length);
  if (loaded.includes(0)) throw malformed('a table lookup that looks nothing up');
  const total = loaded.reduce((sum, count) => sum + count, keys.length);
  if (total > 256) throw malformed('more than 256 accounts');
  for (const { program, accounts } of instructions) {
    if (program === 0 || program >= keys.length) throw malformed(`program index ${program} out of bounds`);
    const outside = accounts.find((index) => index >= total);
    if (outside !== undefined) throw malformed(`account index ${outside} out of bounds`);
  }
}

interface Cursor {
  offset(): number;
  peek(part: string): number;
  byte(part: string): number;
  take(length: number, part: string): Uint8Array;
  /** A compact-u16 length: 7 bits per byte, low ones first, at most three bytes, in its shortest form. */
  length(part: string): number;
}

/** Reads forward over `bytes`; `part` names what is being read, for the refusal. */
function cursorOver(bytes: Uint8Array): Cursor {
  let offset = 0;

  function peek(part: string): number {
    const value = bytes[offset];
    if (value === undefined) throw malformed(`the bytes end inside: ${part}`);
    return value;
  }

  function byte(part: string): number {
    const value = peek(part);
    offset += 1;
    return value;
  }

  function take(length: number, part: string): Uint8Array {
    if (offset + length > bytes.length) throw malformed(`the bytes end inside: ${part}`);
    offset += length;
    return bytes.subarray(offset - length, offset);
  }

  function length(part: string): number {
    let value = 0;
    for (let index = 0; index < 3; index++) {
      const next = byte(part);
      value |= (next & 0x7f) << (7 * index);
      if (next >= 0x80) continue;
      if (next === 0 && index > 0) throw malformed(`a length not in its shortest form: ${part}`);
      if (value <= 0xffff) return value;
    }
    throw malformed(`a length over 65535: ${part}`);
  }

  return { offset: () => offset, peek, byte, take, length };
}

function malformed(reason: string): RpcError {
  return new RpcError('invalidParams', `failed to deserialize the transaction: ${reason}`);
}
