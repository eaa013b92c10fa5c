import { Keypair, PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  computeLimit,
  computePrice,
  messageStart,
  nonceAdvance,
  OTHER_PROGRAM_ID,
  withKeys,
  withLookupTable,
  withProgram,
} from '../../src/chain/transaction/build-transaction.ts';
import { oneTicket, rows, type TestTicket } from '../../support/chain-app.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import {
  authorizeListing,
  build,
  cancelInstruction,
  fundedMarketplace,
  listInstruction,
  type Marketplace,
} from '../../support/ticket-transactions.ts';

/**
 * Through HTTP: each attack once, in a transaction that is good but for it. What the judgement alone
 * refuses in all its variants is in test/src/listing; here is what a partner is told, and that nothing was signed.
 */
let market: Marketplace;
let ticket: TestTicket;
let other: TestTicket;
const app = await testChainApp();
beforeAll(async () => {
  market = await fundedMarketplace(app);
  ticket = await oneTicket(app, app.users[0]);
  other = await oneTicket(app, app.users[0]);
});

const fan = () => app.users[0].wallet_address;
const list = (of = ticket) => listInstruction(app, of, fan(), market.address);
const paid = (...instructions: TransactionInstruction[]) => build(app, instructions, { payer: market.wallet });

/** Good bytes of a listing, with something done to them; the payer's signature may break by it. */
async function bent(bend: (bytes: Buffer) => Buffer): Promise<Buffer> {
  return bend(Buffer.from(await paid(list())));
}

/** Where a key stands in the bytes. */
function at(bytes: Buffer, address: string): number {
  const index = bytes.indexOf(new PublicKey(address).toBytes());
  if (index < 0) throw new Error(`${address} is not in the transaction`);
  return index;
}

function changedKey(index: number, change: Partial<TransactionInstruction['keys'][number]>): TransactionInstruction {
  return withKeys(list(), (keys) => keys.map((key, at) => (at === index ? { ...key, ...change } : key)));
}

function paidBy(feePayer: string): Promise<Buffer> {
  return build(app, [list()], { payer: market.wallet, feePayer, signers: [] });
}

const ATTACKS: [string, string, RegExp, () => Promise<Buffer>][] = [
  [
    'a System transfer beside the listing',
    'foreign_program',
    /only the ticket program/,
    () =>
      paid(
        list(),
        SystemProgram.transfer({ fromPubkey: new PublicKey(fan()), toPubkey: market.wallet.publicKey, lamports: 1 }),
      ),
  ],
  ['our wallet as fee payer', 'our_key_pays', /the fee payer is never/, () => paidBy(fan())],
  ['the authority as fee payer', 'our_key_pays', /the fee payer is never/, () => paidBy(app.chain.authority)],
  ['our own payer as fee payer', 'our_key_pays', /the fee payer is never/, () => paidBy(app.chain.payer)],
  [
    'the fan’s wallet as a writable signer of another program',
    'foreign_program',
    /only the ticket program/,
    () =>
      paid(
        list(),
        new TransactionInstruction({
          programId: new PublicKey(OTHER_PROGRAM_ID),
          keys: [{ pubkey: new PublicKey(fan()), isSigner: true, isWritable: true }],
          data: Buffer.from([1]),
        }),
      ),
  ],
  [
    'another program id with the same data',
    'foreign_program',
    /only the ticket program/,
    () => paid(withProgram(list(), OTHER_PROGRAM_ID)),
  ],
  [
    'an account list reordered',
    'wrong_account',
    /declared order/,
    () => paid(withKeys(list(), ([a, b, c, d, e]) => [a, b, d, c, e].flatMap((key) => key ?? []))),
  ],
  [
    'an account list shortened',
    'account_count',
    /exactly its declared accounts/,
    () => paid(withKeys(list(), (keys) => keys.slice(0, -1))),
  ],
  [
    'an account list lengthened',
    'account_count',
    /exactly its declared accounts/,
    () =>
      paid(
        withKeys(list(), (keys) => [
          ...keys,
          { pubkey: Keypair.generate().publicKey, isSigner: false, isWritable: false },
        ]),
      ),
  ],
  [
    'a wrong writable flag',
    'wrong_flags',
    /signer and writable exactly/,
    () => paid(changedKey(2, { isWritable: true })),
  ],
  ['a wrong signer flag', 'wrong_flags', /signer and writable exactly/, () => paid(changedKey(3, { isSigner: false }))],
  ['two listing instructions', 'repeated_instruction', /not more/, () => paid(list(), list(other))],
  [
    'a cancellation where a listing was asked',
    'wrong_instruction',
    /the one that was asked for/,
    () => paid(cancelInstruction(app, ticket, fan())),
  ],
  ['a durable nonce', 'durable_nonce', /durable nonces/, () => paid(nonceAdvance(market.wallet.publicKey), list())],
  [
    'two limits of the Compute Budget',
    'compute_budget_repeated',
    /at most once each/,
    () => paid(computeLimit(1), computeLimit(2), list()),
  ],
  [
    'a compute unit limit over the cap',
    'compute_unit_limit',
    /within the cap.*400001 units/,
    () => paid(computeLimit(400_001), list()),
  ],
  [
    'a compute unit price over the cap',
    'compute_unit_price',
    /within the cap.*5000001/,
    () => paid(computePrice(5_000_001n), list()),
  ],
  ['a lookup table', 'lookup_table', /lookup tables are not accepted/, () => bent(withLookupTable)],
  [
    'trailing bytes',
    'trailing_bytes',
    /nothing follows/,
    () => bent((bytes) => Buffer.concat([bytes, Buffer.from([0])])),
  ],
  [
    'a non-minimal shortvec',
    'shortvec',
    /shortest form/,
    () => bent((bytes) => Buffer.concat([Buffer.from([(bytes[0] ?? 0) | 0x80, 0]), bytes.subarray(1)])),
  ],
  [
    'an index out of bounds',
    'index_out_of_bounds',
    /points only at accounts/,
    // the last bytes are: five account indexes, the length of the data, 16 bytes of data
    () =>
      bent((bytes) => {
        bytes[bytes.length - 18] = 99;
        return bytes;
      }),
  ],
  [
    'duplicate keys',
    'duplicate_key',
    /occurs once/,
    () =>
      bent((bytes) => {
        bytes.set(new PublicKey(market.address).toBytes(), at(bytes, fan()));
        return bytes;
      }),
  ],
  [
    'a bad partner signature that is present',
    'signature_invalid',
    /valid for its signer/,
    () =>
      bent((bytes) => {
        bytes[10] = (bytes[10] ?? 0) ^ 1;
        return bytes;
      }),
  ],
  [
    '1,233 bytes',
    'too_large',
    /1,232 bytes/,
    () => bent((bytes) => Buffer.concat([bytes, Buffer.alloc(1_233 - bytes.length)])),
  ],
  [
    'version 1',
    'version_one',
    /version 1 transactions are not accepted yet/,
    () => bent((bytes) => Buffer.concat([Buffer.from([0x81]), bytes.subarray(messageStart(bytes))])),
  ],
  [
    'version 9',
    'version_unknown',
    /only legacy and version 0/,
    () =>
      bent((bytes) => {
        const start = messageStart(bytes);
        return Buffer.concat([bytes.subarray(0, start), Buffer.from([0x89]), bytes.subarray(start)]);
      }),
  ],
  [
    'a listing for nothing',
    'price_zero',
    /price above zero/,
    () => paid(listInstruction(app, ticket, fan(), market.address, 0n)),
  ],
  [
    'another signer',
    'foreign_signer',
    /nobody signs but/,
    () => paid(changedKey(4, { isSigner: true, pubkey: Keypair.generate().publicKey })),
  ],
  [
    'our own payer as marketplace',
    'our_key_misplaced',
    /only in their declared places/,
    () => paid(changedKey(4, { pubkey: new PublicKey(app.chain.payer) })),
  ],
];

async function expectRefused(texts: (Buffer | string)[], type: 'list' | 'cancel', code: string, message: RegExp) {
  const answer = await authorizeListing(app, app.users[0], type, texts);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: { message: expect.stringMatching(message) },
  });
  expect(answer.headers.get('x-error-code')).toBe(code);
  const signed = await rows<{ signed: number; audited: number }>(
    app,
    `select (select count(*)::int from listing_signature) as signed,
       (select count(*)::int from audit_entry where action = 'listing.co_signed') as audited`,
  );
  expect(signed).toEqual([{ signed: 0, audited: 0 }]);
  return answer;
}

describe('bad input: POST /authorizations refuses, names the rule and the transaction, and signs nothing', () => {
  it.each(ATTACKS)('%s', async (_, code, message, make) => {
    const good = await paid(list(other));
    const answer = await expectRefused([good, await make()], 'list', code, message);
    expect(answer.body.message).toMatch(/^transactions\[1\]: /);
  });

  it('a listing where a cancellation was asked', async () => {
    await expectRefused([await paid(list())], 'cancel', 'wrong_instruction', /^transactions\[0\]: .*asked for/);
  });

  it('odd hex', async () => {
    const text = (await paid(list())).toString('hex').slice(1);
    await expectRefused([text], 'list', 'encoding', /^transactions\[0\]: .*hex digit pairs/);
  });

  it('base64 that is hex: it is read as hex, and as nothing else', async () => {
    await expectRefused(['0100'], 'list', 'truncated', /^transactions\[0\]: /);
  });

  it('one permit twice in a request', async () => {
    const again = await paid(computeLimit(1_000), list());
    await expectRefused(
      [await paid(list()), again],
      'list',
      'repeated_permit',
      /^transactions\[1\]: .*once in a request/,
    );
  });
});
