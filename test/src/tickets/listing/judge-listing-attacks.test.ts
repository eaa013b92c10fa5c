import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { type AccountMeta, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import {
  AUTHORITY,
  cancelInstruction,
  computeLimit,
  computePrice,
  FAN,
  keyOf,
  legacyBytes,
  listInstruction,
  lookupBytes,
  MARKETPLACE,
  OTHER_PROGRAM_ID,
  PAYER,
  PERMIT,
  PROGRAM_ID,
  type RawMessage,
  rawBytes,
  rawMessage,
  STRANGER,
  systemTransfer,
  transferInstruction,
  withData,
  withKeys,
  withProgram,
} from '../../chain/transaction/build-transaction.ts';
import {
  CANCEL,
  changed,
  expectRefused,
  judge,
  LIMIT_CAP,
  OTHER_OF_OURS,
  OTHER_PERMIT,
  PRICE_CAP,
} from './judge-support.ts';

function flagged(at: number, flags: Partial<AccountMeta>): TransactionInstruction {
  return withKeys(listInstruction(), (keys) => keys.map((key, index) => (index === at ? { ...key, ...flags } : key)));
}

function swapped(at: number, address: string): TransactionInstruction {
  return withKeys(listInstruction(), (keys) =>
    keys.map((key, index) => (index === at ? { ...key, pubkey: new PublicKey(address) } : key)),
  );
}

describe('programs', () => {
  test('chain §3.4: a System transfer beside the listing is refused', async () => {
    await expectRefused(
      legacyBytes([listInstruction(), systemTransfer(FAN.publicKey)]),
      'foreign_program',
      /only the ticket program and the Compute Budget program.*instruction 1 calls 1{32}/,
    );
    await expectRefused(
      legacyBytes([systemTransfer(PAYER.publicKey), listInstruction()]),
      'foreign_program',
      /instruction 0/,
    );
  });

  test("chain §3.5: the fan's wallet as a writable signer of another program is refused", async () => {
    const theft = new TransactionInstruction({
      programId: STRANGER.publicKey,
      keys: [{ pubkey: FAN.publicKey, isSigner: true, isWritable: true }],
      data: Buffer.from([1]),
    });
    await expectRefused(legacyBytes([listInstruction(), theft]), 'foreign_program', /instruction 1 calls/);
  });

  test('chain §3.4: another program with the same accounts and data is refused', async () => {
    await expectRefused(
      legacyBytes([withProgram(listInstruction(), OTHER_PROGRAM_ID)]),
      'foreign_program',
      new RegExp(`instruction 0 calls ${OTHER_PROGRAM_ID}`),
    );
  });

  test('chain §3.4: lookup tables are refused, used or not', async () => {
    await expectRefused(lookupBytes([listInstruction()]), 'lookup_table', /lookup tables are not accepted.*1 named/);
    const raw: RawMessage = { ...rawMessage([listInstruction()]), versionByte: 0x80 };
    raw.instructions[0]?.accountKeyIndexes.splice(4, 1, raw.keys.length);
    const lookup = Buffer.concat([Buffer.from([1]), STRANGER.publicKey.toBytes(), Buffer.from([0, 1, 7])]);
    const used = Buffer.concat([rawBytes(raw).subarray(0, -1), lookup]);
    await expectRefused(used, 'lookup_table', /lookup tables are not accepted/);
  });

  test('chain §3.4: a durable nonce is refused', async () => {
    const advance = SystemProgram.nonceAdvance({ noncePubkey: STRANGER.publicKey, authorizedPubkey: PAYER.publicKey });
    await expectRefused(legacyBytes([advance, listInstruction()]), 'durable_nonce', /durable nonces are not accepted/);
  });

  test.each([
    ["the fan's wallet", FAN],
    ['the authority', AUTHORITY],
    ['another wallet of ours', OTHER_OF_OURS],
  ])('chain §3.5: %s as a program is refused', async (_, pair) => {
    const call = new TransactionInstruction({ programId: pair.publicKey, keys: [], data: Buffer.alloc(0) });
    await expectRefused(
      legacyBytes([listInstruction(), call]),
      'our_key_as_program',
      /never called as a program.*instruction 1/,
    );
  });

  test.each([
    ['RequestHeapFrame', Buffer.from([1, 0, 0, 4, 0])],
    ['SetLoadedAccountsDataSizeLimit', Buffer.from([4, 0, 0, 0, 1])],
    ['a limit of another length', Buffer.from([2, 1, 0, 0, 0, 0])],
    ['a price of another length', Buffer.from([3, 1, 0, 0, 0])],
    ['nothing at all', Buffer.alloc(0)],
  ])('chain §3.4: ComputeBudget with %s is refused', async (_, data) => {
    const call = withData(computeLimit(1), data);
    await expectRefused(
      legacyBytes([call, listInstruction()]),
      'compute_budget_kind',
      /SetComputeUnitLimit and SetComputeUnitPrice/,
    );
  });

  test('chain §3.5: ComputeBudget that names an account is refused', async () => {
    const call = computeLimit(1);
    call.keys.push({ pubkey: FAN.publicKey, isSigner: true, isWritable: false });
    await expectRefused(legacyBytes([call, listInstruction()]), 'compute_budget_accounts', /names no accounts/);
  });

  test.each([
    ['limit', [computeLimit(1), computeLimit(2)]],
    ['price', [computePrice(1n), computePrice(1n)]],
  ])('chain §3.4: ComputeBudget with two settings of the %s is refused', async (_, calls) => {
    await expectRefused(legacyBytes([...calls, listInstruction()]), 'compute_budget_repeated', /at most once each/);
  });

  test('chain §3.4: a compute unit limit over the cap is refused', async () => {
    await expectRefused(
      legacyBytes([computeLimit(LIMIT_CAP + 1), listInstruction()]),
      'compute_unit_limit',
      /200001 units, cap 200000/,
    );
  });

  test('chain §3.4: a compute unit price over the cap is refused', async () => {
    const detail = /1000001 micro-lamports, cap 1000000/;
    await expectRefused(legacyBytes([computePrice(PRICE_CAP + 1n), listInstruction()]), 'compute_unit_price', detail);
  });
});

describe('the ticket instruction', () => {
  test('chain §3.4: a listing where a cancellation was asked is refused, and the other way round', async () => {
    await expectRefused(
      legacyBytes([listInstruction()]),
      'wrong_instruction',
      /the one that was asked for.*create_listing_v1, not cancel_listing_v1/,
      CANCEL,
    );
    await expectRefused(
      legacyBytes([cancelInstruction()]),
      'wrong_instruction',
      /cancel_listing_v1, not create_listing_v1/,
    );
  });

  test('chain §3.4: another instruction of our program beside the listing is refused', async () => {
    const transfer = transferInstruction(PERMIT, keyOf(FAN), keyOf(STRANGER));
    await expectRefused(
      legacyBytes([listInstruction(), transfer]),
      'wrong_instruction',
      /instruction 1 is transfer_permit_v1/,
    );
    await expectRefused(
      legacyBytes([transfer, listInstruction()]),
      'wrong_instruction',
      /instruction 0 is transfer_permit_v1/,
    );
  });

  test('chain §3.4: data of our program that is no instruction is refused', async () => {
    const unknown = withData(listInstruction(), Buffer.alloc(16, 7));
    await expectRefused(legacyBytes([unknown]), 'wrong_instruction', /instruction 0 is an unknown instruction/);
  });

  test('chain §3.4: no listing instruction is refused', async () => {
    await expectRefused(
      legacyBytes([computeLimit(1)]),
      'no_instruction',
      /contains the ticket instruction.*create_listing_v1 is missing/,
    );
  });

  test('chain §3.4: two listing instructions are refused, of one permit or of two', async () => {
    for (const second of [listInstruction(), listInstruction(OTHER_PERMIT)]) {
      await expectRefused(
        legacyBytes([listInstruction(), second]),
        'repeated_instruction',
        /one ticket instruction, not more/,
      );
    }
  });

  test.each([15, 17])('chain §3.4: listing data of %d bytes is refused', async (length) => {
    const data = Buffer.concat([listInstruction().data, Buffer.alloc(1)]).subarray(0, length);
    await expectRefused(
      legacyBytes([withData(listInstruction(), data)]),
      'data_length',
      new RegExp(`${length} bytes, not 16`),
    );
  });

  test('chain §3.4: an account list that is shortened or lengthened is refused', async () => {
    const shorter = withKeys(listInstruction(), (keys) => keys.slice(0, -1));
    await expectRefused(legacyBytes([shorter]), 'account_count', /exactly its declared accounts.*4 accounts, not 5/);
    const longer = withKeys(listInstruction(), (keys) => [
      ...keys,
      { pubkey: STRANGER.publicKey, isSigner: false, isWritable: false },
    ]);
    await expectRefused(legacyBytes([longer]), 'account_count', /6 accounts, not 5/);
  });

  test.each([
    [0, 1],
    [0, 4],
    [2, 3],
    [3, 4],
  ])('chain §3.4: an account list with accounts %d and %d swapped is refused', async (first, second) => {
    const reordered = changed((raw) => {
      const indexes = raw.instructions[0]?.accountKeyIndexes ?? [];
      [indexes[first], indexes[second]] = [indexes[second] ?? 0, indexes[first] ?? 0];
    });
    await expectRefused(reordered, 'wrong_account', /in their declared order/);
  });

  test('chain §3.4: the permit and the marketplace swapped are refused by their flags', async () => {
    const reordered = changed((raw) => {
      const indexes = raw.instructions[0]?.accountKeyIndexes ?? [];
      [indexes[1], indexes[4]] = [indexes[4] ?? 0, indexes[1] ?? 0];
    });
    await expectRefused(reordered, 'wrong_flags', /permit is readonly, not writable/);
  });

  test("chain §3.4: the permit and the owner swapped are refused: the fan's wallet is no permit", async () => {
    const reordered = changed((raw) => {
      const indexes = raw.instructions[0]?.accountKeyIndexes ?? [];
      [indexes[1], indexes[2]] = [indexes[2] ?? 0, indexes[1] ?? 0];
    });
    await expectRefused(reordered, 'our_key_misplaced', new RegExp(`permit is ${keyOf(FAN)}`));
  });

  test.each([STRANGER, OTHER_OF_OURS])('another owner is left to the caller: %#', async (pair) => {
    const [judged] = await judge(legacyBytes([swapped(2, keyOf(pair))]));
    expect(judged).toMatchObject({ owner: keyOf(pair), permit: PERMIT });
  });

  test.each([
    ['config', 0, configAddress(OTHER_PROGRAM_ID).address],
    ['authority', 3, keyOf(STRANGER)],
  ])('chain §3.4: another %s than ours is refused', async (slot, at, address) => {
    await expectRefused(legacyBytes([swapped(at, address)]), 'wrong_account', new RegExp(`${slot} is ${address}, not`));
  });

  test.each([
    ['permit', 1, FAN],
    ['permit', 1, OTHER_OF_OURS],
    ['marketplace', 4, FAN],
    ['marketplace', 4, AUTHORITY],
    ['marketplace', 4, OTHER_OF_OURS],
  ])('chain §3.5: a key of ours as %s is refused', async (slot, at, pair) => {
    const message = new RegExp(`only in their declared places.*${slot} is ${keyOf(pair)}`);
    await expectRefused(legacyBytes([swapped(at, keyOf(pair))]), 'our_key_misplaced', message);
  });

  test('chain §3.4: one account in two places is refused', async () => {
    await expectRefused(legacyBytes([swapped(4, PERMIT)]), 'repeated_account', /differ from each other/);
    await expectRefused(legacyBytes([swapped(4, configAddress(PROGRAM_ID).address)]), 'repeated_account', /differ/);
  });

  test('chain §3.4: a price of zero is refused', async () => {
    await expectRefused(legacyBytes([listInstruction(PERMIT, 0n)]), 'price_zero', /price above zero/);
  });

  test('chain §3.4: the zero address as marketplace is refused', async () => {
    const zero = SystemProgram.programId.toBase58();
    await expectRefused(legacyBytes([listInstruction(PERMIT, 1n, zero)]), 'marketplace_zero', /names a marketplace/);
  });
});

describe('signers and flags', () => {
  test.each([
    ["the fan's wallet", FAN],
    ['the authority', AUTHORITY],
    ['another wallet of ours', OTHER_OF_OURS],
  ])('chain §3.3: %s as fee payer is refused', async (_, payer) => {
    await expectRefused(
      legacyBytes([listInstruction()], { payer, signers: [] }),
      'our_key_pays',
      new RegExp(`fee payer.*${keyOf(payer)}`),
    );
  });

  test('chain §3.3: a signer that nobody declared is refused, used by an instruction or not', async () => {
    await expectRefused(
      legacyBytes([flagged(4, { isSigner: true })]),
      'foreign_signer',
      new RegExp(keyOf(MARKETPLACE)),
    );
    const unused = changed((raw) => {
      raw.keys.splice(1, 0, STRANGER.publicKey.toBytes());
      raw.header[0]++;
      raw.instructions = raw.instructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        programIdIndex: programIdIndex + 1,
        accountKeyIndexes: accountKeyIndexes.map((index) => index + 1),
        data,
      }));
    });
    await expectRefused(unused, 'foreign_signer', new RegExp(`nobody signs but.*${keyOf(STRANGER)}`));
  });

  test.each([
    ['config', 0, { isWritable: true }, /config is writable, not readonly/],
    ['permit', 1, { isWritable: false }, /permit is readonly, not writable/],
    ["the fan's wallet", 2, { isWritable: true }, /owner is writable signer, not readonly signer/],
    ["the fan's wallet", 2, { isSigner: false }, /owner is readonly, not readonly signer/],
    ['the authority', 3, { isWritable: true }, /authority is writable signer, not readonly signer/],
    ['the authority', 3, { isSigner: false }, /authority is readonly, not readonly signer/],
    ['the marketplace', 4, { isWritable: true }, /marketplace is writable, not readonly/],
  ])('chain §3.4: wrong flags of %s (place %d) are refused', async (_, at, flags, message) => {
    await expectRefused(legacyBytes([flagged(at, flags)]), 'wrong_flags', message);
  });

  test('chain §3.4: the fee payer as permit is refused', async () => {
    await expectRefused(
      legacyBytes([swapped(1, keyOf(PAYER))]),
      'wrong_flags',
      /permit is writable signer, not writable/,
    );
  });

  test('chain §3.4: a writable program is refused', async () => {
    const writable = changed((raw) => {
      // The program changes places with the first readonly account, which the header then counts as writable.
      const program = raw.instructions[0]?.programIdIndex ?? 0;
      const first = raw.keys.length - raw.header[2];
      const moved = (index: number) => (index === program ? first : index === first ? program : index);
      raw.keys = raw.keys.map((_, index) => raw.keys[moved(index)] ?? Buffer.alloc(0));
      raw.instructions = raw.instructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
        programIdIndex: moved(programIdIndex),
        accountKeyIndexes: accountKeyIndexes.map(moved),
        data,
      }));
      raw.header[2]--;
    });
    await expectRefused(writable, 'wrong_flags', /the program of instruction 0 is writable, not readonly/);
  });

  test('chain §3.4: an account that no instruction uses is refused', async () => {
    const unused = changed((raw) => {
      raw.keys.push(STRANGER.publicKey.toBytes());
      raw.header[2]++;
    });
    await expectRefused(unused, 'unused_account', new RegExp(`used by an instruction.*${keyOf(STRANGER)}`));
  });
});
