import {
  type JudgedListing,
  judgeListingTransactions,
  type ListingFacts,
} from '@fan-api/cosign-policy/judge-listing-transactions';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { decodeArgs } from '@fan-api/cosign-policy/read-instruction';
import {
  type AccountMeta,
  type Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import { ChainError } from '../../../../src/platform/chain-error.ts';
import {
  AUTHORITY,
  BLOCKHASH,
  cancelInstruction,
  computeLimit,
  computePrice,
  FAN,
  keyOf,
  legacyBytes,
  listInstruction,
  MARKETPLACE,
  messageStart,
  OTHER_PROGRAM_ID,
  PAYER,
  PERMIT,
  PROGRAM_ID,
  type RawMessage,
  rawBytes,
  rawMessage,
  STRANGER,
  sequence,
  systemTransfer,
  transferInstruction,
  versionedBytes,
  wallet,
  withData,
  withKeys,
  withProgram,
} from '../../chain/transaction/build-transaction.ts';

const OTHER_OF_OURS = wallet('another wallet of the service');
const LIMIT_CAP = 400_000;
const PRICE_CAP = 5_000_000n;

const FACTS: ListingFacts = {
  type: 'list',
  programId: PROGRAM_ID,
  authorities: [keyOf(AUTHORITY)],
  fanWallet: keyOf(FAN),
  ourKeys: new Set([keyOf(OTHER_OF_OURS)]),
};
const CANCEL: ListingFacts = { ...FACTS, type: 'cancel' };

const OTHER_PERMIT = wallet('other permit').publicKey.toBase58();

function judge(bytes: Buffer, facts = FACTS) {
  return judgeListingTransactions([bytes.toString('hex')], facts);
}

/** Judges `bytes` as the third transaction of a request whose others are good, and expects it to be the one refused. */
async function expectRefused(bytes: Buffer, code: string, message: RegExp, facts = FACTS): Promise<void> {
  const good = (permit: string) =>
    legacyBytes([facts.type === 'list' ? listInstruction(permit) : cancelInstruction(permit)]).toString('base64');
  const permits = [wallet('one'), wallet('two'), wallet('three')].map(keyOf);
  const [one = '', two = '', three = ''] = permits.map(good);
  const judged = judgeListingTransactions([one, two, bytes.toString('hex'), three], facts);
  await expect(judged).rejects.toMatchObject({ name: 'ChainError', code, message: expect.stringMatching(message) });
  await expect(judged).rejects.toThrow(/^transactions\[2\]: /);
}

function changed(change: (raw: RawMessage) => void, instructions = [listInstruction()]): Buffer {
  const raw = rawMessage(instructions);
  change(raw);
  return rawBytes(raw, PAYER);
}

describe('what is accepted', () => {
  test('chain §3: a listing comes back with its permit, terms, slots and sentence', async () => {
    const bytes = legacyBytes([computeLimit(LIMIT_CAP), computePrice(PRICE_CAP), listInstruction()]);
    const [judged] = await judge(bytes);
    expect(judged).toMatchObject({
      permit: PERMIT,
      owner: keyOf(FAN),
      price: 1_500_000_000n,
      marketplace: keyOf(MARKETPLACE),
      feePayer: keyOf(PAYER),
      recentBlockhash: BLOCKHASH,
      sentence:
        `List permit ${PERMIT} for 1500000000 lamports on marketplace ${keyOf(MARKETPLACE)}, ` +
        `for its owner ${keyOf(FAN)}; ${keyOf(PAYER)} pays the fee.`,
    });
    const message = Transaction.from(bytes).compileMessage();
    expect(Buffer.from(judged?.messageBytes ?? [])).toEqual(message.serialize());
    const indexOf = (key: PublicKey) => message.accountKeys.findIndex((other) => other.equals(key));
    expect(judged?.slots).toEqual({ fanWallet: indexOf(FAN.publicKey), authority: indexOf(AUTHORITY.publicKey) });
    expect(judged?.signatures.map((signature) => signature !== null)).toEqual([true, false, false]);
  });

  test('chain §3: a cancellation has neither price nor marketplace', async () => {
    const [judged] = await judge(legacyBytes([cancelInstruction()]), CANCEL);
    expect(judged).toMatchObject({
      permit: PERMIT,
      price: null,
      marketplace: null,
      sentence: `Cancel the listing of permit ${PERMIT}, for its owner ${keyOf(FAN)}; ${keyOf(PAYER)} pays the fee.`,
    });
  });

  test('chain §3: version 0 without lookup tables passes like legacy', async () => {
    expect(await judge(versionedBytes([listInstruction()]))).toMatchObject([{ permit: PERMIT }]);
  });

  test('chain §3.2: the partner may sign before or after us', async () => {
    const [unsigned] = await judge(legacyBytes([listInstruction()], { signers: [] }));
    expect(unsigned?.signatures).toEqual([null, null, null]);
    const [signed] = await judge(legacyBytes([listInstruction()], { signers: [PAYER, FAN, AUTHORITY] }));
    expect(signed?.signatures).not.toContain(null);
  });

  test('chain §3.4: the marketplace may pay the fee', async () => {
    const bytes = legacyBytes([listInstruction()], { payer: MARKETPLACE });
    expect(await judge(bytes)).toMatchObject([{ marketplace: keyOf(MARKETPLACE), feePayer: keyOf(MARKETPLACE) }]);
  });

  test('chain §3: 4 transactions pass as one set, in the order of the request', async () => {
    const permits = ['one', 'two', 'three', 'four'].map((name) => keyOf(wallet(name)));
    const texts = permits.map((permit) => legacyBytes([listInstruction(permit)]).toString('base64'));
    expect((await judgeListingTransactions(texts, FACTS)).map(({ permit }) => permit)).toEqual(permits);
  });
});

describe('the request', () => {
  test.each([0, 5])('spec §8: %d transactions are refused', async (count) => {
    const texts = Array.from({ length: count }, (_, index) =>
      legacyBytes([listInstruction(keyOf(wallet(`permit ${index}`)))]).toString('hex'),
    );
    await expect(judgeListingTransactions(texts, FACTS)).rejects.toMatchObject({
      code: 'transaction_count',
      message: `transactions: a request carries an accepted number of transactions (${count} instead of 1 to 4)`,
    });
  });

  test('chain §3: the same permit twice in a request is refused, though each alone would pass', async () => {
    const texts = [1n, 2n].map((price) => legacyBytes([listInstruction(PERMIT, price)]).toString('hex'));
    await expect(judgeListingTransactions(texts, FACTS)).rejects.toMatchObject({
      code: 'repeated_permit',
      message: expect.stringMatching(/^transactions\[1\]: a permit occurs once in a request \(.*transactions\[0\]\)/),
    });
  });

  test('chain §3.1: base64 that is hex too is read as hex and not tried again', async () => {
    const text = 'AAAABBBBCCCC';
    await expect(judgeListingTransactions([text], FACTS)).rejects.toMatchObject({
      code: 'version_unknown',
      message: expect.stringMatching(/^transactions\[0\]: .*version 42/),
    });
  });

  test('chain §3.1: a refusal of the parser names the transaction', async () => {
    const bytes = legacyBytes([listInstruction()]);
    await expectRefused(Buffer.concat([bytes, Buffer.from([0])]), 'trailing_bytes', /nothing follows the message/);
    await expectRefused(Buffer.concat([bytes, Buffer.alloc(1_233 - bytes.length)]), 'too_large', /1,232 bytes/);
    const versionOne = versionedBytes([listInstruction()]);
    versionOne[messageStart(versionOne)] = 0x81;
    await expectRefused(versionOne, 'version_one', /version 1 transactions are not accepted/);
  });
});

describe('signatures that are there', () => {
  test("chain §3.2: a bad signature of the partner is refused, and so is a bad one in the fan's or the authority's place", async () => {
    for (const index of [0, 1, 2]) {
      const bytes = legacyBytes([listInstruction()]);
      bytes.fill(7, 1 + 64 * index, 65 + 64 * index);
      await expectRefused(bytes, 'signature_invalid', new RegExp(`valid for its signer.*signature ${index}`));
    }
  });

  test('chain §3.2: a signature over another message is refused', async () => {
    const bytes = legacyBytes([listInstruction(PERMIT, 1n)]);
    const other = legacyBytes([listInstruction(PERMIT, 2n)]);
    other.copy(bytes, 1, 1, 65);
    await expectRefused(bytes, 'signature_invalid', /signature 0/);
  });

  test('chain §3.2: a signature with a single bit set is present, not absent', async () => {
    const bytes = legacyBytes([listInstruction()], { signers: [] });
    bytes.writeUInt8(1, 64);
    await expectRefused(bytes, 'signature_invalid', /signature 0/);
  });

  test('chain §3.2: of several bad signatures the first in order is named', async () => {
    const bad = (permit: string) =>
      legacyBytes([listInstruction(permit)])
        .fill(7, 1, 65)
        .toString('hex');
    const texts = [legacyBytes([listInstruction()]).toString('hex'), bad(OTHER_PERMIT), bad(keyOf(wallet('one')))];
    await expect(judgeListingTransactions(texts, FACTS)).rejects.toThrow(/^transactions\[1\]: /);
  });
});

/** Variants of attacks: the plain case of every rule is in test/cosign-policy/rule-cases.ts. */

const list = listInstruction();
const to = transferInstruction(PERMIT, keyOf(FAN), keyOf(STRANGER));
const OURS: Readonly<Record<string, Keypair>> = {
  "the fan's wallet": FAN,
  'the authority': AUTHORITY,
  'another wallet of ours': OTHER_OF_OURS,
};

function flagged(at: number, flags: Partial<AccountMeta>): TransactionInstruction {
  return withKeys(list, (keys) => keys.map((key, index) => (index === at ? { ...key, ...flags } : key)));
}

const swapped = (at: number, address: string) => flagged(at, { pubkey: new PublicKey(address) });

/** A listing whose instruction names two of its accounts in each other's place. */
function exchanged(first: number, second: number): Buffer {
  return changed((raw) => {
    const indexes = raw.instructions[0]?.accountKeyIndexes ?? [];
    [indexes[first], indexes[second]] = [indexes[second] ?? 0, indexes[first] ?? 0];
  });
}

/** Every index of the instructions, changed along with the order of the keys. */
function reindex(raw: RawMessage, moved: (index: number) => number): void {
  raw.instructions = raw.instructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex: moved(programIdIndex),
    accountKeyIndexes: accountKeyIndexes.map(moved),
    data,
  }));
}

/** The marketplace comes from a lookup table. */
function usedLookup(): Buffer {
  const raw: RawMessage = { ...rawMessage([list]), versionByte: 0x80 };
  raw.instructions[0]?.accountKeyIndexes.splice(4, 1, raw.keys.length);
  const lookup = Buffer.concat([Buffer.from([1]), STRANGER.publicKey.toBytes(), Buffer.from([0, 1, 7])]);
  return Buffer.concat([rawBytes(raw).subarray(0, -1), lookup]);
}

function unusedSigner(): Buffer {
  return changed((raw) => {
    raw.keys.splice(1, 0, STRANGER.publicKey.toBytes());
    raw.header[0]++;
    reindex(raw, (index) => index + 1);
  });
}

/** The program changes places with the first readonly account, which the header then counts as writable. */
function writableProgram(): Buffer {
  return changed((raw) => {
    const program = raw.instructions[0]?.programIdIndex ?? 0;
    const first = raw.keys.length - raw.header[2];
    const moved = (index: number) => (index === program ? first : index === first ? program : index);
    raw.keys = raw.keys.map((_, index) => raw.keys[moved(index)] ?? Buffer.alloc(0));
    reindex(raw, moved);
    raw.header[2]--;
  });
}

const calling = (programId: PublicKey, ...keys: AccountMeta[]) =>
  new TransactionInstruction({ programId, keys, data: Buffer.from([1]) });
const theft = calling(STRANGER.publicKey, { pubkey: FAN.publicKey, isSigner: true, isWritable: true });
const budget = (...data: number[]) => withData(computeLimit(1), Buffer.from(data));
const longer = Buffer.concat([list.data, Buffer.alloc(1)]);
const config = configAddress(PROGRAM_ID).address;
const otherConfig = configAddress(OTHER_PROGRAM_ID).address;

/** What is sent, its refusal, and a part of the sentence. */
type Attack = [name: string, sent: Buffer | TransactionInstruction[], code: string, message: string | RegExp];

const PROGRAMS: Attack[] = [
  ['a transfer after it', [list, systemTransfer(FAN.publicKey)], 'foreign_program', /instruction 1 calls 1{32}/],
  ['a transfer before it', [systemTransfer(PAYER.publicKey), list], 'foreign_program', 'instruction 0'],
  ["the fan's wallet signs for another program", [list, theft], 'foreign_program', 'instruction 1 calls'],
  ['the same call of another program', [withProgram(list, OTHER_PROGRAM_ID)], 'foreign_program', OTHER_PROGRAM_ID],
  ['a lookup table that is used', usedLookup(), 'lookup_table', 'lookup tables are not accepted'],
  ...Object.entries(OURS).map(
    ([name, { publicKey }]): Attack => [
      `${name} as a program`,
      [list, calling(publicKey)],
      'our_key_as_program',
      /never called as a program.*instruction 1/,
    ],
  ),
  ['RequestHeapFrame', [budget(1, 0, 0, 4, 0), list], 'compute_budget_kind', 'SetComputeUnitLimit'],
  ['SetLoadedAccountsDataSizeLimit', [budget(4, 0, 0, 0, 1), list], 'compute_budget_kind', 'kind 4'],
  ['a limit of another length', [budget(2, 1, 0, 0, 0, 0), list], 'compute_budget_kind', 'kind 2, 6 bytes'],
  ['a price of another length', [budget(3, 1, 0, 0, 0), list], 'compute_budget_kind', 'kind 3, 5 bytes'],
  ['a budget of no kind', [budget(), list], 'compute_budget_kind', 'kind missing'],
  ['two limits', [computeLimit(1), computeLimit(2), list], 'compute_budget_repeated', 'at most once each'],
  ['a limit over the cap', [computeLimit(LIMIT_CAP + 1), list], 'compute_unit_limit', '400001 units, cap 400000'],
  ['a price over the cap', [computePrice(PRICE_CAP + 1n), list], 'compute_unit_price', '5000001 micro-lamports'],
];

const INSTRUCTIONS: Attack[] = [
  ['a transfer of the permit after it', [list, to], 'wrong_instruction', 'instruction 1 is transfer_permit_v1'],
  ['a transfer of the permit before it', [to, list], 'wrong_instruction', 'instruction 0 is transfer_permit_v1'],
  ['unknown data', [withData(list, Buffer.alloc(16, 7))], 'wrong_instruction', 'is an unknown instruction'],
  ['the same twice', [list, listInstruction()], 'repeated_instruction', 'one ticket instruction, not more'],
  ['two permits', [list, listInstruction(OTHER_PERMIT)], 'repeated_instruction', 'one ticket instruction'],
  ['15 bytes of data', [withData(list, longer.subarray(0, 15))], 'data_length', '15 bytes, not 16'],
  ['17 bytes of data', [withData(list, longer)], 'data_length', '17 bytes, not 16'],
  ['4 accounts', [withKeys(list, (keys) => keys.slice(0, -1))], 'account_count', '4 accounts, not 5'],
  ...(
    [
      [0, 1],
      [0, 4],
      [2, 3],
      [3, 4],
    ] as const
  ).map(
    ([one, two]): Attack => [
      `accounts ${one} and ${two} exchanged`,
      exchanged(one, two),
      'wrong_account',
      'in the declared order',
    ],
  ),
  ['permit and marketplace exchanged', exchanged(1, 4), 'wrong_flags', 'permit is readonly, not writable'],
  ['permit and owner exchanged', exchanged(1, 2), 'our_key_misplaced', `permit is ${keyOf(FAN)}`],
  ['another config', [swapped(0, otherConfig)], 'wrong_account', `config is ${otherConfig}, not`],
  ['another authority', [swapped(3, keyOf(STRANGER))], 'wrong_account', `authority is ${keyOf(STRANGER)}, not`],
  ...Object.entries(OURS).flatMap(([name, pair]): Attack[] => [
    ...(pair === AUTHORITY ? [] : [1]).map((at): Attack => {
      return [`${name} as permit`, [swapped(at, keyOf(pair))], 'our_key_misplaced', `permit is ${keyOf(pair)}`];
    }),
    [`${name} as marketplace`, [swapped(4, keyOf(pair))], 'our_key_misplaced', `marketplace is ${keyOf(pair)}`],
  ]),
  ['the config as marketplace', [swapped(4, config)], 'repeated_account', 'differ from each other'],
];

const FLAGS: Attack[] = [
  ['a signer nobody declared', [flagged(4, { isSigner: true })], 'foreign_signer', keyOf(MARKETPLACE)],
  ['a signer that no instruction uses', unusedSigner(), 'foreign_signer', keyOf(STRANGER)],
  ['a writable config', [flagged(0, { isWritable: true })], 'wrong_flags', 'config is writable, not readonly'],
  ['a readonly permit', [flagged(1, { isWritable: false })], 'wrong_flags', 'permit is readonly, not writable'],
  ['a writable owner', [flagged(2, { isWritable: true })], 'wrong_flags', 'owner is writable signer, not readonly'],
  ['an owner who does not sign', [flagged(2, { isSigner: false })], 'wrong_flags', 'owner is readonly, not readonly'],
  ['a writable authority', [flagged(3, { isWritable: true })], 'wrong_flags', 'authority is writable signer, not'],
  ['an authority that does not sign', [flagged(3, { isSigner: false })], 'wrong_flags', 'authority is readonly, not'],
  ['the fee payer as permit', [swapped(1, keyOf(PAYER))], 'wrong_flags', 'permit is writable signer, not writable'],
  ['a writable program', writableProgram(), 'wrong_flags', 'the program of instruction 0 is writable, not readonly'],
];

test.each([...PROGRAMS, ...INSTRUCTIONS, ...FLAGS])('chain §3.4, §3.5: %s', async (_, sent, code, message) => {
  const bytes = Buffer.isBuffer(sent) ? sent : legacyBytes(sent);
  await expectRefused(bytes, code, new RegExp(message));
});

test.each(Object.entries(OURS))('chain §3.3: %s as fee payer is refused', async (_, payer) => {
  const bytes = legacyBytes([list], { payer, signers: [] });
  await expectRefused(bytes, 'our_key_pays', new RegExp(`fee payer.*${keyOf(payer)}`));
});

test.each([STRANGER, OTHER_OF_OURS])('another owner is left to the caller: %#', async (pair) => {
  const [judged] = await judge(legacyBytes([swapped(2, keyOf(pair))]));
  expect(judged).toMatchObject({ owner: keyOf(pair), permit: PERMIT });
});

const SOUND = [computeLimit(20_000), computePrice(5n), listInstruction()];

async function judgeOrRefuse(bytes: Uint8Array): Promise<JudgedListing | ChainError> {
  try {
    const [judged] = await judgeListingTransactions([Buffer.from(bytes).toString('hex')], FACTS);
    if (judged === undefined) throw new Error('no judgement');
    return judged;
  } catch (error) {
    if (error instanceof ChainError) return error;
    throw error;
  }
}

/** What web3.js reads in the bytes, in the terms of a judgement. */
function meaningOf(bytes: Buffer) {
  const { message } = VersionedTransaction.deserialize(bytes);
  const keys = message.staticAccountKeys.map((key) => key.toBase58());
  const call = message.compiledInstructions.find(({ programIdIndex }) => keys[programIdIndex] === PROGRAM_ID);
  const accounts = call?.accountKeyIndexes.map((index) => keys[index]) ?? [];
  return {
    accounts,
    permit: accounts[1],
    owner: accounts[2],
    marketplace: accounts[4],
    price: decodeArgs('create_listing_v1', call?.data ?? new Uint8Array()).price,
    feePayer: keys[0],
    recentBlockhash: message.recentBlockhash,
  };
}

for (const [name, signed] of [
  ['legacy', legacyBytes(SOUND)],
  ['version 0', versionedBytes(SOUND)],
] as const) {
  test(`chain §3.2: a ${name} transaction that its fee payer signed passes with no byte changed, whichever it is`, async () => {
    expect(await judgeOrRefuse(signed)).not.toBeInstanceOf(ChainError);
    for (const [at, byte] of signed.entries()) {
      const flipped = Buffer.from(signed);
      flipped.writeUInt8(byte ^ (1 << ((at * 3) & 7)), at);
      expect(await judgeOrRefuse(flipped), `byte ${at}`).toBeInstanceOf(ChainError);
    }
  });
}

test('chain §3: whatever bytes change, a transaction is refused with a rule or means what web3.js reads in it', async () => {
  const next = sequence(20_261_121);
  const unsigned = [legacyBytes(SOUND, { signers: [] }), versionedBytes(SOUND, [])];
  let passed = 0;
  for (let round = 0; round < 6_000; round++) {
    const bytes = Buffer.from(unsigned[round % 2] ?? '');
    for (let change = next(3); change >= 0; change--) {
      const at = messageStart(bytes) + next(bytes.length - messageStart(bytes));
      bytes.writeUInt8(next(2) === 0 ? bytes.readUInt8(at) ^ (1 << next(8)) : next(256), at);
    }
    const judged = await judgeOrRefuse(bytes);
    if (judged instanceof ChainError) continue;
    passed++;
    const { accounts, ...meaning } = meaningOf(bytes);
    expect(judged).toMatchObject(meaning);
    expect([accounts[0], accounts[3]]).toEqual([configAddress(PROGRAM_ID).address, keyOf(AUTHORITY)]);
  }
  expect(passed).toBeGreaterThan(100);
});

test('chain §3.1: bytes put in, taken out or doubled anywhere are refused with a rule', async () => {
  const next = sequence(7);
  const signed = legacyBytes(SOUND);
  for (let round = 0; round < 2_000; round++) {
    const at = next(signed.length);
    const gone = next(3) === 0 ? 0 : next(40) + 1;
    const added = Buffer.from(Array.from({ length: gone === 0 ? next(40) + 1 : next(40) }, () => next(256)));
    const bytes = Buffer.concat([signed.subarray(0, at), added, signed.subarray(at + gone)]);
    if (bytes.equals(signed)) continue;
    expect(await judgeOrRefuse(bytes)).toBeInstanceOf(ChainError);
  }
});

test('chain §3.1: random bytes and random texts are refused with a rule', async () => {
  const next = sequence(99);
  const characters = 'abcdefABCDEF0123456789ghXYZ+/= \n\u0130';
  for (let round = 0; round < 2_000; round++) {
    expect(await judgeOrRefuse(Buffer.from(Array.from({ length: next(400) + 1 }, () => next(256))))).toBeInstanceOf(
      ChainError,
    );
    const text = Array.from({ length: next(60) }, () => characters.charAt(next(characters.length))).join('');
    await expect(judgeListingTransactions([text], FACTS)).rejects.toBeInstanceOf(ChainError);
  }
});

test('chain §3: the good transaction of this file is read alike by web3.js', () => {
  expect(Transaction.from(legacyBytes(SOUND)).verifySignatures(false)).toBe(true);
  expect(meaningOf(legacyBytes(SOUND)).feePayer).toBe(keyOf(PAYER));
});
