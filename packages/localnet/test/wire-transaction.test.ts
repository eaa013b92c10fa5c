import { describe, expect, test } from 'vitest';
import { keyAt } from '../src/key.ts';
import { accountsOf } from '../src/message-accounts.ts';
import { readTransaction } from '../src/wire-transaction.ts';

/** A key of 32 equal bytes. */
const key = (fill: number) => new Uint8Array(32).fill(fill);

interface Parts {
  header?: number[];
  keys?: Uint8Array[];
  instructions?: number[];
  lookups?: number[] | undefined;
  prefix?: number[];
}

function message({ header = [1, 0, 1], keys = [key(1), key(2), key(3)], ...rest }: Parts = {}): Uint8Array {
  const { instructions = [1, 2, 2, 0, 1, 0], lookups, prefix = lookups ? [0x80] : [] } = rest;
  return Buffer.concat([
    Uint8Array.from([...prefix, ...header, keys.length]),
    ...keys,
    key(9),
    Uint8Array.from(instructions),
    Uint8Array.from(lookups ?? []),
  ]);
}

/** The message, read from a transaction with the signatures that its header asks for. */
function readMessage(bytes: Uint8Array) {
  const count = bytes[(bytes[0] ?? 0) & 0x80 ? 1 : 0] ?? 0;
  return readTransaction(Buffer.concat([Uint8Array.of(count), new Uint8Array(64 * count), bytes])).message;
}

describe('wire form of transactions on the local network', () => {
  test('a legacy and a version 0 message are read', () => {
    expect(readMessage(message())).toMatchObject({
      version: 'legacy',
      keys: [keyAt(key(1)), keyAt(key(2)), keyAt(key(3))],
    });
    const lookups = [1, ...key(5), 1, 4, 1, 2];
    const { version, lookups: found } = readMessage(message({ lookups, instructions: [1, 2, 2, 3, 4, 0] }));
    expect(version).toBe(0);
    expect(found).toEqual([{ table: keyAt(key(5)), writable: Buffer.of(4), readonly: Buffer.of(2) }]);
  });

  test.each([
    ['version 1', { prefix: [0x81] }, 'version 1'],
    ['no signer', { header: [0, 0, 1] }, 'no writable signer'],
    ['only read-only signers', { header: [1, 1, 1] }, 'no writable signer'],
    ['more accounts in the header than there are', { header: [2, 0, 2] }, 'counts more accounts'],
    ['an account twice', { keys: [key(1), key(2), key(2)] }, 'named twice'],
    ['a program index out of bounds', { instructions: [1, 3, 0, 0] }, 'program index 3'],
    ['the fee payer as program', { instructions: [1, 0, 0, 0] }, 'program index 0'],
    ['an account index out of bounds', { instructions: [1, 2, 1, 3, 0] }, 'account index 3'],
    ['a length not in its shortest form', { instructions: [0x81, 0, 2, 0, 0] }, 'shortest form'],
    ['a length over 65535', { instructions: [0xff, 0xff, 0x7f] }, 'over 65535'],
    ['a length that never ends', { instructions: [0xff, 0xff, 0xff] }, 'over 65535'],
    ['a lookup of nothing', { lookups: [1, ...key(5), 0, 0] }, 'looks nothing up'],
    ['bytes after the end', { instructions: [1, 2, 0, 0, 0] }, 'bytes follow'],
    ['data that ends early', { instructions: [1, 2, 0, 5, 0] }, 'end inside: instruction data'],
  ])('%s is refused', (_, parts, reason) => {
    expect(() => readMessage(message(parts))).toThrow(reason);
  });

  test('a transaction has as many signatures as its header asks for', () => {
    const sign = (count: number) => Buffer.concat([Uint8Array.of(count), new Uint8Array(64 * count), message()]);
    expect(readTransaction(sign(1)).signatures).toHaveLength(1);
    expect(() => readTransaction(sign(2))).toThrow('2 signatures, but the header asks for 1');
    expect(() => readTransaction(sign(0))).toThrow('0 signatures');
  });

  test('accounts and their flags come in the order that instructions index them', () => {
    const lookups = [1, ...key(5), 1, 1, 1, 0];
    const parsed = readMessage(message({ header: [2, 1, 1], keys: [1, 2, 3, 4].map(key), lookups }));
    const table = Buffer.concat([new Uint8Array(56), key(7), key(8)]);
    const accounts = accountsOf(parsed, (wanted) => (wanted === keyAt(key(5)) ? table : undefined));
    expect(accounts?.keys).toEqual([1, 2, 3, 4, 8, 7].map((fill) => keyAt(key(fill))));
    expect(accounts?.writable).toEqual([true, false, true, false, true, false]);
    expect(accountsOf(parsed, () => undefined)).toBeUndefined();
    expect(accountsOf(parsed, () => table.subarray(0, 100))).toBeUndefined();
  });
});
