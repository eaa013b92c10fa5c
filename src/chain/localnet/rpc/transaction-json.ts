import { encodeBase58 } from '../../base58.ts';
import { base58Of, type Key, keyAt } from '../key.ts';
import { RpcError } from '../rpc-error.ts';
import type { InnerInstructions, LandedTransaction } from '../store/landed-transaction.ts';
import { readTransaction, type WireMessage, type WireTransaction } from '../wire-transaction.ts';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64';

/** What `getTransaction` answers. @throws RpcError unsupportedTransactionVersion when the client did not ask for version 0 */
export function landedTransactionJson(
  landed: LandedTransaction,
  encoding: TransactionEncoding,
  maxVersion: number | null | undefined,
): unknown {
  const wire = Buffer.from(landed.wire, 'base64');
  const transaction = readTransaction(wire);
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
  return {
    slot: landed.slot,
    blockTime: landed.blockTime,
    transaction: transactionJson(transaction, wire, encoding, loaded),
    meta: metaJson(landed, allKeys, loaded, encoding),
    ...(maxVersion === null || maxVersion === undefined ? {} : { version }),
  };
}

interface LoadedKeys {
  writable: Key[];
  readonly: Key[];
}

function transactionJson(
  { message, signatures }: WireTransaction,
  wire: Buffer,
  encoding: TransactionEncoding,
  loaded: LoadedKeys,
): unknown {
  if (encoding === 'base64') return [wire.toString('base64'), 'base64'];
  if (encoding === 'base58') return [encodeBase58(wire), 'base58'];
  const body = encoding === 'json' ? messageJson(message) : parsedMessageJson(message, loaded);
  return { signatures: signatures.map((signature) => encodeBase58(signature)), message: body };
}

function messageJson({ version, header, keys, blockhash, instructions, lookups }: WireMessage): unknown {
  return {
    header: {
      numRequiredSignatures: header.signers,
      numReadonlySignedAccounts: header.readonlySigned,
      numReadonlyUnsignedAccounts: header.readonlyUnsigned,
    },
    accountKeys: keys.map(base58Of),
    recentBlockhash: base58Of(blockhash),
    instructions: instructions.map(({ program, accounts, data }) => ({
      programIdIndex: program,
      accounts: [...accounts],
      data: encodeBase58(data),
      stackHeight: 1,
    })),
    ...(version === 0 ? { addressTableLookups: lookups.map(lookupJson) } : {}),
  };
}

function lookupJson({ table, writable, readonly }: WireMessage['lookups'][number]): unknown {
  return { accountKey: base58Of(table), writableIndexes: [...writable], readonlyIndexes: [...readonly] };
}

/** The `jsonParsed` form, with every instruction as a cluster shows those of programs it has no parser for. */
function parsedMessageJson(message: WireMessage, loaded: LoadedKeys): unknown {
  const { version, header, keys, blockhash, instructions, lookups } = message;
  const addresses = [...keys, ...loaded.writable, ...loaded.readonly].map(base58Of);
  const own = keys.map((_, index) => ({
    signer: index < header.signers,
    writable:
      index < header.signers
        ? index < header.signers - header.readonlySigned
        : index < keys.length - header.readonlyUnsigned,
    source: 'transaction',
  }));
  const flags = [
    ...own,
    ...loaded.writable.map(() => ({ signer: false, writable: true, source: 'lookupTable' })),
    ...loaded.readonly.map(() => ({ signer: false, writable: false, source: 'lookupTable' })),
  ];
  return {
    accountKeys: addresses.map((pubkey, index) => ({ pubkey, ...flags[index] })),
    recentBlockhash: base58Of(blockhash),
    instructions: instructions.map(({ program, accounts, data }) => ({
      programId: addresses[program],
      accounts: [...accounts].map((index) => addresses[index]),
      data: encodeBase58(data),
      stackHeight: 1,
    })),
    ...(version === 0 ? { addressTableLookups: lookups.map(lookupJson) } : {}),
  };
}

function metaJson(landed: LandedTransaction, keys: Key[], loaded: LoadedKeys, encoding: TransactionEncoding): unknown {
  return {
    err: landed.err,
    status: statusJson(landed.err),
    fee: landed.fee,
    preBalances: landed.before,
    postBalances: landed.after,
    innerInstructions: innerInstructionsJson(landed.inner, keys, encoding === 'jsonParsed'),
    logMessages: landed.logs,
    // Not recorded here: null says so, where an empty list would say that there were none.
    preTokenBalances: null,
    postTokenBalances: null,
    rewards: null,
    loadedAddresses: { writable: loaded.writable.map(base58Of), readonly: loaded.readonly.map(base58Of) },
    ...(landed.returnData ? { returnData: returnDataJson(landed.returnData) } : {}),
    computeUnitsConsumed: landed.computeUnits,
  };
}

/** The older form of an error that clients still read beside `err`. */
export function statusJson(err: LandedTransaction['err']): unknown {
  return err === null ? { Ok: null } : { Err: err };
}

export function returnDataJson(returned: LandedTransaction['returnData']): unknown {
  return returned && { programId: base58Of(keyFromBase64(returned.programId)), data: [returned.data, 'base64'] };
}

/** `keys` are all accounts of the message; with `parsed` they stand in place of their indexes. */
export function innerInstructionsJson(inner: InnerInstructions[], keys: Key[], parsed = false): unknown {
  return inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ program, accounts, data, stackHeight }) => ({
      ...(parsed
        ? { programId: addressAt(keys, program), accounts: accounts.map((account) => addressAt(keys, account)) }
        : { programIdIndex: program, accounts }),
      data: encodeBase58(Buffer.from(data, 'base64')),
      stackHeight,
    })),
  }));
}

function addressAt(keys: Key[], index: number): string | null {
  const key = keys[index];
  return key === undefined ? null : base58Of(key);
}

function keyFromBase64(text: string): Key {
  return keyAt(Buffer.from(text, 'base64'));
}
