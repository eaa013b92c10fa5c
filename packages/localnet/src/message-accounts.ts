import { type Key, keyAt } from './key.ts';
import type { WireMessage } from './wire-transaction.ts';

/** Where the address list of a lookup table account begins. */
const TABLE_HEADER_BYTES = 56;

/** All accounts of a message in the order instructions index them, and which of them it may write. */
export interface MessageAccounts {
  keys: Key[];
  writable: boolean[];
  /** The part of `keys` that came from lookup tables. */
  loaded: { writable: Key[]; readonly: Key[] };
}

/**
 * Resolves the accounts of a message, reading lookup tables through `dataOf`.
 * @returns undefined when a table is missing or too short for an index.
 */
export function accountsOf(
  message: WireMessage,
  dataOf: (key: Key) => Uint8Array | undefined,
): MessageAccounts | undefined {
  const { keys, lookups } = message;
  const loaded: MessageAccounts['loaded'] = { writable: [], readonly: [] };
  for (const lookup of lookups) {
    const table = dataOf(lookup.table);
    if (!table) return undefined;
    for (const kind of ['writable', 'readonly'] as const) {
      for (const index of lookup[kind]) {
        const offset = TABLE_HEADER_BYTES + 32 * index;
        if (offset + 32 > table.length) return undefined;
        loaded[kind].push(keyAt(table, offset));
      }
    }
  }
  const writable = keys.map((_, index) => isWritableKey(message, index));
  return {
    keys: [...keys, ...loaded.writable, ...loaded.readonly],
    writable: [...writable, ...loaded.writable.map(() => true), ...loaded.readonly.map(() => false)],
    loaded,
  };
}

/** Whether a message may write to one of its own keys: among the signers and among the others, writable ones come first. */
export function isWritableKey({ header, keys }: Pick<WireMessage, 'header' | 'keys'>, index: number): boolean {
  const { requiredSignatures, readonlySigned, readonlyUnsigned } = header;
  return index < requiredSignatures
    ? index < requiredSignatures - readonlySigned
    : index < keys.length - readonlyUnsigned;
}
