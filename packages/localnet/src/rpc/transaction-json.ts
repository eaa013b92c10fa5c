import { encodeBase58 } from '@fan-api/solana-wire/base58';
import { z } from 'zod';
import { base58Of, type Key, keyAt, keyFromBase58 } from '../key.ts';
import { RpcError } from '../rpc-error.ts';
import type { InnerInstructions, LandedTransaction } from '../store.ts';
import { readTransaction, type WireMessage, type WireTransaction } from '../wire-transaction.ts';

export const TransactionEncoding = z.enum(['json', 'base58', 'base64']);
type TransactionEncoding = z.infer<typeof TransactionEncoding>;

/**
 * A transaction as `getTransaction` shows it.
 * @throws RpcError unsupportedTransactionVersion when the client did not ask for version 0
 */
export function landedTransactionJson(
  landed: LandedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | null | undefined,
): object {
  const transaction = readTransaction(Buffer.from(landed.wire, 'base64'));
  const { version, keys } = transaction.message;
  const namesVersions = maxVersion !== null && maxVersion !== undefined;
  if (version === 0 && !namesVersions) {
    throw new RpcError(
      'unsupportedTransactionVersion',
      'Transaction version (0) is not supported by the requesting client. ' +
        'Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    );
  }
  return {
    slot: landed.slot,
    blockTime: landed.blockTime,
    transaction: transactionJson(transaction, encoding),
    meta: metaJson(landed, keys),
    ...(namesVersions && { version }),
  };
}

function transactionJson({ message, signatures, wire }: WireTransaction, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [Buffer.from(wire).toString('base64'), 'base64'];
  if (encoding === 'base58') return [encodeBase58(wire), 'base58'];
  return { signatures: signatures.map((signature) => encodeBase58(signature)), message: messageJson(message) };
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

/** The token balances of a transaction are not recorded, which null says; without a token program there are none. */
const TOKEN_PROGRAMS = new Set(
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'].map(keyFromBase58),
);

function metaJson(landed: LandedTransaction, keys: Key[]): object {
  const tokenBalances = keys.some((key) => TOKEN_PROGRAMS.has(key)) ? null : [];
  return {
    err: landed.err,
    status: statusJson(landed.err),
    fee: landed.fee,
    preBalances: landed.before,
    postBalances: landed.after,
    innerInstructions: innerInstructionsJson(landed.inner),
    logMessages: landed.logs,
    preTokenBalances: tokenBalances,
    postTokenBalances: tokenBalances,
    loadedAddresses: {
      writable: landed.loaded.writable.map(base58OfBase64),
      readonly: landed.loaded.readonly.map(base58OfBase64),
    },
    ...(landed.returnData && { returnData: returnDataJson(landed.returnData) }),
    computeUnitsConsumed: landed.computeUnits,
    rewards: [],
  };
}

/** The older form of an error that clients still read beside `err`. */
export function statusJson(err: LandedTransaction['err']): unknown {
  return err === null ? { Ok: null } : { Err: err };
}

export function returnDataJson(returned: LandedTransaction['returnData']): unknown {
  return returned && { programId: base58OfBase64(returned.programId), data: [returned.data, 'base64'] };
}

export function innerInstructionsJson(inner: InnerInstructions[]): unknown {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ program, accounts, data, stackHeight }) => {
      const encoded = encodeBase58(Buffer.from(data, 'base64'));
      return { programIdIndex: program, accounts, data: encoded, stackHeight };
    }),
  }));
}

function base58OfBase64(text: string): string {
  return base58Of(keyAt(Buffer.from(text, 'base64')));
}
