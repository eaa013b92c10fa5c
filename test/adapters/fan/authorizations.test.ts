import { VersionedTransaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ChainApp, moreTickets, oneTicket, rows, startChainApp } from '../../support/chain-app.ts';
import { callFan } from '../../support/partner.ts';
import { only } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  land,
  listedTickets,
  listing,
  type Marketplace,
  onChain,
  postFan,
  randomAddress,
  signedBytes,
  unseenBlockhash,
} from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

const CreateAuthorizationResponse = z.strictObject({ transactions: z.array(z.string().regex(/^([0-9a-f]{2})+$/)) });

const stage = authorizationsStage();
const { expectRefusal, ownerOf } = stage;
let app: ChainApp;
let market: Marketplace;
beforeAll(() => {
  ({ app, market } = stage);
});

describe('spec §4.1: POST /authorizations signs', () => {
  it('a listing, which then lands: the fan’s wallet and the authority have signed, the partner’s signature is kept', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { price: 1_234n });
    const answer = await authorizeListing(app, app.users[0], 'list', [bytes]);
    CreateAuthorizationResponse.parse(answer.body);
    const signed = signedBytes(answer);
    const { message, signatures } = VersionedTransaction.deserialize(signed);
    expect(message.serialize()).toEqual(VersionedTransaction.deserialize(bytes).message.serialize());
    expect(signatures.every((signature) => signature.some((byte) => byte !== 0))).toBe(true);
    expect(signed.subarray(1, 65)).toEqual(bytes.subarray(1, 65));
    await land(app, signed);
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed', marketplace: market.address, price: 1_234n });
  });

  it('a cancellation, which then lands', async () => {
    const [ticket] = await listedTickets(app, market, app.users[0], 1);
    if (!ticket) throw new Error('no ticket');
    const bytes = await cancellation(app, market, ticket, ownerOf());
    await land(app, signedBytes(await authorizeListing(app, app.users[0], 'cancel', [bytes])));
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held', marketplace: null });
  });

  it('four at once, in the order of the request, in hex and base64 mixed; the answer is hex', async () => {
    const tickets = await moreTickets(app, app.users[0], { count: 4 });
    const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, ownerOf())));
    const texts = sent.map((bytes, index) => bytes.toString(index % 2 === 0 ? 'hex' : 'base64'));
    const answer = await authorizeListing(app, app.users[0], 'list', texts);
    const { transactions } = CreateAuthorizationResponse.parse(answer.body);
    expect(transactions.map((hex) => hex.slice(2, 130))).toEqual(
      sent.map((bytes) => bytes.subarray(1, 65).toString('hex')),
    );
    for (const hex of transactions) await land(app, Buffer.from(hex, 'hex'));
    for (const ticket of tickets) expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
  });

  it('chain §3.9, §3.10: identical bytes again give the identical answer; recorded and audited once', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { price: 77n });
    const first = await authorizeListing(app, app.users[0], 'list', [bytes]);
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => authorizeListing(app, app.users[0], 'list', [bytes])),
    );
    expect(first.status).toBe(200);
    for (const answer of answers) expect(answer.body).toEqual(first.body);
    const recorded = await rows<Record<string, unknown>>(
      app,
      `select s.message_hash, s.grant_id, s.action, s.sentence from listing_signature s
       join permit p on p.id = s.permit_id where p.tix_permit_id = $1`,
      [ticket.permit],
    );
    expect(recorded).toHaveLength(1);
    expect(recorded[0]).toMatchObject({ action: 'list' });
    expect(recorded[0]?.sentence).toBe(
      `List permit ${ticket.permit} for 77 lamports on marketplace ${market.address}, for its owner ${ownerOf()}; ${market.address} pays the fee.`,
    );
    const audited = await rows<{ actor: string; details: Record<string, unknown>; request_id: string }>(
      app,
      `select actor, details, request_id from audit_entry where action = 'listing.co_signed' and details->>'permit' = $1`,
      [ticket.permit],
    );
    expect(audited).toHaveLength(1);
    const { grant_id } = await app.users[0].tokens();
    expect(audited[0]).toMatchObject({
      actor: `fan:${app.users[0].id}`,
      details: { grant: grant_id, permit: ticket.permit, message_hash: recorded[0]?.message_hash, policy: '4' },
      request_id: first.headers.get('x-request-id'),
    });
  });

  it('many at once, with keys that nobody has opened yet and two connections to the database', async () => {
    const small = await startChainApp({ beside: app, env: { DATABASE_POOL: '2' } });
    try {
      const tickets = await moreTickets(app, app.users[0], { count: 8 });
      const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, ownerOf())));
      const token = (await app.users[0].tokens()).access_token;
      const answers = await Promise.all(
        sent.map((bytes) =>
          postFan(small, '/authorizations', token, { type: 'list', transactions: [bytes.toString('hex')] }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    } finally {
      await small.stop();
    }
  });
});

describe('chain §3: all or none', () => {
  it.each([
    ['a permit of another fan as the third', 404, 'not_found', /^transactions\[2\]/],
    ['a revoked permit as the third', 404, 'not_found', /^transactions\[2\]: the ticket was not found/],
    ['an expired blockhash in the third', 400, 'blockhash_expired', /^transactions\[2\]: the recent blockhash/],
    ['an unreadable third', 400, 'encoding', /^transactions\[2\]/],
  ] as const)('%s of four leaves none of them signed', async (fault, status, code, message) => {
    const tickets = await moreTickets(app, app.users[0], { count: 4 });
    const sent = await Promise.all(tickets.map((ticket) => listing(app, market, ticket, ownerOf())));
    const texts = sent.map((bytes) => bytes.toString('hex'));
    const foreign = await oneTicket(app, app.users[1]);
    const [, , third] = tickets;
    if (!third) throw new Error('no third ticket');
    if (fault.startsWith('a revoked')) {
      await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [third.permit]);
    } else if (code === 'not_found') texts[2] = (await listing(app, market, foreign, ownerOf())).toString('hex');
    if (code === 'blockhash_expired') {
      texts[2] = (await listing(app, market, third, ownerOf(), { blockhash: randomAddress() })).toString('hex');
    }
    if (code === 'encoding') texts[2] = 'not a transaction';
    await expectRefusal(() => authorizeListing(app, app.users[0], 'list', texts), status, code, message);
  });
});

describe('chain §3.7, §3.8: the cluster', () => {
  async function good() {
    const ticket = await oneTicket(app, app.users[0]);
    return listing(app, market, ticket, ownerOf(), { blockhash: await unseenBlockhash(app) });
  }

  it('400 for a blockhash that the cluster does not know', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf(), { blockhash: randomAddress() });
    await expectRefusal(
      () => authorizeListing(app, app.users[0], 'list', [bytes]),
      400,
      'blockhash_expired',
      /^transactions\[0\]: the recent blockhash is one of the last/,
    );
  });

  it('a blockhash that a lagging node does not know is asked for again at the slot of the permits, and is signed for', async () => {
    const bytes = await good();
    app.proxy.setRule(({ method, params }) => {
      const options = params[1] as { minContextSlot?: number } | undefined;
      if (method !== 'isBlockhashValid' || options?.minContextSlot !== undefined) return 'pass';
      return { reply: { result: { context: { slot: 1 }, value: false } } };
    });
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
  });

  it('503 with Retry-After where no node has come to the slot of the permits', async () => {
    const bytes = await good();
    const behind = { code: -32016, message: 'Minimum context slot has not been reached' };
    app.proxy.setRule(({ method, params }) => {
      const options = params[1] as { minContextSlot?: number } | undefined;
      if (method !== 'isBlockhashValid') return 'pass';
      if (options?.minContextSlot !== undefined) return { reply: { error: behind } };
      return { reply: { result: { context: { slot: 1 }, value: false } } };
    });
    const answer = await expectRefusal(
      () => authorizeListing(app, app.users[0], 'list', [bytes]),
      503,
      'unavailable',
      /Solana cluster can not be reached/,
    );
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each(['isBlockhashValid', 'getMultipleAccounts'])(
    '503 with Retry-After where %s can not be asked, and nothing is signed',
    async (method) => {
      const bytes = await good();
      app.proxy.setRule(only('away', method));
      const answer = await expectRefusal(
        () => authorizeListing(app, app.users[0], 'list', [bytes]),
        503,
        'unavailable',
        /Solana cluster can not be reached/,
      );
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      app.proxy.reset();
      expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
    },
  );

  it('503 with Retry-After where the node gives the permit malformed: that is its fault; nothing is signed', async () => {
    const bytes = await good();
    app.proxy.setRule(
      only(({ result }) => {
        const { context, value } = result as { context: object; value: object[] };
        return { result: { context, value: value.map((account) => ({ ...account, data: ['AAAA', 'base64'] })) } };
      }, 'getMultipleAccounts'),
    );
    const answer = await expectRefusal(
      () => authorizeListing(app, app.users[0], 'list', [bytes]),
      503,
      'unavailable',
      /Solana cluster can not be reached/,
    );
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('while the cluster hangs, many listings that wait for it leave the database to the tickets', async () => {
    const bytes = await good();
    const token = (await app.users[0].tokens()).access_token;
    app.proxy.setRule(only('hang', 'isBlockhashValid'));
    const hanging = Array.from({ length: 12 }, () => authorizeListing(app, app.users[0], 'list', [bytes]));
    while (app.proxy.count('isBlockhashValid') < 12) await new Promise((resolve) => setTimeout(resolve, 20));
    const began = performance.now();
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(2_000);
    app.proxy.reset();
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual(hanging.map(() => 200));
  });
});

describe('spec §2: CreateAuthorizationRequest', () => {
  it.each([
    ['no transactions', { type: 'list', transactions: [] }, /^transactions must be a list of 1 to 4 strings$/],
    [
      'five transactions',
      { type: 'list', transactions: ['00', '00', '00', '00', '00'] },
      /^transactions must be a list of 1 to 4 strings$/,
    ],
    ['transactions left out', { type: 'list' }, /^transactions must be a list of 1 to 4 strings$/],
    [
      'a text instead of a list',
      { type: 'list', transactions: '00' },
      /^transactions must be a list of 1 to 4 strings$/,
    ],
    [
      'a number as the second',
      { type: 'list', transactions: ['00', 7] },
      /^transactions\[1\] must be a string of 1 to 16384 characters$/,
    ],
    [
      'an empty transaction',
      { type: 'list', transactions: [''] },
      /^transactions\[0\] must be a string of 1 to 16384 characters$/,
    ],
    ['no type', { transactions: ['00'] }, /^type must be list or cancel$/],
    ['another type', { type: 'sell', transactions: ['00'] }, /^type must be list or cancel$/],
    ['an unknown property', { type: 'list', transactions: ['00'], price: 1 }, /^body must not have the field price$/],
    ['a list as body', [], /^body must be a JSON object$/],
  ])('400 for %s, naming the field', async (_, body, message) => {
    const { access_token: token } = await app.users[0].tokens();
    await expectRefusal(() => postFan(app, '/authorizations', token, body), 400, 'invalid_request', message);
  });

  it.each([
    ['not JSON', 400, 'application/json', '{"type":', /not valid JSON/],
    ['another content type', 415, 'text/plain', '{}', /application\/json/],
    ['a form', 415, 'application/x-www-form-urlencoded', 'type=list', /application\/json/],
    ['over 64 KiB', 413, 'application/json', JSON.stringify({ type: 'x'.repeat(65 * 1024) }), /64 KiB/],
  ])('a body that is %s: %d', async (_, status, type, body, message) => {
    const { access_token: token } = await app.users[0].tokens();
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    await expectRefusal(() => callFan(app, '/authorizations', token, init), status, 'invalid_request', message);
  });

  it('405 with Allow for GET', async () => {
    const { access_token: token } = await app.users[0].tokens();
    const answer = await callFan(app, '/authorizations', token);
    expect({ status: answer.status, allow: answer.headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
  });
});
