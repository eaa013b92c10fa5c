import type { PolicyAction, PolicyFacts } from '@fan-api/cosign-policy/actions';
import { COMPUTE_CAPS } from '@fan-api/cosign-policy/compute-budget';
import type { RuleName } from '@fan-api/cosign-policy/rules';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
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
  nonceAdvance,
  PAYER,
  PERMIT,
  PROGRAM_ID,
  type RawMessage,
  rawBytes,
  rawMessage,
  STRANGER,
  systemTransfer,
  transferInstruction,
  versionedBytes,
  wallet,
  withData,
  withKeys,
} from '../src/chain/transaction/build-transaction.ts';

/** What the service would know. */
export const FACTS = {
  programId: PROGRAM_ID,
  authorities: [keyOf(AUTHORITY)],
  fanWallet: keyOf(FAN),
  ourKeys: new Set<string>(),
} satisfies PolicyFacts;

/** A request that breaks one rule, or none. */
export interface RuleCase {
  readonly rule: RuleName | 'none';
  readonly action: PolicyAction;
  readonly texts: readonly string[];
  /** The transaction that is refused. */
  readonly at: number;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const list = () => listInstruction();
const sale = () => transferInstruction();
const signedSale = (permit = PERMIT) =>
  hex(legacyBytes([transferInstruction(permit)], { signers: [PAYER, MARKETPLACE] }));
const one = (rule: RuleName | 'none', action: PolicyAction, bytes: Uint8Array | string): RuleCase => {
  return { rule, action, texts: [typeof bytes === 'string' ? bytes : hex(bytes)], at: 0 };
};
const listing = (rule: RuleName, ...instructions: TransactionInstruction[]) =>
  one(rule, 'list', legacyBytes(instructions));

/** A listing whose message is spelt otherwise. */
function raw(rule: RuleName, change: (message: RawMessage) => void): RuleCase {
  const message = rawMessage([list()]);
  change(message);
  return one(rule, 'list', rawBytes(message, PAYER));
}

/** A listing with another account list. */
function keyed(rule: RuleName, change: Parameters<typeof withKeys>[1]): RuleCase {
  return listing(rule, withKeys(list(), change));
}

const good = legacyBytes([list()]);
const [ordinary] = good.subarray(0, 1);
/** Where the message starts: after the count and two, three or more signatures. */
const start = 1 + 64 * (ordinary ?? 0);

/** Cases of every rule that the transactions of a request decide. */
export const RULE_CASES: readonly RuleCase[] = [
  {
    rule: 'transaction_count',
    action: 'list',
    texts: Array.from({ length: 5 }, (_, at) => hex(legacyBytes([listInstruction(keyOf(wallet(`p${at}`)))]))),
    at: 0,
  },
  one('encoding', 'list', 'no transaction'),
  one('encoding', 'list', ''),
  one('encoding', 'claim', legacyBytes([sale()], { signers: [PAYER, MARKETPLACE] }).toString('base64')),
  one('too_large', 'list', Buffer.alloc(1_233, 1)),
  one('too_large', 'list', 'ab'.repeat(4_097)),
  one('version_one', 'list', Buffer.from([0x81, 1, 0, 0])),
  one('version_unknown', 'list', Buffer.from([0x85, 1, 0, 0])),
  one('shortvec', 'list', Buffer.from([0x81, 0, 0, 0])),
  one('truncated', 'list', good.subarray(0, -1)),
  one('trailing_bytes', 'list', Buffer.concat([good, Buffer.from([0])])),
  raw('signature_count', (message) => {
    message.signatureCount = 2;
  }),
  raw('header', (message) => {
    message.header[1] = message.header[0];
  }),
  one('account_limit', 'list', manyAccounts()),
  raw('duplicate_key', (message) => {
    message.keys.push(message.keys[1] ?? new Uint8Array(32));
  }),
  one('empty_lookup', 'list', emptyLookup()),
  raw('index_out_of_bounds', (message) => {
    message.instructions[0]?.accountKeyIndexes.splice(4, 1, 99);
  }),
  one('lookup_table', 'list', lookupBytes([list()])),
  listing('durable_nonce', nonceAdvance(PAYER.publicKey), list()),
  listing(
    'our_key_as_program',
    list(),
    new TransactionInstruction({ programId: FAN.publicKey, keys: [], data: Buffer.alloc(0) }),
  ),
  listing('foreign_program', list(), systemTransfer(PAYER.publicKey)),
  listing('compute_budget_kind', withData(computeLimit(1), Buffer.from([1, 0, 0, 4, 0])), list()),
  listing('compute_budget_accounts', budgetWithAccount(), list()),
  listing('compute_budget_repeated', computePrice(1n), computePrice(2n), list()),
  listing('compute_unit_limit', computeLimit(COMPUTE_CAPS.computeUnitLimitCap + 1), list()),
  listing('compute_unit_price', computePrice(COMPUTE_CAPS.computeUnitPriceCap + 1n), list()),
  listing('wrong_instruction', cancelInstruction()),
  one('wrong_instruction', 'cancel', good),
  one('wrong_instruction', 'claim', legacyBytes([list()], { signers: [PAYER] })),
  listing('repeated_instruction', list(), listInstruction(keyOf(wallet('other permit')))),
  listing('no_instruction', computeLimit(1)),
  listing('data_length', withData(list(), Buffer.concat([list().data, Buffer.from([0])]))),
  one('data_length', 'claim', legacyBytes([withData(sale(), sale().data.subarray(0, 16))])),
  keyed('account_count', (keys) => [...keys, { pubkey: STRANGER.publicKey, isSigner: false, isWritable: false }]),
  one('our_key_pays', 'list', legacyBytes([list()], { payer: AUTHORITY })),
  keyed('wrong_account', swap(0, STRANGER.publicKey)),
  keyed('wrong_account', swap(3, STRANGER.publicKey)),
  one(
    'wrong_account',
    'claim',
    legacyBytes([transferInstruction(PERMIT, keyOf(MARKETPLACE), keyOf(STRANGER))], { signers: [PAYER, MARKETPLACE] }),
  ),
  keyed('our_key_misplaced', swap(1, AUTHORITY.publicKey)),
  keyed('repeated_account', swap(4, new PublicKey(PERMIT))),
  raw('foreign_signer', (message) => {
    message.header[0] += 1;
    message.header[1] += 1;
  }),
  keyed('wrong_flags', (keys) => keys.map((key, at) => (at === 4 ? { ...key, isWritable: true } : key))),
  raw('unused_account', (message) => {
    message.keys.push(STRANGER.publicKey.toBytes());
    message.header[2] += 1;
  }),
  listing('price_zero', listInstruction(PERMIT, 0n)),
  listing('marketplace_zero', listInstruction(PERMIT, 1n, PublicKey.default.toBase58())),
  one('signature_missing', 'claim', legacyBytes([sale()])),
  { rule: 'repeated_transaction', action: 'claim', texts: [signedSale(), signedSale()], at: 1 },
  {
    rule: 'repeated_permit',
    action: 'list',
    texts: [hex(good), hex(legacyBytes([listInstruction(PERMIT, 7n)]))],
    at: 1,
  },
  {
    rule: 'repeated_permit',
    action: 'claim',
    texts: [signedSale(), hex(versionedBytes([sale()], [PAYER, MARKETPLACE]))],
    at: 1,
  },
  one('signature_invalid', 'list', forged()),
  one('signature_invalid', 'claim', Buffer.from(signedSale(), 'hex').fill(7, 1, 65)),
];

/** Requests that keep every rule which their transactions decide, up to the limits. */
export const GOOD_CASES: readonly RuleCase[] = [
  one('none', 'list', good),
  one('none', 'list', good.toString('base64')),
  one(
    'none',
    'list',
    versionedBytes([
      computeLimit(COMPUTE_CAPS.computeUnitLimitCap),
      computePrice(COMPUTE_CAPS.computeUnitPriceCap),
      list(),
    ]),
  ),
  one('none', 'cancel', legacyBytes([cancelInstruction()])),
  one('none', 'claim', signedSale()),
  {
    rule: 'none',
    action: 'list',
    texts: Array.from({ length: 4 }, (_, at) => hex(legacyBytes([listInstruction(keyOf(wallet(`p${at}`)))]))),
    at: 0,
  },
];

function swap(at: number, pubkey: PublicKey): Parameters<typeof withKeys>[1] {
  return (keys) => keys.map((key, index) => (index === at ? { ...key, pubkey } : key));
}

function budgetWithAccount(): TransactionInstruction {
  const call = computeLimit(1);
  call.keys.push({ pubkey: STRANGER.publicKey, isSigner: false, isWritable: false });
  return call;
}

function forged(): Buffer {
  const bytes = Buffer.from(good);
  bytes.writeUInt8(bytes.readUInt8(1) ^ 1, 1);
  return bytes;
}

/** A version 0 transaction whose lookup tables bring more accounts than one may have. */
function manyAccounts(): Buffer {
  const message = good.subarray(start);
  const lookup = [1, ...STRANGER.publicKey.toBytes(), 0, 0xff, 1, ...Array.from({ length: 255 }, (_, at) => at)];
  return Buffer.concat([good.subarray(0, start), Buffer.from([0x80]), message, Buffer.from(lookup)]);
}

function emptyLookup(): Buffer {
  const lookup = [1, ...STRANGER.publicKey.toBytes(), 0, 0];
  return Buffer.concat([good.subarray(0, start), Buffer.from([0x80]), good.subarray(start), Buffer.from(lookup)]);
}
