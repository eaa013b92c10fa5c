import { Keypair, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  computeLimit,
  computePrice,
  nonceAdvance,
  OTHER_PROGRAM_ID,
  withKeys,
  withLookupTable,
  withProgram,
} from '../../src/chain/transaction/build-transaction.ts';
import { rows, type TestTicket, type User } from '../../support/chain-app.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import {
  build,
  claim,
  fundedMarketplace,
  listedTickets,
  type Marketplace,
  randomAddress,
  transfer,
  transferInstruction,
} from '../../support/ticket-transactions.ts';

/** Through HTTP: each attack beside a good claim, which then is not submitted either. */
let market: Marketplace;
let buyer: User;
let ticket: TestTicket;
let other: TestTicket;
const app = await testChainApp();
beforeAll(async () => {
  market = await fundedMarketplace(app);
  buyer = app.users[1];
  const [first, second] = await listedTickets(app, market, app.users[0], 2);
  if (!first || !second) throw new Error('no tickets');
  ticket = first;
  other = second;
});
beforeEach(() => app.proxy.reset());

const move = (of = ticket, to = buyer.wallet_address) => transferInstruction(app, of, market.address, to);
const paid = (...instructions: TransactionInstruction[]) => build(app, instructions, { payer: market.wallet });

async function bent(bend: (bytes: Buffer) => Buffer): Promise<Buffer> {
  return bend(Buffer.from(await paid(move())));
}

const ATTACKS: [string, string, RegExp, () => Promise<Buffer>][] = [
  [
    'a destination that is another wallet',
    'wrong_account',
    /destination is/,
    () => paid(move(ticket, app.users[0].wallet_address)),
  ],
  ['two transfer instructions', 'repeated_instruction', /not more/, () => paid(move(), move(other))],
  ['no transfer instruction', 'no_instruction', /transfer_permit_v1 is missing/, () => paid(computeLimit(1_000))],
  [
    'a signature that is missing',
    'signature_missing',
    /signed by all/,
    () => build(app, [move()], { payer: market.wallet, signers: [] }),
  ],
  [
    'a signature that is wrong',
    'signature_invalid',
    /valid for its signer/,
    () =>
      bent((bytes) => {
        bytes[5] = (bytes[5] ?? 0) ^ 1;
        return bytes;
      }),
  ],
  [
    'a System transfer beside it',
    'foreign_program',
    /only the ticket program/,
    () =>
      paid(
        move(),
        SystemProgram.transfer({
          fromPubkey: market.wallet.publicKey,
          toPubkey: new PublicKey(randomAddress()),
          lamports: 1,
        }),
      ),
  ],
  [
    'another program with the same data',
    'foreign_program',
    /only the ticket program/,
    () => paid(withProgram(move(), OTHER_PROGRAM_ID)),
  ],
  [
    'the fan’s wallet as fee payer',
    'our_key_pays',
    /the fee payer is never/,
    () => build(app, [move()], { payer: market.wallet, feePayer: buyer.wallet_address, signers: [market.wallet] }),
  ],
  [
    'our payer as fee payer',
    'our_key_pays',
    /the fee payer is never/,
    () => build(app, [move()], { payer: market.wallet, feePayer: app.chain.payer, signers: [market.wallet] }),
  ],
  [
    'our authority as transfer authority',
    'our_key_misplaced',
    /only in their declared places/,
    () => paid(transferInstruction(app, ticket, app.chain.authority, buyer.wallet_address)),
  ],
  [
    'accounts reordered',
    'wrong_account',
    /declared order/,
    () => paid(withKeys(move(), (keys) => [...keys].reverse())),
  ],
  [
    'wrong flags',
    'wrong_flags',
    /signer and writable exactly/,
    () => paid(withKeys(move(), (keys) => keys.map((key, at) => (at === 0 ? { ...key, isWritable: true } : key)))),
  ],
  ['a limit over the cap', 'compute_unit_limit', /400001 units/, () => paid(computeLimit(400_001), move())],
  ['a price over the cap', 'compute_unit_price', /5000001/, () => paid(computePrice(5_000_001n), move())],
  [
    'another signer, named to the Compute Budget program',
    'compute_budget_accounts',
    /names no accounts/,
    () => {
      const stranger = Keypair.generate();
      const limit = computeLimit(1);
      limit.keys.push({ pubkey: stranger.publicKey, isSigner: true, isWritable: false });
      return build(app, [move(), limit], { payer: market.wallet, signers: [market.wallet, stranger] });
    },
  ],
  [
    'trailing bytes',
    'trailing_bytes',
    /nothing follows/,
    () => bent((bytes) => Buffer.concat([bytes, Buffer.from([0])])),
  ],
  ['a lookup table', 'lookup_table', /lookup tables are not accepted/, () => bent(withLookupTable)],
  ['a durable nonce', 'durable_nonce', /durable nonces/, () => paid(nonceAdvance(market.wallet.publicKey), move())],
  [
    'an expired blockhash',
    'blockhash_expired',
    /the recent blockhash is one of the last/,
    () => transfer(app, market, ticket, buyer.wallet_address, { blockhash: randomAddress() }),
  ],
];

async function expectRefused(texts: Buffer[], user: User, code: string, message: RegExp) {
  const answer = await claim(app, user, texts);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 400,
    body: { message: expect.stringMatching(message) },
  });
  expect(answer.headers.get('x-error-code')).toBe(code);
  expect(await rows(app, 'select id from claim')).toEqual([]);
  expect(app.proxy.count('sendTransaction')).toBe(0);
  return answer;
}

describe('bad input: POST /claims/execute refuses, names the rule and the transaction, and submits nothing', () => {
  it.each(ATTACKS)('%s', async (_, code, message, make) => {
    const good = await paid(move(other));
    const answer = await expectRefused([good, await make()], buyer, code, message);
    expect(answer.body.message).toMatch(/^tickets\[1\]\.tx: /);
  });

  it('the same permit twice in a request', async () => {
    const again = await paid(computeLimit(10_000), move());
    await expectRefused(
      [await paid(move()), again],
      buyer,
      'repeated_permit',
      /^tickets\[1\]\.tx: .*once in a request/,
    );
  });

  it('the same transaction twice in a request', async () => {
    const bytes = await paid(move());
    await expectRefused([bytes, bytes], buyer, 'repeated_transaction', /^tickets\[1\]\.tx: .*once in a request/);
  });

  it('a transaction made for another fan', async () => {
    const bytes = await paid(move());
    await expectRefused([bytes], app.users[0], 'wrong_account', /^tickets\[0\]\.tx: .*destination is/);
  });

  it('last of all, once it was claimed: a replay by another fan', async () => {
    const bytes = await paid(move());
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const answer = await claim(app, app.users[0], [bytes]);
    expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
      status: 400,
      code: 'wrong_account',
    });
    expect(await rows(app, 'select state from claim')).toEqual([{ state: 'confirmed' }]);
  });
});
