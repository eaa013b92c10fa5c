import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { z } from 'zod';
import { base58Of, type Key, keyAt } from '../key.ts';
import { isWritableKey } from '../message-accounts.ts';
import { RpcError } from '../rpc-error.ts';
import type { InnerInstructions, LandedTransaction, TokenBalance } from '../store/landed-transaction.ts';
import { uiAmount } from '../token-account.ts';
import { readTransaction, type WireMessage, type WireTransaction } from '../wire-transaction.ts';
import { parsedInstructionJson } from './parsed-instruction.ts';

export const TransactionEncoding = z.enum(['json', 'jsonParsed', 'base58', 'base64']);
export type TransactionEncoding = z.infer<typeof TransactionEncoding>;

/**
 * A transaction as `getTransaction` shows it.
 * @throws RpcError unsupportedTransactionVersion when the client did not ask for version 0
 */
export function landedTransactionJson(
  landed: LandedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | null | undefined,
): object {
  const { transaction, loaded, allKeys, version } = open(landed, maxVersion);
  return {
    transaction: transactionJson(transaction, encoding, loaded),
    meta: { ...metaJson(landed, allKeys, loaded, encoding), rewards: [] },
    ...version,
  };
}

interface OpenedTransaction {
  transaction: WireTransaction;
  loaded: LoadedKeys;
  allKeys: Key[];
  /** Set only if the client named the versions it supports. */
  version: object;
}

function open(landed: LandedTransaction, maxVersion: number | null | undefined): OpenedTransaction {
  const transaction = readTransaction(Buffer.from(landed.wire, 'base64'));
  const { version, keys } = transaction.message;
  if (version === 0 && (maxVersion === null || maxVersion === undefined)) {
    throw new RpcError(
      'unsupportedTransactionVersion',
      'Transaction version (0) is not supported by the requesting client. ' +
        'Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    );
  }
  const loaded = {
    writable: landed.loaded.writable.map(keyFromBase64),
    readonly: landed.loaded.readonly.map(keyFromBase64),
  };
  const allKeys = [...keys, ...loaded.writable, ...loaded.readonly];
  const shown = maxVersion === null || maxVersion === undefined ? {} : { version };
  return { transaction, loaded, allKeys, version: shown };
}

interface LoadedKeys {
  writable: Key[];
  readonly: Key[];
}

function transactionJson(
  { message, signatures, wire }: WireTransaction,
  encoding: TransactionEncoding,
  loaded: LoadedKeys,
): unknown {
  if (encoding === 'base64') return [Buffer.from(wire).toString('base64'), 'base64'];
  if (encoding === 'base58') return [encodeBase58(wire), 'base58'];
  const body = encoding === 'json' ? messageJson(message) : parsedMessageJson(message, loaded);
  return { signatures: signatures.map((signature) => encodeBase58(signature)), message: body };
}

function messageJson({ version, header, keys, blockhash, instructions, lookups }: WireMessage): unknown {
  return {
    header: {
      numRequiredSignatures: header.requiredSignatures,
      numReadonlySignedAccounts: header.readonlySigned,
      numReadonlyUnsignedAccounts: header.readonlyUnsigned,
    },
    accountKeys: keys.map(base58Of),
    recentBlockhash: base58Of(blockhash),
    instructions: instructions.map(({ programIndex, accountIndexes, data }) => ({
      programIdIndex: programIndex,
      accounts: [...accountIndexes],
      data: encodeBase58(data),
      stackHeight: 1,
    })),
    ...(version === 0 ? { addressTableLookups: lookups.map(lookupJson) } : {}),
  };
}

function lookupJson({ table, writable, readonly }: WireMessage['lookups'][number]): unknown {
  return { accountKey: base58Of(table), writableIndexes: [...writable], readonlyIndexes: [...readonly] };
}

function parsedMessageJson(message: WireMessage, loaded: LoadedKeys): unknown {
  const { version, keys, blockhash, instructions, lookups } = message;
  const all = [...keys, ...loaded.writable, ...loaded.readonly];
  return {
    accountKeys: parsedAccounts(message, loaded),
    recentBlockhash: base58Of(blockhash),
    instructions: instructions.map(({ programIndex, accountIndexes, data }) => {
      const accounts = [...accountIndexes].map((index) => keyIn(all, index));
      const resolved = { program: keyIn(all, programIndex), accounts };
      return parsedInstructionJson({ ...resolved, data, stackHeight: 1 });
    }),
    ...(version === 0 ? { addressTableLookups: lookups.map(lookupJson) } : {}),
  };
}

function parsedAccounts(message: WireMessage, loaded: LoadedKeys): object[] {
  return [
    ...message.keys.map((key, index) => ({
      pubkey: base58Of(key),
      signer: index < message.header.requiredSignatures,
      writable: isWritableKey(message, index),
      source: 'transaction',
    })),
    ...loaded.writable.map((key) => fromTable(key, true)),
    ...loaded.readonly.map((key) => fromTable(key, false)),
  ];
}

function fromTable(key: Key, writable: boolean): object {
  return { pubkey: base58Of(key), signer: false, writable, source: 'lookupTable' };
}

function metaJson(landed: LandedTransaction, keys: Key[], loaded: LoadedKeys, encoding: TransactionEncoding): object {
  return {
    err: landed.err,
    status: statusJson(landed.err),
    fee: landed.fee,
    preBalances: landed.before,
    postBalances: landed.after,
    innerInstructions: innerInstructionsJson(landed.inner, keys, encoding === 'jsonParsed'),
    logMessages: landed.logs,
    ...tokenBalancesJson(landed.tokens),
    ...(encoding === 'jsonParsed'
      ? {}
      : { loadedAddresses: { writable: loaded.writable.map(base58Of), readonly: loaded.readonly.map(base58Of) } }),
    ...(landed.returnData ? { returnData: returnDataJson(landed.returnData) } : {}),
    computeUnitsConsumed: landed.computeUnits,
  };
}

/** Null for transactions from before balances were recorded: an empty list would mean that there were none. */
function tokenBalancesJson(tokens: LandedTransaction['tokens']): object {
  return {
    preTokenBalances: tokens?.before.map(tokenBalanceJson) ?? null,
    postTokenBalances: tokens?.after.map(tokenBalanceJson) ?? null,
  };
}

/** Only in this answer does a cluster give null as the `uiAmount` of zero. */
function tokenBalanceJson({ amount, decimals, ...balance }: TokenBalance): object {
  const uiTokenAmount = uiAmount(BigInt(amount), decimals);
  return { ...balance, uiTokenAmount: amount === '0' ? { ...uiTokenAmount, uiAmount: null } : uiTokenAmount };
}

/** The older form of an error that clients still read beside `err`. */
export function statusJson(err: LandedTransaction['err']): unknown {
  return err === null ? { Ok: null } : { Err: err };
}

export function returnDataJson(returned: LandedTransaction['returnData']): unknown {
  return returned && { programId: base58Of(keyFromBase64(returned.programId)), data: [returned.data, 'base64'] };
}

/** `keys` are all accounts of the message; with `parsed` they replace their indexes. */
export function innerInstructionsJson(inner: InnerInstructions[], keys: Key[], parsed = false): unknown {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ program, accounts, data, stackHeight }) => {
      const bytes = Buffer.from(data, 'base64');
      if (!parsed) return { programIdIndex: program, accounts, data: encodeBase58(bytes), stackHeight };
      const resolved = { program: keyIn(keys, program), accounts: accounts.map((index) => keyIn(keys, index)) };
      return parsedInstructionJson({ ...resolved, data: bytes, stackHeight });
    }),
  }));
}

/** @throws RangeError for an index that the parser should have refused */
function keyIn(keys: Key[], index: number): Key {
  const key = keys[index];
  if (key === undefined) throw new RangeError(`account index ${index} out of bounds`);
  return key;
}

function keyFromBase64(text: string): Key {
  return keyAt(Buffer.from(text, 'base64'));
}
