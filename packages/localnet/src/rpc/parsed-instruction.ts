/**
 * Instructions of the System program and of the memo programs as `jsonParsed` shows them. Those of all other programs
 * are shown with their data in base58.
 */
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { base58Of, type Key, keyAt, keyFromBase58, SYSTEM_PROGRAM } from '../key.ts';
import { u64 } from '../u64.ts';

const MEMO_PROGRAMS = new Set(
  ['MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'].map(keyFromBase58),
);

/** An instruction of a transaction, its accounts resolved. */
export interface ResolvedInstruction {
  program: Key;
  accounts: Key[];
  data: Uint8Array;
  stackHeight: number;
}

/** An instruction in the `jsonParsed` form. */
export function parsedInstructionJson({ program, accounts, data, stackHeight }: ResolvedInstruction): object {
  const programId = base58Of(program);
  if (MEMO_PROGRAMS.has(program)) {
    return { program: 'spl-memo', programId, parsed: Buffer.from(data).toString('utf8'), stackHeight };
  }
  const parsed = program === SYSTEM_PROGRAM ? parseSystem(accounts.map(base58Of), data) : undefined;
  if (parsed) return { program: 'system', programId, parsed, stackHeight };
  return { programId, accounts: accounts.map(base58Of), data: encodeBase58(data), stackHeight };
}

/** Reads the fields of an instruction in their order. */
interface Fields {
  u64(): unknown;
  key(): string;
  text(): string;
}

interface Shape {
  type: string;
  /** How many accounts it must name. */
  accounts: number;
  info(accounts: string[], fields: Fields): object;
}

/** By the number that an instruction begins with. */
const SYSTEM: Shape[] = [
  {
    type: 'createAccount',
    accounts: 2,
    info: ([source, newAccount], { u64, key }) => ({
      source,
      newAccount,
      lamports: u64(),
      space: u64(),
      owner: key(),
    }),
  },
  { type: 'assign', accounts: 1, info: ([account], { key }) => ({ account, owner: key() }) },
  {
    type: 'transfer',
    accounts: 2,
    info: ([source, destination], { u64 }) => ({ source, destination, lamports: u64() }),
  },
  {
    type: 'createAccountWithSeed',
    accounts: 2,
    info: ([source, newAccount], { u64, key, text }) => ({
      source,
      newAccount,
      base: key(),
      seed: text(),
      lamports: u64(),
      space: u64(),
      owner: key(),
    }),
  },
  {
    type: 'advanceNonce',
    accounts: 3,
    info: ([nonceAccount, recentBlockhashesSysvar, nonceAuthority]) => ({
      nonceAccount,
      recentBlockhashesSysvar,
      nonceAuthority,
    }),
  },
  {
    type: 'withdrawFromNonce',
    accounts: 5,
    info: ([nonceAccount, destination, recentBlockhashesSysvar, rentSysvar, nonceAuthority], { u64 }) => ({
      nonceAccount,
      destination,
      recentBlockhashesSysvar,
      rentSysvar,
      nonceAuthority,
      lamports: u64(),
    }),
  },
  {
    type: 'initializeNonce',
    accounts: 3,
    info: ([nonceAccount, recentBlockhashesSysvar, rentSysvar], { key }) => ({
      nonceAccount,
      recentBlockhashesSysvar,
      rentSysvar,
      nonceAuthority: key(),
    }),
  },
  {
    type: 'authorizeNonce',
    accounts: 1,
    info: ([nonceAccount, nonceAuthority], { key }) => ({ nonceAccount, nonceAuthority, newAuthorized: key() }),
  },
  { type: 'allocate', accounts: 1, info: ([account], { u64 }) => ({ account, space: u64() }) },
  {
    type: 'allocateWithSeed',
    accounts: 2,
    info: ([account], { u64, key, text }) => ({ account, base: key(), seed: text(), space: u64(), owner: key() }),
  },
  {
    type: 'assignWithSeed',
    accounts: 2,
    info: ([account], { key, text }) => ({ account, base: key(), seed: text(), owner: key() }),
  },
  {
    type: 'transferWithSeed',
    accounts: 3,
    info: ([source, sourceBase, destination], { u64, key, text }) => ({
      source,
      sourceBase,
      destination,
      lamports: u64(),
      sourceSeed: text(),
      sourceOwner: key(),
    }),
  },
  { type: 'upgradeNonce', accounts: 1, info: ([nonceAccount]) => ({ nonceAccount }) },
];

function parseSystem(accounts: string[], data: Uint8Array): object | undefined {
  const bytes = Buffer.from(data);
  const shape = bytes.length < 4 ? undefined : SYSTEM[bytes.readUInt32LE(0)];
  if (!shape || accounts.length < shape.accounts) return undefined;
  try {
    return { type: shape.type, info: shape.info(accounts, fieldsOf(bytes)) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws RangeError where the data ends inside a field */
function fieldsOf(bytes: Buffer): Fields {
  let offset = 4;
  function take(length: number): Buffer {
    if (offset + length > bytes.length) throw new RangeError('the data ends inside a field');
    offset += length;
    return bytes.subarray(offset - length, offset);
  }
  return {
    u64: () => u64(take(8).readBigUInt64LE()),
    key: () => base58Of(keyAt(take(32))),
    text() {
      const length = Number(take(8).readBigUInt64LE());
      return take(length).toString('utf8');
    },
  };
}
