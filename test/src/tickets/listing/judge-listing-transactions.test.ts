import { judgeListingTransactions } from '@fan-api/cosign-policy/judge-listing-transactions';
import { type PublicKey, Transaction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
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
  PAYER,
  PERMIT,
  versionedBytes,
  wallet,
} from '../../chain/transaction/build-transaction.ts';
import { CANCEL, expectRefused, FACTS, judge, LIMIT_CAP, OTHER_PERMIT, PRICE_CAP } from './judge-support.ts';

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
