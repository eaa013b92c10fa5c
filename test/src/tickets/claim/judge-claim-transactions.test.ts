import { type ClaimFacts, judgeClaimTransactions } from '@fan-api/cosign-policy/judge-claim-transactions';
import { encodeBase58 } from '@fan-api/solana-wire/base58';
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  AUTHORITY,
  BLOCKHASH,
  computeLimit,
  computePrice,
  FAN,
  keyOf,
  legacyBytes,
  lookupBytes,
  MARKETPLACE,
  PAYER,
  PERMIT,
  PROGRAM_ID,
  systemTransfer,
  transferInstruction,
  versionedBytes,
  wallet,
  withData,
  withKeys,
} from '../../chain/transaction/build-transaction.ts';

const OTHER_OF_OURS = wallet('another wallet of the service');
const FACTS: ClaimFacts = {
  programId: PROGRAM_ID,
  fanWallet: keyOf(FAN),
  ourKeys: new Set([keyOf(AUTHORITY), keyOf(OTHER_OF_OURS)]),
};
const SIGNERS = [PAYER, MARKETPLACE];

function claim(instructions: TransactionInstruction[], signers: Keypair[] = SIGNERS): Buffer {
  return legacyBytes(instructions, { signers });
}

function goodClaims(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    claim([transferInstruction(keyOf(wallet(`permit ${index}`)))]).toString('hex'),
  );
}

/** Judges `bytes` as the fourth transaction of a request whose others are good, and expects it to be the one refused. */
async function expectRefused(bytes: Buffer, code: string, message: RegExp): Promise<void> {
  const texts = goodClaims(5);
  texts[3] = bytes.toString('hex');
  const judged = judgeClaimTransactions(texts, FACTS);
  await expect(judged).rejects.toMatchObject({ name: 'ChainError', code, message: expect.stringMatching(message) });
  await expect(judged).rejects.toThrow(/^tickets\[3\]\.tx: /);
}

test('chain §4: a claim comes back with its permit, both wallets, its listing and price, and its signature', async () => {
  const bytes = claim([computeLimit(20_000), computePrice(1n), transferInstruction()]);
  const [judged] = await judgeClaimTransactions([bytes.toString('hex')], FACTS);
  expect(judged).toMatchObject({
    permit: PERMIT,
    transferAuthority: keyOf(MARKETPLACE),
    destination: keyOf(FAN),
    listing: 3n,
    price: 1_500_000_000n,
    feePayer: keyOf(PAYER),
    recentBlockhash: BLOCKHASH,
    signature: encodeBase58(bytes.subarray(1, 65)),
  });
  expect(Buffer.from(judged?.bytes ?? [])).toEqual(bytes);
});

test('chain §4: number and price come back up to the largest of 8 bytes', async () => {
  const terms = { listing: 2n ** 64n - 1n, price: 2n ** 63n };
  const bytes = claim([transferInstruction(PERMIT, keyOf(MARKETPLACE), keyOf(FAN), terms)]);
  expect(await judgeClaimTransactions([bytes.toString('hex')], FACTS)).toMatchObject([terms]);
});

test.each([8, 16, 23, 25])('chain §4: a transfer with %i bytes of data is refused', async (length) => {
  const { data } = transferInstruction();
  const other = withData(transferInstruction(), Buffer.concat([data, Buffer.alloc(1)], length));
  await expectRefused(claim([other]), 'data_length', new RegExp(`${length} bytes, not 24`));
});

test('chain §4: the transfer authority may pay the fee, and version 0 passes like legacy', async () => {
  const paid = legacyBytes([transferInstruction()], { payer: MARKETPLACE });
  expect(await judgeClaimTransactions([paid.toString('hex')], FACTS)).toMatchObject([{ feePayer: keyOf(MARKETPLACE) }]);
  const versioned = versionedBytes([transferInstruction()], SIGNERS);
  expect(await judgeClaimTransactions([versioned.toString('hex')], FACTS)).toMatchObject([{ permit: PERMIT }]);
});

test('spec §8: 10 claims pass, in the order of the request', async () => {
  const permits = (await judgeClaimTransactions(goodClaims(10), FACTS)).map(({ permit }) => permit);
  expect(permits).toEqual(Array.from({ length: 10 }, (_, index) => keyOf(wallet(`permit ${index}`))));
});

test.each([0, 11])('spec §8: %d claims are refused', async (count) => {
  await expect(judgeClaimTransactions(goodClaims(count), FACTS)).rejects.toMatchObject({
    code: 'transaction_count',
    message: expect.stringMatching(new RegExp(`^tickets: .*${count} instead of 1 to 10`)),
  });
});

test('chain §4: two transfer instructions are refused, and none', async () => {
  const second = transferInstruction(keyOf(wallet('other permit')));
  await expectRefused(
    claim([transferInstruction(), second]),
    'repeated_instruction',
    /one ticket instruction, not more/,
  );
  await expectRefused(claim([computeLimit(1)], [PAYER]), 'no_instruction', /transfer_permit_v1 is missing/);
});

test('chain §4: the same allow-list holds as for listings', async () => {
  const transfer = transferInstruction();
  await expectRefused(claim([transfer, systemTransfer(PAYER.publicKey)]), 'foreign_program', /instruction 1 calls/);
  await expectRefused(lookupBytes([transfer], SIGNERS), 'lookup_table', /lookup tables/);
  await expectRefused(claim([computeLimit(400_001), transfer]), 'compute_unit_limit', /400001 units, cap 400000/);
  await expectRefused(claim([computePrice(5_000_001n), transfer]), 'compute_unit_price', /5000001 micro-lamports/);
  const writable = withKeys(transfer, (keys) => keys.map((key) => ({ ...key, isWritable: true })));
  await expectRefused(claim([writable]), 'wrong_flags', /config is writable, not readonly/);
  const reordered = withKeys(transfer, (keys) => [...keys].reverse());
  await expectRefused(claim([reordered]), 'wrong_account', /config is/);
});

const OURS: [string, Keypair][] = [
  ["the fan's wallet", FAN],
  ['the authority', AUTHORITY],
  ['another wallet of ours', OTHER_OF_OURS],
];
test.each(OURS)('chain §4: %s as fee payer is refused', async (_, payer) => {
  const paid = legacyBytes([transferInstruction()], { payer, signers: [payer, MARKETPLACE] });
  await expectRefused(paid, 'our_key_pays', /fee payer is never/);
});

test.each(OURS)('chain §4: %s as transfer authority is refused', async (_, pair) => {
  const ours = claim([transferInstruction(PERMIT, keyOf(pair))], [PAYER, pair]);
  await expectRefused(ours, 'our_key_misplaced', /transfer_authority is/);
});

test('chain §4: a signature that is missing is refused, whosever it is', async () => {
  for (const [index, signer] of [MARKETPLACE, PAYER].entries()) {
    const message = new RegExp(`signed by all.*signature ${index}`);
    await expectRefused(claim([transferInstruction()], [signer]), 'signature_missing', message);
  }
});

test('chain §4: a signature that is wrong is refused, whosever it is', async () => {
  for (const index of [0, 1]) {
    const bytes = claim([transferInstruction()]);
    bytes.writeUInt8(bytes.readUInt8(1 + 64 * index) ^ 1, 1 + 64 * index);
    await expectRefused(bytes, 'signature_invalid', new RegExp(`valid for its signer.*signature ${index}`));
  }
});

test('chain §4: the two signatures in each other’s place are refused', async () => {
  const bytes = claim([transferInstruction()]);
  const [one, two] = [Buffer.from(bytes.subarray(1, 65)), Buffer.from(bytes.subarray(65, 129))];
  bytes.set(two, 1);
  bytes.set(one, 65);
  await expectRefused(bytes, 'signature_invalid', /signature 0/);
});

test('chain §4: the same transaction twice in a request is refused', async () => {
  const texts = goodClaims(4);
  await expect(judgeClaimTransactions([...texts, texts[1] ?? ''], FACTS)).rejects.toMatchObject({
    code: 'repeated_transaction',
    message: 'tickets[4].tx: a transaction occurs once in a request (as tickets[1].tx)',
  });
});

test('chain §4: the same permit twice in a request is refused', async () => {
  const texts = goodClaims(3);
  const again = claim([computeLimit(1), transferInstruction(keyOf(wallet('permit 2')))]).toString('hex');
  await expect(judgeClaimTransactions([...texts, again], FACTS)).rejects.toMatchObject({
    code: 'repeated_permit',
    message: 'tickets[3].tx: a permit occurs once in a request (as tickets[2].tx)',
  });
});

test('chain §4: a signed claim passes with no byte changed, whichever it is', async () => {
  const bytes = claim([transferInstruction()]);
  for (const [at, byte] of bytes.entries()) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(byte ^ (1 << ((at * 3) & 7)), at);
    const judged = judgeClaimTransactions([flipped.toString('hex')], FACTS);
    await expect(judged, `byte ${at}`).rejects.toMatchObject({ name: 'ChainError' });
  }
});
