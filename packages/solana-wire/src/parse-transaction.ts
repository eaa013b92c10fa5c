/**
 * Strict parser for Solana transactions. It does not copy: the results are views of the bytes that came in. Signatures are made
 * over the message as received. No message is compiled a second time, so there is no second encoding of it that could differ.
 */
import { type ByteCursor, readByte, readBytes, readShortvec } from './byte-cursor.ts';
import { WireError } from './wire-error.ts';

/** What fits into one packet of the network: the limit of legacy and version 0 transactions. */
export const MAX_TRANSACTION_BYTES = 1_232;
/** The limit of version 1 transactions, which this parser recognises and refuses. */
export const MAX_VERSION_ONE_BYTES = 4_096;

const VERSION_BIT = 0x80;
const MAX_ACCOUNTS = 256;

export interface MessageHeader {
  readonly requiredSignatures: number;
  readonly readonlySigned: number;
  readonly readonlyUnsigned: number;
}

export interface CompiledInstruction {
  readonly programIndex: number;
  /** One account index per byte. */
  readonly accountIndexes: Uint8Array;
  readonly data: Uint8Array;
}

/** Accounts that a version 0 message takes from a lookup table. */
export interface TableLookup {
  readonly table: Uint8Array;
  readonly writableIndexes: Uint8Array;
  readonly readonlyIndexes: Uint8Array;
}

/** What the signatures of a transaction cover. Every `Uint8Array` is a view of the parsed bytes. */
export interface ParsedMessage {
  readonly version: 'legacy' | 0;
  readonly header: MessageHeader;
  /** The static keys, 32 bytes each, all different; the first pays the fee. */
  readonly accountKeys: readonly Uint8Array[];
  /** 32 bytes. */
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  /** Always empty in a legacy message. */
  readonly lookups: readonly TableLookup[];
}

/** A well-formed transaction. */
export interface ParsedTransaction extends ParsedMessage {
  /** The whole transaction as received. */
  readonly bytes: Uint8Array;
  /** 64 bytes each, one per required signer, in the order of `accountKeys`; all zero where absent. */
  readonly signatures: readonly Uint8Array[];
  /** The signed bytes. */
  readonly message: Uint8Array;
}

/**
 * Parses the bytes of one transaction, legacy or version 0.
 *
 * @throws WireError `too_large`, `version_one`, `version_unknown`, `shortvec`, `truncated`, `trailing_bytes`, `signature_count`,
 *   `header`, `account_limit`, `duplicate_key`, `empty_lookup` or `index_out_of_bounds`
 * @see https://solana.com/docs/core/transactions
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  checkSize(bytes);
  checkLeadingVersion(bytes);
  const cursor: ByteCursor = { bytes, at: 0 };
  const signatures = readList(cursor, 'signatures', (from, part) => readBytes(from, 64, part));
  const message = bytes.subarray(cursor.at);
  const parsed = { bytes, signatures, message, ...readMessage(cursor) };
  checkNoTrailingBytes(cursor);
  checkSignatureCount(parsed);
  checkHeader(parsed);
  checkDistinctKeys(parsed);
  checkLookups(parsed);
  checkIndexes(parsed);
  return parsed;
}

function readMessage(cursor: ByteCursor): ParsedMessage {
  const version = readVersion(cursor);
  const header = readHeader(cursor);
  const accountKeys = readList(cursor, 'account keys', (from, part) => readBytes(from, 32, part));
  const recentBlockhash = readBytes(cursor, 32, 'blockhash');
  const instructions = readList(cursor, 'instructions', readInstruction);
  const lookups = version === 0 ? readList(cursor, 'table lookups', readLookup) : [];
  return { version, header, accountKeys, recentBlockhash, instructions, lookups };
}

/** Whether the transaction starts with its version, as from version 1 on. With a zero after it, it is a non-shortest length. */
function leadsWithVersion(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) >= VERSION_BIT && (bytes[1] ?? 0) !== 0;
}

function checkSize(bytes: Uint8Array): void {
  const versionOne = leadsWithVersion(bytes) && bytes[0] === (VERSION_BIT | 1);
  const limit = versionOne ? MAX_VERSION_ONE_BYTES : MAX_TRANSACTION_BYTES;
  if (bytes.length > limit) {
    const size = `${bytes.length} bytes`;
    throw new WireError('too_large', `the transaction has ${size}, the most is ${limit}`, size);
  }
}

/** A count of 128 or more signatures cannot fit, so a first byte that high can only be a version. */
function checkLeadingVersion(bytes: Uint8Array): void {
  if (leadsWithVersion(bytes)) checkVersion((bytes[0] ?? 0) & ~VERSION_BIT, false);
}

function checkVersion(version: number, zeroIsKnown: boolean): void {
  if (version === 1) throw new WireError('version_one', 'version 1 is not supported');
  if (version !== 0 || !zeroIsKnown) {
    throw new WireError('version_unknown', `version ${version} is not supported`, `version ${version}`);
  }
}

function readVersion(cursor: ByteCursor): 'legacy' | 0 {
  const first = cursor.bytes[cursor.at] ?? 0;
  // A legacy message starts with its count of signers, which is below 128.
  if (first < VERSION_BIT) return 'legacy';
  checkVersion(first & ~VERSION_BIT, true);
  cursor.at++;
  return 0;
}

function readHeader(cursor: ByteCursor): MessageHeader {
  const part = 'header';
  return {
    requiredSignatures: readByte(cursor, part),
    readonlySigned: readByte(cursor, part),
    readonlyUnsigned: readByte(cursor, part),
  };
}

function readInstruction(cursor: ByteCursor): CompiledInstruction {
  const programIndex = readByte(cursor, 'instruction');
  const accountIndexes = readVector(cursor, 'instruction accounts');
  return { programIndex, accountIndexes, data: readVector(cursor, 'instruction data') };
}

function readLookup(cursor: ByteCursor, part: string): TableLookup {
  const table = readBytes(cursor, 32, part);
  const writableIndexes = readVector(cursor, part);
  return { table, writableIndexes, readonlyIndexes: readVector(cursor, part) };
}

function readVector(cursor: ByteCursor, part: string): Uint8Array {
  return readBytes(cursor, readShortvec(cursor, part), part);
}

function readList<T>(cursor: ByteCursor, part: string, readItem: (cursor: ByteCursor, part: string) => T): T[] {
  const count = readShortvec(cursor, part);
  const items: T[] = [];
  for (let index = 0; index < count; index++) items.push(readItem(cursor, part));
  return items;
}

function checkNoTrailingBytes(cursor: ByteCursor): void {
  const left = cursor.bytes.length - cursor.at;
  if (left > 0) {
    throw new WireError('trailing_bytes', 'bytes follow the end of the message', `${left} bytes too many`);
  }
}

function checkSignatureCount({ signatures, header }: ParsedTransaction): void {
  const [found, required] = [signatures.length, header.requiredSignatures];
  if (found === required) return;
  const message = `${found} signatures, but the header asks for ${required}`;
  throw new WireError('signature_count', message, `${found} slots, ${required} signers`);
}

function checkHeader({ header, accountKeys }: ParsedMessage): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  if (readonlySigned >= requiredSignatures) {
    throw new WireError('header', 'no writable signer to pay the fee', 'no writable signer');
  }
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    const message = 'the header counts more accounts than the message has';
    throw new WireError('header', message, `only ${accountKeys.length} accounts`);
  }
}

function checkDistinctKeys({ accountKeys }: ParsedMessage): void {
  const seen = new Set<string>();
  for (const [index, key] of accountKeys.entries()) {
    seen.add(Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1'));
    if (seen.size !== index + 1) throw new WireError('duplicate_key', 'an account is named twice', `account ${index}`);
  }
}

function checkLookups(message: ParsedMessage): void {
  for (const { writableIndexes, readonlyIndexes } of message.lookups) {
    if (writableIndexes.length + readonlyIndexes.length === 0) {
      throw new WireError('empty_lookup', 'a table lookup that looks nothing up');
    }
  }
  const count = accountCount(message);
  if (count > MAX_ACCOUNTS) throw new WireError('account_limit', 'more than 256 accounts', `${count} accounts`);
}

function checkIndexes(message: ParsedMessage): void {
  const count = accountCount(message);
  for (const [at, { programIndex, accountIndexes }] of message.instructions.entries()) {
    // A program is never the fee payer and never comes from a lookup table.
    if (programIndex === 0 || programIndex >= message.accountKeys.length)
      throw outOfBounds('program', programIndex, at);
    const outside = accountIndexes.find((index) => index >= count);
    if (outside !== undefined) throw outOfBounds('account', outside, at);
  }
}

function outOfBounds(kind: 'program' | 'account', index: number, instruction: number): WireError {
  return new WireError('index_out_of_bounds', `${kind} index ${index} out of bounds`, `instruction ${instruction}`);
}

function accountCount({ accountKeys, lookups }: ParsedMessage): number {
  return lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    accountKeys.length,
  );
}
