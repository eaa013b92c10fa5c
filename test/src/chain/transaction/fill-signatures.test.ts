import { parseTransaction } from '@fan-api/cosign-policy/parse-transaction';
import { fillSignatures } from '@fan-api/cosign-policy/signatures';
import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Transaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  AUTHORITY,
  FAN,
  legacyBytes,
  listInstruction,
  PAYER,
  seedOf,
  versionedBytes,
  wallet,
} from './build-transaction.ts';

const OURS = [FAN, AUTHORITY];

function ours(bytes: Uint8Array) {
  const parsed = parseTransaction(bytes);
  const indexOf = (key: Uint8Array) => parsed.accountKeys.findIndex((other) => Buffer.compare(other, key) === 0);
  return OURS.map((pair) => ({
    index: indexOf(pair.publicKey.toBytes()),
    signature: signEd25519Sync(seedOf(pair), parsed.message),
  }));
}

test('chain §3.2: only our signature slots change, and web3.js finds every signature valid', () => {
  const bytes = legacyBytes([listInstruction()]);
  const filled = Buffer.from(fillSignatures(parseTransaction(bytes), ours(bytes)), 'hex');
  expect(Transaction.from(filled).verifySignatures(true)).toBe(true);
  const differing = [...filled.keys()].filter((at) => filled[at] !== bytes[at]);
  const slots = ours(bytes).map(({ index }) => 1 + 64 * index);
  expect(differing.every((at) => slots.some((slot) => at >= slot && at < slot + 64))).toBe(true);
});

test('chain §3.2: the received bytes themselves stay as they are', () => {
  const bytes = versionedBytes([listInstruction()]);
  const before = Buffer.from(bytes);
  fillSignatures(parseTransaction(bytes), ours(bytes));
  expect(bytes).toEqual(before);
});

test('chain §3.2: works on a view that does not start at the start of its buffer', () => {
  const bytes = legacyBytes([listInstruction()]);
  const view = Buffer.concat([Buffer.alloc(5, 0xaa), bytes]).subarray(5);
  expect(fillSignatures(parseTransaction(view), ours(bytes))).toBe(
    fillSignatures(parseTransaction(bytes), ours(bytes)),
  );
});

test('chain §3.9: a transaction that we signed before comes back as it is', () => {
  const bytes = legacyBytes([listInstruction()], { signers: [PAYER, ...OURS] });
  expect(fillSignatures(parseTransaction(bytes), ours(bytes))).toBe(bytes.toString('hex'));
});

test('chain §3.2: never replaces a signature that is present by another', () => {
  const bytes = legacyBytes([listInstruction()]);
  const [first] = ours(bytes);
  const other = signEd25519Sync(seedOf(wallet('somebody')), Buffer.from('something'));
  expect(() => fillSignatures(parseTransaction(bytes), [{ index: 0, signature: other }])).toThrow(
    expect.objectContaining({
      code: 'signature_conflict',
      message: expect.stringMatching(/never replaced.*signature 0/),
    }),
  );
  expect(first?.index).toBeGreaterThan(0);
});

test.each([
  ['no such slot', { index: 3, signature: new Uint8Array(64) }],
  ['63 bytes', { index: 1, signature: new Uint8Array(63) }],
])('chain §3.2: %s is a mistake of the caller', (_, slot) => {
  expect(() => fillSignatures(parseTransaction(legacyBytes([listInstruction()])), [slot])).toThrow(RangeError);
});
