import { type JudgedListing, judgeListingTransactions } from '@fan-api/cosign-policy/judge-listing-transactions';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { decodeArgs } from '@fan-api/cosign-policy/read-instruction';
import { Transaction, VersionedTransaction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { ChainError } from '../../../../src/platform/chain-error.ts';
import {
  AUTHORITY,
  computeLimit,
  computePrice,
  keyOf,
  legacyBytes,
  listInstruction,
  messageStart,
  PAYER,
  PROGRAM_ID,
  sequence,
  versionedBytes,
} from '../../chain/transaction/build-transaction.ts';
import { FACTS } from './judge-support.ts';

const INSTRUCTIONS = [computeLimit(20_000), computePrice(5n), listInstruction()];

async function judge(bytes: Uint8Array): Promise<JudgedListing | ChainError> {
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
  ['legacy', legacyBytes(INSTRUCTIONS)],
  ['version 0', versionedBytes(INSTRUCTIONS)],
] as const) {
  test(`chain §3.2: a ${name} transaction that its fee payer signed passes with no byte changed, whichever it is`, async () => {
    expect(await judge(signed)).not.toBeInstanceOf(ChainError);
    for (const [at, byte] of signed.entries()) {
      const flipped = Buffer.from(signed);
      flipped.writeUInt8(byte ^ (1 << ((at * 3) & 7)), at);
      expect(await judge(flipped), `byte ${at}`).toBeInstanceOf(ChainError);
    }
  });
}

test('chain §3: whatever bytes change, a transaction is refused with a rule or means what web3.js reads in it', async () => {
  const next = sequence(20_261_121);
  const unsigned = [legacyBytes(INSTRUCTIONS, { signers: [] }), versionedBytes(INSTRUCTIONS, [])];
  let passed = 0;
  for (let round = 0; round < 6_000; round++) {
    const bytes = Buffer.from(unsigned[round % 2] ?? '');
    for (let change = next(3); change >= 0; change--) {
      const at = messageStart(bytes) + next(bytes.length - messageStart(bytes));
      bytes.writeUInt8(next(2) === 0 ? bytes.readUInt8(at) ^ (1 << next(8)) : next(256), at);
    }
    const judged = await judge(bytes);
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
  const signed = legacyBytes(INSTRUCTIONS);
  for (let round = 0; round < 2_000; round++) {
    const at = next(signed.length);
    const gone = next(3) === 0 ? 0 : next(40) + 1;
    const added = Buffer.from(Array.from({ length: gone === 0 ? next(40) + 1 : next(40) }, () => next(256)));
    const bytes = Buffer.concat([signed.subarray(0, at), added, signed.subarray(at + gone)]);
    if (bytes.equals(signed)) continue;
    expect(await judge(bytes)).toBeInstanceOf(ChainError);
  }
});

test('chain §3.1: random bytes and random texts are refused with a rule', async () => {
  const next = sequence(99);
  const characters = 'abcdefABCDEF0123456789ghXYZ+/= \n\u0130';
  for (let round = 0; round < 2_000; round++) {
    expect(await judge(Buffer.from(Array.from({ length: next(400) + 1 }, () => next(256))))).toBeInstanceOf(ChainError);
    const text = Array.from({ length: next(60) }, () => characters.charAt(next(characters.length))).join('');
    await expect(judgeListingTransactions([text], FACTS)).rejects.toBeInstanceOf(ChainError);
  }
});

test('chain §3: the good transaction of this file is read alike by web3.js', () => {
  expect(Transaction.from(legacyBytes(INSTRUCTIONS)).verifySignatures(false)).toBe(true);
  expect(meaningOf(legacyBytes(INSTRUCTIONS)).feePayer).toBe(keyOf(PAYER));
});
