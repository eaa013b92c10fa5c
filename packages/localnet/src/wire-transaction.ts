/**
 * Transactions as the network handles them: parsed strictly, with keys as {@link Key}. Every transaction is parsed before it
 * reaches the VM: the VM's native side aborts the whole process on bytes that it cannot decode.
 */
import {
  type CompiledInstruction,
  type MessageHeader,
  type ParsedMessage,
  parseTransaction,
} from '@fan-api/solana-wire/parse-transaction';
import { WireError } from '@fan-api/solana-wire/wire-error';
import { bytesOf, type Key, keyAt } from './key.ts';
import { RpcError } from './rpc-error.ts';

interface TableLookup {
  table: Key;
  writable: Uint8Array;
  readonly: Uint8Array;
}

export interface WireMessage {
  version: 'legacy' | 0;
  header: MessageHeader;
  /** Accounts named in the message itself, without those of lookup tables. */
  keys: Key[];
  blockhash: Key;
  instructions: readonly CompiledInstruction[];
  lookups: TableLookup[];
}

export interface WireTransaction {
  wire: Uint8Array;
  /** One per signer, 64 bytes each. */
  signatures: readonly Uint8Array[];
  /** The signed bytes. */
  messageBytes: Uint8Array;
  message: WireMessage;
  /** Where the blockhash is in `wire`. */
  blockhashOffset: number;
}

/** @throws RpcError invalidParams, naming the part that is wrong */
export function readTransaction(wire: Uint8Array): WireTransaction {
  const parsed = parse(() => parseTransaction(wire));
  return {
    wire,
    signatures: parsed.signatures,
    messageBytes: parsed.message,
    message: withKeys(parsed),
    blockhashOffset: parsed.recentBlockhash.byteOffset - wire.byteOffset,
  };
}

/** A transaction's bytes with another blockhash; its signatures no longer fit. */
export function withBlockhash({ wire, blockhashOffset }: WireTransaction, blockhash: Key): Uint8Array {
  const changed = Uint8Array.from(wire);
  changed.set(bytesOf(blockhash), blockhashOffset);
  return changed;
}

function withKeys({
  version,
  header,
  accountKeys,
  recentBlockhash,
  instructions,
  lookups,
}: ParsedMessage): WireMessage {
  return {
    version,
    header,
    keys: accountKeys.map((key) => keyAt(key)),
    blockhash: keyAt(recentBlockhash),
    instructions,
    lookups: lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
      table: keyAt(table),
      writable: writableIndexes,
      readonly: readonlyIndexes,
    })),
  };
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new RpcError('invalidParams', `failed to deserialize the transaction: ${error.message}`);
  }
}
