import { randomBytes } from 'node:crypto';
import { decodeTransactionHex, decodeTransactionText } from '@fan-api/cosign-policy/decode-transaction-text';
import { isSigner, isWritable, parseTransaction } from '@fan-api/cosign-policy/parse-transaction';
import { fillSignatures } from '@fan-api/cosign-policy/signatures';
import { signEd25519Sync } from '@fan-api/solana-wire/ed25519';
import { Transaction, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  AUTHORITY,
  computeLimit,
  computePrice,
  FAN,
  legacyBytes,
  listInstruction,
  lookupBytes,
  messageStart,
  PAYER,
  type RawMessage,
  rawBytes,
  rawMessage,
  STRANGER,
  seedOf,
  systemTransfer,
  versionedBytes,
  wallet,
} from './build-transaction.ts';

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

const GOOD = [computeLimit(20_000), computePrice(5n), listInstruction()];
const SIGNERS = [PAYER, FAN, AUTHORITY];

function refusal(code: string, message: RegExp) {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

function expectRefusal(bytes: Uint8Array, code: string, message: RegExp): void {
  expect(() => parseTransaction(bytes)).toThrow(refusal(code, message));
}

const buffers = (parts: readonly Uint8Array[]) => parts.map((part) => Buffer.from(part));

function changed(change: (raw: RawMessage) => unknown): Buffer {
  const raw = rawMessage(GOOD);
  change(raw);
  return rawBytes(raw);
}

test('chain §3.1: reads a legacy transaction as web3.js does', () => {
  const bytes = legacyBytes(GOOD, { signers: SIGNERS });
  const message = Transaction.from(bytes).compileMessage();
  const parsed = parseTransaction(bytes);
  expect(parsed.version).toBe('legacy');
  expect(Buffer.from(parsed.message)).toEqual(message.serialize());
  expect(buffers(parsed.signatures)).toEqual(Transaction.from(bytes).signatures.map(({ signature }) => signature));
  expect(buffers(parsed.accountKeys)).toEqual(message.accountKeys.map((key) => key.toBuffer()));
  expect(parsed.lookups).toEqual([]);
  for (const index of message.accountKeys.keys()) {
    expect(isSigner(parsed, index)).toBe(message.isAccountSigner(index));
    expect(isWritable(parsed, index)).toBe(message.isAccountWritable(index));
  }
});

test('chain §3.1: reads a version 0 transaction with a lookup table as web3.js does', () => {
  const bytes = lookupBytes(GOOD, SIGNERS);
  const { message, signatures } = VersionedTransaction.deserialize(bytes);
  const parsed = parseTransaction(bytes);
  expect(parsed.version).toBe(0);
  expect(Buffer.from(parsed.message)).toEqual(Buffer.from(message.serialize()));
  expect(buffers(parsed.signatures)).toEqual(buffers(signatures));
  const read = parsed.instructions.map(({ programIndex, accountIndexes, data }) => ({
    programIdIndex: programIndex,
    accountKeyIndexes: [...accountIndexes],
    data: Buffer.from(data),
  }));
  expect(read).toEqual(message.compiledInstructions.map((call) => ({ ...call, data: Buffer.from(call.data) })));
  const [lookup, ...others] = parsed.lookups;
  expect(others).toEqual([]);
  const { table = [], writableIndexes = [], readonlyIndexes = [] } = lookup ?? {};
  expect([table, writableIndexes, readonlyIndexes].map((part) => [...part])).toEqual([
    [...STRANGER.publicKey.toBytes()],
    [1],
    [2, 3],
  ]);
  for (let index = 0; index < message.staticAccountKeys.length + 3; index++) {
    expect(isSigner(parsed, index)).toBe(message.isAccountSigner(index));
    expect(isWritable(parsed, index)).toBe(message.isAccountWritable(index));
  }
});

test('chain §3.2: message, keys and signatures are views of the received bytes', () => {
  const bytes = legacyBytes(GOOD);
  const parsed = parseTransaction(bytes);
  for (const view of [parsed.message, parsed.recentBlockhash, ...parsed.signatures, ...parsed.accountKeys]) {
    expect(view.buffer).toBe(bytes.buffer);
  }
  expect(parsed.message.byteOffset - bytes.byteOffset).toBe(messageStart(bytes));
});

test('chain §3.1: refuses 1,233 bytes before reading them, and reads 1,232', () => {
  const padded = (length: number): Buffer => {
    const rest = length - legacyBytes([systemTransfer(PAYER.publicKey)]).length;
    const instruction = systemTransfer(PAYER.publicKey);
    instruction.data = Buffer.concat([instruction.data, Buffer.alloc(rest - 1)]);
    return rawBytes(rawMessage([instruction]));
  };
  expect(parseTransaction(padded(1_232)).bytes).toHaveLength(1_232);
  expectRefusal(padded(1_233), 'too_large', /at most 1,232 bytes.*1233 bytes/);
  expectRefusal(Buffer.alloc(1_233), 'too_large', /1,232/);
});

test('chain §3.1: recognises version 1 in its own format up to 4,096 bytes and refuses it by name', () => {
  const versionOne = (length: number) => Buffer.concat([Buffer.from([0x81, 3, 2, 1]), Buffer.alloc(length - 4)]);
  expectRefusal(versionOne(4_096), 'version_one', /version 1 transactions are not accepted/);
  expectRefusal(versionOne(4_097), 'too_large', /version 1 transaction at most 4,096/);
});

test.each([
  [1, 'version_one', /version 1/],
  [9, 'version_unknown', /version 9/],
  [127, 'version_unknown', /version 127/],
] as const)('chain §3.1: refuses a message of version %d', (version, code, message) => {
  const bytes = versionedBytes(GOOD);
  bytes[messageStart(bytes)] = 0x80 | version;
  expectRefusal(bytes, code, message);
});

test.each([0, 9])('chain §3.1: refuses version %d before the signatures', (version) => {
  const bytes = Buffer.concat([Buffer.from([0x80 | version]), legacyBytes(GOOD)]);
  expectRefusal(bytes, 'version_unknown', new RegExp(`version ${version}`));
});

test('chain §3.1: refuses a non-minimal shortvec of each length in a transaction', () => {
  const good = rawBytes(rawMessage(GOOD));
  const keys = rawMessage(GOOD).keys.length;
  const start = messageStart(good);
  const instructionCount = start + 3 + 1 + 32 * keys + 32;
  const places = [0, start + 3, instructionCount, instructionCount + 2, instructionCount + 3];
  for (const at of places) {
    const longer = Buffer.concat([
      good.subarray(0, at),
      Buffer.from([(good[at] ?? 0) | 0x80, 0]),
      good.subarray(at + 1),
    ]);
    expectRefusal(longer, 'shortvec', /shortest form/);
  }
});

test('chain §3.1: refuses a non-minimal shortvec of three bytes and one above 65,535', () => {
  const good = rawBytes(rawMessage(GOOD));
  const at = messageStart(good) + 3;
  for (const spelt of [
    [0x80 | (good[at] ?? 0), 0x80, 0],
    [0x80, 0x80, 0x04],
    [0x80, 0x80, 0x80, 0x01],
    [0xff, 0xff, 0x7f],
  ]) {
    const bytes = Buffer.concat([good.subarray(0, at), Buffer.from(spelt), good.subarray(at + 1)]);
    expectRefusal(bytes, 'shortvec', /shortest form/);
  }
});

test('chain §3.1: refuses trailing bytes, be it one', () => {
  for (const bytes of [legacyBytes(GOOD), versionedBytes(GOOD)]) {
    expectRefusal(Buffer.concat([bytes, Buffer.from([0])]), 'trailing_bytes', /nothing follows/);
  }
});

test('chain §3.1: refuses a transaction that is cut short, wherever', () => {
  for (const bytes of [legacyBytes(GOOD), lookupBytes(GOOD)]) {
    for (let length = 0; length < bytes.length; length++) {
      expectRefusal(bytes.subarray(0, length), 'truncated', /all the bytes/);
    }
  }
});

function calling(at: number, program: (raw: RawMessage) => number): (raw: RawMessage) => void {
  return (raw) => {
    const call = raw.instructions[at];
    if (call !== undefined) call.programIdIndex = program(raw);
  };
}

const headed = (header: (raw: RawMessage) => RawMessage['header']) => (raw: RawMessage) => {
  raw.header = header(raw);
};

test.each<[string, (raw: RawMessage) => unknown, string, RegExp]>([
  ['a signature too few', (raw) => Object.assign(raw, { signatureCount: 2 }), 'signature_count', /one signature slot/],
  ['a signature too many', (raw) => Object.assign(raw, { signatureCount: 4 }), 'signature_count', /per signer/],
  ['no signers', (raw) => Object.assign(raw, { header: [0, 0, 4], signatureCount: 0 }), 'header', /fee payer writable/],
  ['a readonly fee payer', headed(() => [3, 3, 4]), 'header', /header/],
  ['more readonly signers than signers', headed(() => [3, 4, 4]), 'header', /header/],
  ['more readonly accounts than there are', headed(() => [3, 2, 7]), 'header', /header/],
  ['more signers than accounts', headed(({ keys }) => [keys.length + 1, 1, 0]), 'header', /no more accounts than/],
  ['a key twice', ({ keys }) => keys.push(PAYER.publicKey.toBytes()), 'duplicate_key', /occurs once/],
  [
    'an account index out of bounds',
    (raw) => raw.instructions[2]?.accountKeyIndexes.splice(4, 1, raw.keys.length),
    'index_out_of_bounds',
    /accounts that the transaction has.*instruction 2/,
  ],
  ['a program index out of bounds', calling(0, ({ keys }) => keys.length), 'index_out_of_bounds', /instruction 0/],
  ['the fee payer as a program', calling(0, () => 0), 'index_out_of_bounds', /never calls the fee payer/],
])('chain §3.1: refuses %s', (_, change, code, message) => {
  expectRefusal(changed(change), code, message);
});

/** One version 0 transaction with a lookup table, its three indexes replaced. */
function withLookup(writable: number[], readonly: number[], change: (raw: RawMessage) => void = () => {}): Buffer {
  const raw: RawMessage = { ...rawMessage(GOOD), versionByte: 0x80 };
  change(raw);
  const bytes = rawBytes(raw);
  const lookup = [[1], STRANGER.publicKey.toBytes(), [writable.length], writable, [readonly.length], readonly];
  return Buffer.concat([bytes.subarray(0, -1), ...lookup.map((part) => Buffer.from(part))]);
}

test('chain §3.1: an account index may point into a lookup table, a program index may not', () => {
  const static_ = rawMessage(GOOD).keys.length;
  const pointing = (index: number) => (raw: RawMessage) =>
    void raw.instructions[2]?.accountKeyIndexes.splice(4, 1, index);
  expect(parseTransaction(withLookup([1], [2], pointing(static_ + 1))).lookups).toHaveLength(1);
  expectRefusal(withLookup([1], [2], pointing(static_ + 2)), 'index_out_of_bounds', /instruction 2/);
  expect(() =>
    parseTransaction(
      withLookup(
        [1],
        [2],
        calling(0, () => static_),
      ),
    ),
  ).toThrow(refusal('index_out_of_bounds', /instruction 0/));
});

test('chain §3.1: refuses a lookup table that is named for nothing', () => {
  expectRefusal(withLookup([], []), 'empty_lookup', /lookup table that is named is used/);
});

test('chain §3.1: refuses more than 256 accounts, static ones and looked up together', () => {
  const room = 256 - rawMessage(GOOD).keys.length;
  const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
  // Counts of 128 and more take two bytes, so both lists stay below.
  expect(parseTransaction(withLookup(indexes(127), indexes(room - 127))).lookups).toHaveLength(1);
  expectRefusal(withLookup(indexes(127), indexes(room - 126)), 'account_limit', /at most 256/);
});

test('chain §3.1: reads a length of two bytes', () => {
  const instruction = systemTransfer(wallet('somebody').publicKey);
  instruction.data = Buffer.alloc(300, 7);
  const [read] = parseTransaction(legacyBytes([instruction])).instructions;
  expect(Buffer.from(read?.data ?? [])).toEqual(instruction.data);
});

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
