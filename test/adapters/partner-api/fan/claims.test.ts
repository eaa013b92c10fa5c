import { findTransferFault } from '@fan-api/cosign-policy/claim-rules';
import { programErrorOf } from '@fan-api/cosign-policy/failure-reason';
import { errorCode } from '@fan-api/ticket-program/errors';
import {
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { turnActionOff } from '../../../../src/oauth/grant/switch-action.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { computeLimit, computePrice } from '../../../src/chain/transaction/build-transaction.ts';
import { oneTicket, rows, type TestTicket, type User } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { newPartner } from '../../../support/make-client.ts';
import { callFan, signIn } from '../../../support/partner.ts';
import { passAfter } from '../../../support/rpc-proxy.ts';
import {
  authorizeListing,
  build,
  cancellation,
  claim,
  FIRST_SALE,
  fundedMarketplace,
  land,
  listedTickets,
  onChain,
  postFan,
  putOnSale,
  randomAddress,
  relist,
  type SaleTerms,
  signatureOf,
  signedBytes,
  transfer,
  transferInstruction,
} from '../../../support/ticket-transactions.ts';

const { app, market, seller, buyer, it, nextListed } = await chainStage();

const ExecuteClaimResponse = z.strictObject({
  tickets: z.array(
    z.strictObject({
      tix_event_id: z.string(),
      tix_permit_id: z.string(),
      ticket_id: z.string(),
      signer_wallet: z.string(),
      destination_wallet: z.string(),
      transfer_id: z.string(),
    }),
  ),
});
const ErrorResponse = z.strictObject({ message: z.string().min(10) });

async function claimRows(bytes: Uint8Array[]) {
  const signatures = bytes.map(signatureOf);
  return rows<{ state: string; failure: string | null }>(
    app,
    'select state, failure from claim where signature = any($1) order by created_at, id',
    [signatures],
  );
}

async function holds(user: User, ticket: TestTicket): Promise<boolean> {
  const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
  return (body.tickets as { id: string }[]).some(({ id }) => id === ticket.id);
}

async function expectRefusal(
  answer: Awaited<ReturnType<typeof claim>>,
  status: number,
  code: string,
  message: RegExp,
  sent: Uint8Array[] = [],
) {
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
  expect(answer.headers.get('x-error-code')).toBe(code);
  expect(ErrorResponse.parse(answer.body).message).toMatch(message);
  expect(await claimRows(sent)).toEqual([]);
  expect(app.proxy.count('sendTransaction')).toBe(0);
}

describe('spec §4.1: POST /claims/execute claims', () => {
  it('one ticket: every field of the answer, the ticket moves, the listing is sold, and it is audited', async ({
    listedTicket,
    bytes,
  }) => {
    const answer = await claim(app, buyer, [bytes]);
    expect(answer.status).toBe(200);
    expect(ExecuteClaimResponse.parse(answer.body).tickets).toEqual([
      {
        tix_event_id: listedTicket.tixEventId,
        tix_permit_id: listedTicket.permit,
        ticket_id: listedTicket.id,
        signer_wallet: market.address,
        destination_wallet: buyer.wallet_address,
        transfer_id: signatureOf(bytes),
      },
    ]);
    expect(await onChain(app, listedTicket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    expect({ seller: await holds(seller, listedTicket), buyer: await holds(buyer, listedTicket) }).toEqual({
      seller: false,
      buyer: true,
    });
    const audited = await rows<{ action: string }>(
      app,
      `select action from audit_entry where subject in ($1, $2) and action <> 'listing.co_signed' order by action`,
      [signatureOf(bytes), listedTicket.permit],
    );
    expect(audited.map(({ action }) => action)).toEqual(['claim.confirmed', 'ticket.moved']);
  });

  it('ten at once, in the order of the request; the same request again: the same answer, and nothing is submitted twice', async () => {
    const tickets = await listedTickets(app, market, seller, 10);
    const sent = await Promise.all(tickets.map((ticket) => transfer(app, market, ticket, buyer.wallet_address)));
    const order = [7, 0, 9, 3, 1, 8, 2, 6, 4, 5];
    const request = order.map((index) => sent[index] ?? Buffer.alloc(0));
    app.proxy.reset();
    const answer = await claim(app, buyer, request);
    expect(answer.status).toBe(200);
    const claimed = ExecuteClaimResponse.parse(answer.body).tickets;
    expect(claimed.map(({ ticket_id }) => ticket_id)).toEqual(order.map((index) => tickets[index]?.id));
    expect(claimed.map(({ transfer_id }) => transfer_id)).toEqual(request.map(signatureOf));
    expect(app.proxy.count('sendTransaction')).toBe(10);
    app.proxy.reset();
    const again = await claim(app, buyer, request);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: answer.body });
    expect(app.proxy.count('sendTransaction')).toBe(0);
    expect((await claimRows(sent)).map(({ state }) => state)).toEqual(sent.map(() => 'confirmed'));
  });

  it('claims of before together with new ones', async () => {
    const [old, fresh] = [await nextListed(), await nextListed()];
    const first = await transfer(app, market, old, buyer.wallet_address);
    expect((await claim(app, buyer, [first])).status).toBe(200);
    // a claim stays what it was, wherever the ticket has gone since
    await putOnSale(app, market, old, buyer);
    await land(app, await transfer(app, market, old, seller.wallet_address));
    app.proxy.reset();
    const second = await transfer(app, market, fresh, buyer.wallet_address);
    const answer = await claim(app, buyer, [second, first]);
    expect(ExecuteClaimResponse.parse(answer.body).tickets.map(({ ticket_id }) => ticket_id)).toEqual([
      fresh.id,
      old.id,
    ]);
    expect(app.proxy.count('sendTransaction')).toBe(1);
    const judgedBy = app.proxy.calls.find(({ method }) => method === 'getMultipleAccounts');
    expect(judgedBy?.params[0], 'only the new one is judged').toEqual([fresh.permit]);
  });
});

it.each([
  [
    'access that was ended',
    'grant_revoked',
    (_: string, grantId: Id<'grant'>) =>
      revokeGrant(app.context(), { grantId, reason: 'revoked_by_fan', actor: 'fan:test' }),
  ],
  [
    'an action that was turned off',
    'action_not_granted',
    (fan: string, grant: Id<'grant'>) =>
      turnActionOff(app.context(), knownId('usr', fan), { grantIds: [grant], action: 'fan:claims:write' }),
  ],
])('what the fan ends or takes back while a claim is judged: nothing is claimed with %s', async (_, code, change) => {
  const { phone, code: fanCode } = buyer;
  const tokens = await signIn(app, { scope: 'openid fan:claims:write', phone, code: fanCode });
  const bytes = await transfer(app, market, await nextListed(), buyer.wallet_address);
  app.proxy.reset();
  app.proxy.setRule(passAfter('getSignatureStatuses', () => change(buyer.id, tokens.grant_id)));
  const sent = { tickets: [{ tx: bytes.toString('hex') }] };
  const answer = await postFan(app, '/claims/execute', tokens.access_token, sent);
  await expectRefusal(answer, 401, code, /revoked|granted/, [bytes]);
});

describe('chain §4: 404, the ticket or listing was not found', () => {
  const GONE = /^tickets\[0\]\.tx: the ticket or its listing is gone\.$/;
  const UNKNOWN = /^tickets\[0\]\.tx: the ticket was not found\.$/;

  async function refused(ticket: Pick<TestTicket, 'permit'>, message: RegExp, from = market) {
    const bytes = await transfer(app, from, ticket, buyer.wallet_address);
    app.proxy.reset();
    await expectRefusal(await claim(app, buyer, [bytes]), 404, 'not_found', message, [bytes]);
  }

  it('a permit that nobody knows', () => refused({ permit: randomAddress() }, UNKNOWN));

  it('a permit of another partner', async () => {
    await refused(await oneTicket(app, seller, { partner: await newPartner(app) }), UNKNOWN);
  });

  it('a permit of another mode', async ({ listedTicket }) => {
    await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [listedTicket.tixEventId]);
    await refused(listedTicket, UNKNOWN);
    await rows(app, `update event set mode = 'sandbox' where tix_event_id = $1`, [listedTicket.tixEventId]);
  });

  it('a revoked permit', async ({ listedTicket }) => {
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [listedTicket.permit]);
    await refused(listedTicket, UNKNOWN);
  });

  it('a permit of an event that is over', async () => {
    const ticket = await oneTicket(app, seller, { endsAt: new Date(Date.now() + 600_000) });
    await putOnSale(app, market, ticket, seller);
    app.advance(601);
    await refused(ticket, UNKNOWN);
  });

  it('a permit that was never listed', async () => refused(await oneTicket(app, seller), GONE));

  it('a permit that another marketplace lists', async () => {
    await refused(await nextListed(), GONE, await fundedMarketplace(app));
  });

  it('a listing that was cancelled meanwhile', async ({ listedTicket }) => {
    const cancel = await cancellation(app, market, listedTicket, seller.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [cancel])));
    await refused(listedTicket, GONE);
  });

  it('a listing that was sold meanwhile', async ({ listedTicket }) => {
    await land(app, await transfer(app, market, listedTicket, randomAddress()));
    await refused(listedTicket, GONE);
  });

  it('a transfer that landed long ago, whose ticket has gone elsewhere since', async ({ listedTicket, bytes }) => {
    await land(app, bytes);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await putOnSale(app, market, listedTicket, buyer);
    await land(app, await transfer(app, market, listedTicket, seller.wallet_address));
    await rows(app, 'delete from claim where signature = $1', [signatureOf(bytes)]);
    app.proxy.reset();
    await expectRefusal(await claim(app, buyer, [bytes]), 404, 'not_found', GONE, [bytes]);
  });
});

describe('D-115: a transfer fulfils the listing that it names, and no other', () => {
  const GONE = /^tickets\[0\]\.tx: the ticket or its listing is gone\.$/;
  /** A ticket that is on sale for 5 lamports, and a transfer of it. */
  async function onSale(): Promise<[TestTicket, Buffer]> {
    const ticket = await oneTicket(app, seller);
    await putOnSale(app, market, ticket, seller, 5n);
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    app.proxy.reset();
    return [ticket, bytes];
  }
  const named = (ticket: TestTicket, terms: SaleTerms) =>
    transfer(app, market, ticket, buyer.wallet_address, { terms });
  const ofSeller = (price: bigint, listing: bigint) => {
    return { owner: seller.wallet_address, state: 'listed', price, listing };
  };

  it('signed for 5, it is refused while a later listing asks for 500, and the network refuses it too', async () => {
    const [ticket, bytes] = await onSale();
    await relist(app, market, ticket, seller, 500n);
    app.proxy.reset();
    await expectRefusal(await claim(app, buyer, [bytes]), 404, 'not_found', GONE, [bytes]);
    await expect(land(app, bytes)).rejects.toThrow(`0x${errorCode('WrongListing').toString(16)}`);
    await app.connection.sendRawTransaction(bytes, { skipPreflight: true });
    const ran = await claim(app, buyer, [bytes]);
    await expectRefusal(ran, 400, 'chain_refused', /\(WrongListing: The permit has another listing than/, [bytes]);
    expect(await onChain(app, ticket)).toMatchObject(ofSeller(500n, 2n));
    const later = await transfer(app, market, ticket, buyer.wallet_address);
    expect((await claim(app, buyer, [later])).status).toBe(200);
  });

  it('the relisting happens after the claim was judged: the claim fails, and the ticket stays with its seller', async () => {
    const [ticket, bytes] = await onSale();
    app.proxy.setRule(passAfter('getSignatureStatuses', () => relist(app, market, ticket, seller, 500n)));
    const answer = await claim(app, buyer, [bytes]);
    expect({ status: answer.status, code: answer.headers.get('x-error-code'), body: answer.body }).toEqual({
      status: 400,
      code: 'chain_refused',
      body: { message: expect.stringMatching(/^tickets\[0\]\.tx: .* \(WrongListing: The permit has another listing/) },
    });
    expect(await claimRows([bytes])).toMatchObject([{ state: 'failed' }]);
    expect(await onChain(app, ticket)).toMatchObject(ofSeller(500n, 2n));
    expect(await holds(seller, ticket)).toBe(true);
  });

  it.each([
    ['an older listing', { listing: 1n, price: 5n }],
    ['an older listing, at the price of the present one', { listing: 1n, price: 500n }],
    ['no listing', { listing: 0n, price: 0n }],
    ['a listing that is still to come', { listing: 3n, price: 500n }],
  ])('404 for %s', async (_, terms) => {
    const [ticket] = await onSale();
    await relist(app, market, ticket, seller, 500n);
    const bytes = await named(ticket, terms);
    app.proxy.reset();
    await expectRefusal(await claim(app, buyer, [bytes]), 404, 'not_found', GONE, [bytes]);
  });

  it.each([0n, 4n, 6n, 2n ** 64n - 1n])('400 for the price %s of a listing at 5, naming both', async (price) => {
    const [ticket] = await onSale();
    const bytes = await named(ticket, { listing: 1n, price });
    const message = new RegExp(`^tickets\\[0\\]\\.tx: a transfer names .* \\(price ${price}, not 5\\)$`);
    await expectRefusal(await claim(app, buyer, [bytes]), 400, 'wrong_terms', message, [bytes]);
  });

  it('by the owner of a held permit it names none: 400 with a number or a price, 200 with zeros', async () => {
    const [ticket] = await onSale();
    const stranger = await fundedMarketplace(app);
    await land(app, await transfer(app, market, ticket, stranger.address));
    for (const [terms, detail] of [
      [{ listing: 1n, price: 0n }, 'listing 1, not 0'],
      [{ listing: 1n, price: 5n }, 'listing 1, not 0'],
      [{ listing: 0n, price: 5n }, 'price 5, not 0'],
    ] as const) {
      const bytes = await transfer(app, stranger, ticket, buyer.wallet_address, { terms });
      app.proxy.reset();
      const answer = await claim(app, buyer, [bytes]);
      await expectRefusal(answer, 400, 'wrong_terms', new RegExp(`\\(${detail}\\)$`), [bytes]);
    }
    const bytes = await transfer(app, stranger, ticket, buyer.wallet_address);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
  });

  it('whatever it names and whoever signs it, the judge and the program agree', async () => {
    const held = await oneTicket(app, seller);
    const [once] = await onSale();
    const [twice] = await onSale();
    await relist(app, market, twice, seller, 500n);
    const [closed] = await onSale();
    const close = await cancellation(app, market, closed, seller.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [close])));
    const numbers = [0n, 1n, 2n, 3n, 2n ** 64n - 1n];
    const prices = [0n, 4n, 5n, 500n, 2n ** 64n - 1n];
    const seen = new Map<string, number>();
    for (const one of [held, once, twice, closed]) {
      const account = await onChain(app, one);
      for (const signer of [market.address, seller.wallet_address, randomAddress()]) {
        for (const [listing, price] of numbers.flatMap((listing) => prices.map((price) => [listing, price] as const))) {
          const fault = findTransferFault(account, { transferAuthority: signer, listing, price }, true)?.rule ?? 'none';
          const instruction = transferInstruction(app, one, signer, buyer.wallet_address, { listing, price });
          const found = `${fault}: ${await simulated(instruction)}`;
          seen.set(found, (seen.get(found) ?? 0) + 1);
        }
      }
    }
    expect(Object.fromEntries(seen)).toEqual({
      'none: runs': 4,
      'listing_gone: WrongOwner': 100,
      'listing_gone: WrongAuthority': 100,
      'listing_gone: WrongListing': 40,
      'wrong_terms: WrongListing': 40,
      'wrong_terms: WrongPrice': 16,
    });
  });

  /** What the program would do with a transfer, by its error's name; signatures are left out. */
  async function simulated(instruction: TransactionInstruction): Promise<string> {
    const { blockhash } = await app.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: market.wallet.publicKey,
      recentBlockhash: blockhash,
      instructions: [instruction],
    }).compileToV0Message();
    const { value } = await app.connection.simulateTransaction(new VersionedTransaction(message));
    return value.err === null ? 'runs' : (programErrorOf(value.err)?.split(':')[0] ?? JSON.stringify(value.err));
  }
});

const tx = '00';
const COUNT = /^tickets must be a list of 1 to 10 objects$/;
const text = (at: number) => new RegExp(`^tickets\\[${at}\\]\\.tx must be a string$`);
it.each([
  [{ tickets: [] }, COUNT],
  [{ tickets: Array.from({ length: 11 }, () => ({ tx })) }, COUNT],
  [{}, COUNT],
  [{ tickets: [tx] }, /^tickets\[0\] must be an object with the field tx$/],
  [{ tickets: [{ tx }, {}] }, text(1)],
  [{ tickets: [{ tx: 1 }] }, text(0)],
  [{ tickets: [{ tx, id: 'x' }] }, /^tickets\[0\] must not have the field id$/],
  [{ tickets: [{ tx }], mode: 'sandbox' }, /^body must not have the field mode$/],
  ['tickets', /^body must be a JSON object$/],
])('spec §2: ExecuteClaimRequest: 400 for %j, naming the field', async (body, message) => {
  const { access_token: token } = await buyer.tokens();
  await expectRefusal(await postFan(app, '/claims/execute', token, body), 400, 'invalid_request', message);
});

const [ticket, other] = [await nextListed(), await nextListed()];

const move = (of = ticket, to = buyer.wallet_address) => transferInstruction(app, of, market.address, to, FIRST_SALE);
const paid = (...instructions: TransactionInstruction[]) => build(app, instructions, { payer: market.wallet });

const beside = SystemProgram.transfer({
  fromPubkey: market.wallet.publicKey,
  toPubkey: new PublicKey(randomAddress()),
  lamports: 1,
});

/** What the judge alone refuses is in test/src/tickets/claim/judge-claim-transactions.test.ts and test/cosign-policy. */
const ATTACKS: [string, RegExp, () => Promise<Buffer | string>][] = [
  ['encoding', /an empty text/, async () => ''],
  ['encoding', /an odd number of hex digits/, async () => 'abc'],
  ['encoding', /not hex/, async () => 'AQ=='],
  ['wrong_account', /destination is/, () => paid(move(ticket, seller.wallet_address))],
  ['foreign_program', /only the ticket program/, () => paid(move(), beside)],
  ['compute_unit_limit', /400001 units/, () => paid(computeLimit(400_001), move())],
  ['compute_unit_price', /5000001/, () => paid(computePrice(5_000_001n), move())],
  [
    'our_key_pays',
    /the fee payer is never/,
    () => build(app, [move()], { payer: market.wallet, feePayer: app.chain.payer, signers: [market.wallet] }),
  ],
  [
    'our_key_misplaced',
    /only in their declared places/,
    () => paid(transferInstruction(app, ticket, app.chain.authority, buyer.wallet_address)),
  ],
  [
    'blockhash_expired',
    /the recent blockhash is one of the last/,
    () => transfer(app, market, ticket, buyer.wallet_address, { blockhash: randomAddress() }),
  ],
];

/** Not one of the transactions was submitted or written. */
async function expectRefused(texts: (Buffer | string)[], user: User, code: string, message: RegExp) {
  app.proxy.reset();
  const answer = await claim(app, user, texts);
  await expectRefusal(
    answer,
    400,
    code,
    message,
    texts.filter((text) => typeof text !== 'string'),
  );
  return answer;
}

describe('bad input: POST /claims/execute refuses, names the rule and the transaction, and submits nothing', () => {
  it.each(ATTACKS)('%s', async (code, message, make) => {
    const good = await paid(move(other));
    const answer = await expectRefused([good, await make()], buyer, code, message);
    expect(answer.body.message).toMatch(/^tickets\[1\]\.tx: /);
  });

  it('last of all, once it was claimed: a replay by another fan', async () => {
    const bytes = await paid(move());
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const answer = await claim(app, seller, [bytes]);
    expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
      status: 400,
      code: 'wrong_account',
    });
    expect(await claimRows([bytes])).toMatchObject([{ state: 'confirmed' }]);
  });
});
