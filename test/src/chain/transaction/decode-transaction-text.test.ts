import { randomBytes } from 'node:crypto';
import { decodeTransactionHex, decodeTransactionText } from '@fan-api/cosign-policy/decode-transaction-text';
import { expect, test } from 'vitest';

const BYTES = randomBytes(301);

test('chain §3.1: decodes hex of either case and padded base64', () => {
  const hex = BYTES.toString('hex');
  for (const text of [hex, hex.toUpperCase(), BYTES.toString('base64')]) {
    expect(Buffer.from(decodeTransactionText(text))).toEqual(BYTES);
  }
});

test('chain §3.1: a text that is hex and base64 at once is hex', () => {
  const both = 'abcd1234';
  expect(Buffer.from(both, 'base64').toString('base64')).toBe(both);
  expect(Buffer.from(decodeTransactionText(both))).toEqual(Buffer.from(both, 'hex'));
});

test.each([
  ['an empty text', ''],
  ['an odd number of hex digits', 'abc'],
  ['an odd number of hex digits, spaced out by one more digit', 'abcde'],
  ['hex with a space', 'ab cd'],
  ['hex with a prefix', '0xabcd'],
  ['hex with a line end', 'abcd\n'],
  ['a digit outside ASCII whose low byte is a hex digit', '\u0130\u0131'],
  ['base64 without its padding', 'zzzzzz'],
  ['base64 with too much padding', 'zzzz===='],
  ['base64 with stray bits', 'zzzzzz=='],
  ['base64 of the URL alphabet', 'zz-_'],
  ['base64 with a line end', 'zzzz\n'],
  ['padding alone', '===='],
])('chain §3.1: refuses %s', (_, text) => {
  expect(() => decodeTransactionText(text)).toThrow(expect.objectContaining({ code: 'encoding' }));
  expect(() => decodeTransactionHex(text)).toThrow(expect.objectContaining({ code: 'encoding' }));
});

test('chain §3.1: says that the number of hex digits is odd', () => {
  expect(() => decodeTransactionText('abc')).toThrow(/odd number of hex digits/);
});

test('spec §2: a claim transaction is hex only, so base64 is refused there', () => {
  expect(Buffer.from(decodeTransactionHex('AbCd'))).toEqual(Buffer.from('abcd', 'hex'));
  expect(() => decodeTransactionHex('zzzz')).toThrow(expect.objectContaining({ code: 'encoding' }));
});

test('chain §3.1: a text longer than any transaction is not decoded', () => {
  expect(decodeTransactionText('00'.repeat(4_096))).toHaveLength(4_096);
  for (const decode of [decodeTransactionText, decodeTransactionHex]) {
    expect(() => decode('00'.repeat(4_097))).toThrow(expect.objectContaining({ code: 'too_large' }));
  }
});
