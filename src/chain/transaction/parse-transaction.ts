/**
 * Reading a Solana transaction off the wire, strictly and without copying: what comes out are views of the bytes that came in.
 * Signatures are made over `message` as received; nothing in this room compiles a message again, so there is no second spelling
 * of it that could differ.
 */
import { ChainError } from '../../chain-error.ts';
import { type ByteCursor, readByte, readBytes, readShortvec } from './byte-cursor.ts';

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

/** A transaction that is sound in itself. Every `Uint8Array` is a view of `bytes`. */
export interface ParsedTransaction {
  /** The whole transaction as received. */
  readonly bytes: Uint8Array;
  readonly version: 'legacy' | 0;
  /** 64 bytes each, one per required signer, in the order of `accountKeys`; all zero where absent. */
  readonly signatures: readonly Uint8Array[];
  /** What is signed. */
  readonly message: Uint8Array;
  readonly header: MessageHeader;
  /** The static keys, 32 bytes each, all different; the first pays the fee. */
  readonly accountKeys: readonly Uint8Array[];
  /** 32 bytes. */
  readonly recentBlockhash: Uint8Array;
  readonly instructions: readonly CompiledInstruction[];
  /** Always empty in a legacy transaction. */
  readonly lookups: readonly TableLookup[];
}

/**
 * Parses the bytes of one transaction, legacy or version 0.
 *
 * @throws ChainError `too_large`, `version_one`, `version_unknown`, `shortvec`, `truncated`, `trailing_bytes`, `signature_count`,
 *   `header`, `account_limit`, `duplicate_key`, `empty_lookup` or `index_out_of_bounds`
 * @see https://solana.com/docs/core/transactions
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  checkSize(bytes);
  checkLeadingVersion(bytes);
  const cursor: ByteCursor = { bytes, at: 0 };
  const signatures = readList(cursor, (from) => readBytes(from, 64));
  const messageStart = cursor.at;
  const version = readVersion(cursor);
  const header = readHeader(cursor);
  const accountKeys = readList(cursor, (from) => readBytes(from, 32));
  const recentBlockhash = readBytes(cursor, 32);
  const instructions = readList(cursor, readInstruction);
  const lookups = version === 0 ? readList(cursor, readLookup) : [];
  const message = bytes.subarray(messageStart);
  const parsed = { bytes, version, signatures, message, header, accountKeys, recentBlockhash, instructions, lookups };

  checkNoTrailingBytes(cursor);
  checkSignatureCount(parsed);
  checkHeader(parsed);
  checkDistinctKeys(parsed);
  checkLookups(parsed);
  checkIndexes(parsed);
  return parsed;
}

/** Whether the transaction is in the coming format that starts with its version. A zero behind it is a badly spelt length instead. */
function leadsWithVersion(bytes: Uint8Array): boolean {
  return (bytes[0] ?? 0) >= VERSION_BIT && (bytes[1] ?? 0) !== 0;
}

function checkSize(bytes: Uint8Array): void {
  const versionOne = leadsWithVersion(bytes) && bytes[0] === (VERSION_BIT | 1);
  const limit = versionOne ? MAX_VERSION_ONE_BYTES : MAX_TRANSACTION_BYTES;
  if (bytes.length > limit) throw new ChainError('too_large', { detail: `${bytes.length} bytes` });
}

/** A count of 128 or more signatures cannot fit, so a first byte that high can only be a version. */
function checkLeadingVersion(bytes: Uint8Array): void {
  if (leadsWithVersion(bytes)) checkVersion((bytes[0] ?? 0) & ~VERSION_BIT, false);
}

function checkVersion(version: number, zeroIsKnown: boolean): void {
  if (version === 1) throw new ChainError('version_one');
  if (version !== 0 || !zeroIsKnown) throw new ChainError('version_unknown', { detail: `version ${version}` });
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
  return { requiredSignatures: readByte(cursor), readonlySigned: readByte(cursor), readonlyUnsigned: readByte(cursor) };
}

function readInstruction(cursor: ByteCursor): CompiledInstruction {
  const programIndex = readByte(cursor);
  const accountIndexes = readBytes(cursor, readShortvec(cursor));
  return { programIndex, accountIndexes, data: readBytes(cursor, readShortvec(cursor)) };
}

function readLookup(cursor: ByteCursor): TableLookup {
  const table = readBytes(cursor, 32);
  const writableIndexes = readBytes(cursor, readShortvec(cursor));
  return { table, writableIndexes, readonlyIndexes: readBytes(cursor, readShortvec(cursor)) };
}

function readList<T>(cursor: ByteCursor, readItem: (cursor: ByteCursor) => T): T[] {
  const count = readShortvec(cursor);
  const items: T[] = [];
  for (let index = 0; index < count; index++) items.push(readItem(cursor));
  return items;
}

function checkNoTrailingBytes(cursor: ByteCursor): void {
  const left = cursor.bytes.length - cursor.at;
  if (left > 0) throw new ChainError('trailing_bytes', { detail: `${left} bytes too many` });
}

function checkSignatureCount({ signatures, header }: ParsedTransaction): void {
  if (signatures.length !== header.requiredSignatures) {
    throw new ChainError('signature_count', {
      detail: `${signatures.length} slots, ${header.requiredSignatures} signers`,
    });
  }
}

function checkHeader({ header, accountKeys }: ParsedTransaction): void {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  if (readonlySigned >= requiredSignatures) throw new ChainError('header', { detail: 'no writable signer' });
  if (requiredSignatures + readonlyUnsigned > accountKeys.length) {
    throw new ChainError('header', { detail: `only ${accountKeys.length} accounts` });
  }
}

function checkDistinctKeys({ accountKeys }: ParsedTransaction): void {
  const seen = new Set<string>();
  for (const [index, key] of accountKeys.entries()) {
    seen.add(Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1'));
    if (seen.size !== index + 1) throw new ChainError('duplicate_key', { detail: `account ${index}` });
  }
}

function checkLookups(parsed: ParsedTransaction): void {
  for (const { writableIndexes, readonlyIndexes } of parsed.lookups) {
    if (writableIndexes.length + readonlyIndexes.length === 0) throw new ChainError('empty_lookup');
  }
  const count = accountCount(parsed);
  if (count > MAX_ACCOUNTS) throw new ChainError('account_limit', { detail: `${count} accounts` });
}

function checkIndexes(parsed: ParsedTransaction): void {
  const count = accountCount(parsed);
  for (const [at, { programIndex, accountIndexes }] of parsed.instructions.entries()) {
    // A program is never the fee payer and never comes from a lookup table.
    const badProgram = programIndex === 0 || programIndex >= parsed.accountKeys.length;
    if (badProgram || accountIndexes.some((index) => index >= count)) {
      throw new ChainError('index_out_of_bounds', { detail: `instruction ${at}` });
    }
  }
}

function accountCount({ accountKeys, lookups }: ParsedTransaction): number {
  return lookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    accountKeys.length,
  );
}
