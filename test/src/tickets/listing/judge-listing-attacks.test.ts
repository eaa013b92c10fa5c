import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import { type AccountMeta, type Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect, test } from 'vitest';
import {
  AUTHORITY,
  computeLimit,
  computePrice,
  FAN,
  keyOf,
  legacyBytes,
  listInstruction,
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
import { changed, expectRefused, judge, LIMIT_CAP, OTHER_OF_OURS, OTHER_PERMIT, PRICE_CAP } from './judge-support.ts';

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
      'in their declared order',
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
