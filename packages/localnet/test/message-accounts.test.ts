import { expect, test } from 'vitest';
import { keyAt } from '../src/key.ts';
import { accountsOf } from '../src/message-accounts.ts';
import { readTransaction } from '../src/wire-transaction.ts';

/** A key of 32 equal bytes. */
const key = (fill: number) => new Uint8Array(32).fill(fill);

test('accounts and their flags come in the order that instructions index them, those of a lookup table last', () => {
  const [signers, keys] = [2, [1, 2, 3, 4].map(key)];
  const header = Uint8Array.of(0x80, signers, 1, 1, keys.length);
  const instruction = Uint8Array.of(1, 2, 2, 0, 1, 0);
  const lookup = Buffer.concat([Uint8Array.of(1), key(5), Uint8Array.of(1, 1, 1, 0)]);
  const signatures = Buffer.concat([Uint8Array.of(signers), new Uint8Array(64 * signers)]);
  const wire = Buffer.concat([signatures, header, ...keys, key(9), instruction, lookup]);
  const { message } = readTransaction(wire);
  const table = Buffer.concat([new Uint8Array(56), key(7), key(8)]);
  const accounts = accountsOf(message, (wanted) => (wanted === keyAt(key(5)) ? table : undefined));
  expect(accounts?.keys).toEqual([1, 2, 3, 4, 8, 7].map((fill) => keyAt(key(fill))));
  expect(accounts?.writable).toEqual([true, false, true, false, true, false]);
  expect(accountsOf(message, () => undefined)).toBeUndefined();
  expect(accountsOf(message, () => table.subarray(0, 100))).toBeUndefined();
});
