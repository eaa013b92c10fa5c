import type { PolicyAction } from '@fan-api/cosign-policy/actions';
import { lint } from '@fan-api/cosign-policy/lint';
import { RULES } from '@fan-api/cosign-policy/rules';
import { describe, expect } from 'vitest';
import { ExplainResponse } from '../../../../adapters/partner-api/fan/explain-wire.ts';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { type Id, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { computeLimit, systemTransfer } from '../../../src/chain/transaction/build-transaction.ts';
import { oneTicket, rows, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { signIn } from '../../../support/partner.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  listing,
  onChain,
  postFan,
  randomAddress,
  signatureOf,
  signedBytes,
  transfer,
} from '../../../support/ticket-transactions.ts';
import { explainBy, failedRules, prefer, signForWallet, textOf } from './explain-stage.ts';

const { app, market, seller, buyer, it, nextListed } = await chainStage();

const owner = seller.wallet_address;
const send = prefer.bind(undefined, app);
const explained = explainBy.bind(undefined, app);

describe('D-279: POST /authorizations with Prefer: explain', () => {
  it('a listing that would be signed is accepted, with names, roles and arguments, and with no signature', async () => {
    const ticket = await oneTicket(app, seller);
    const bytes = await listing(app, market, ticket, owner, { price: 5n });
    const [transaction] = await explained('list', [bytes]);
    expect(transaction?.accepted).toBe(true);
    expect(transaction?.rules.every(({ passed, fix }) => passed && fix === null)).toBe(true);
    expect(transaction?.instructions).toMatchObject([
      {
        program: app.chain.programId,
        program_name: 'ticket program',
        name: 'create_listing_v1',
        arguments: { price: '5' },
        accounts: [
          { role: 'config', signer: false, writable: false },
          { role: 'permit', address: ticket.permit, signer: false, writable: true },
          { role: 'owner', address: owner, signer: true, writable: false },
          { role: 'authority', address: app.chain.authority, signer: true, writable: false },
          { role: 'marketplace', address: market.address, signer: true, writable: true },
        ],
      },
    ]);
    const signed = await authorizeListing(app, seller, 'list', [bytes]);
    const [hex = ''] = signed.body.transactions as string[];
    // Ed25519 signatures of two keys: none of them was in the explanation
    const own = Buffer.from(hex, 'hex');
    for (const at of [1, 2]) {
      expect(JSON.stringify(transaction)).not.toContain(own.subarray(1 + 64 * at, 65 + 64 * at).toString('hex'));
    }
  });

  it('bytes that are no transaction are explained too, beside others', async () => {
    const bytes = await listing(app, market, await oneTicket(app, seller), owner);
    const [broken, none, good] = await explained('list', ['abcd', 'not a transaction', bytes]);
    expect(broken).toMatchObject({ accepted: false, instructions: [] });
    expect(failedRules(none)).toEqual(['encoding']);
    expect(none?.rules.find(({ rule }) => rule === 'price_zero')).toEqual({
      rule: 'price_zero',
      passed: false,
      message: 'not checked: encoding has not passed',
      fix: 'Make encoding pass first.',
    });
    expect(good?.accepted).toBe(true);
  });

  it('everything that is wrong is reported at once, each with its fix', async () => {
    const wrong = { price: 0n, after: [systemTransfer(market.wallet.publicKey)], blockhash: randomAddress() };
    const bytes = await listing(app, market, await oneTicket(app, seller), owner, wrong);
    const [transaction] = await explained('list', [bytes]);
    expect(failedRules(transaction)).toEqual(['foreign_program', 'price_zero', 'blockhash_expired']);
    for (const name of failedRules(transaction) ?? []) {
      const { fix } = transaction?.rules.find(({ rule }) => rule === name) ?? {};
      expect(fix).toBe(RULES.find(({ rule }) => rule === name)?.fix);
    }
    expect(transaction?.instructions[1]).toMatchObject({ program_name: 'System', name: 'Transfer' });
  });

  it('the state of the ticket: another fan’s, listed already, not listed, a marketplace that cannot sign', async () => {
    const foreign = await oneTicket(app, buyer);
    const listed = await nextListed();
    const held = await oneTicket(app, seller);
    const list = (ticket: TestTicket, choice = {}) => listing(app, market, ticket, owner, choice);
    const [one, two, three] = await explained('list', [
      await list(foreign),
      await list(listed),
      await list(held, { marketplace: app.chain.programId }),
    ]);
    expect(failedRules(one)).toEqual(['ticket_not_found']);
    // neither its owner nor its state leaks
    expect(one?.rules.find(({ rule }) => rule === 'already_listed')?.message).toBe(
      'not checked: ticket_not_found has not passed',
    );
    expect(JSON.stringify(one)).not.toContain(buyer.wallet_address);
    expect(failedRules(two)).toEqual(['already_listed']);
    expect(failedRules(three)).toEqual(['marketplace_cannot_sign']);
    const [four] = await explained('cancel', [await cancellation(app, market, held, owner)]);
    expect(failedRules(four)).toEqual(['not_listed']);
    const [five] = await explained('cancel', [await cancellation(app, market, listed, owner)]);
    expect(five?.accepted).toBe(true);
  });

  it('a ticket that is not granted is a rule that fails, not an error', async () => {
    const [granted, other] = [await oneTicket(app, seller), await oneTicket(app, seller)];
    const { access_token: token } = await signIn(app, {
      scope: 'openid fan:tickets:read fan:listings:write',
      mode: 'selected',
      ticketIds: [granted.id],
    });
    const transactions = await Promise.all(
      [granted, other].map(async (ticket) => textOf(await listing(app, market, ticket, owner))),
    );
    const answer = await send('/authorizations', token, { type: 'list', transactions });
    const [first, second] = ExplainResponse.parse(answer.body).transactions;
    expect(first?.accepted).toBe(true);
    expect(failedRules(second)).toEqual(['ticket_not_found']);
  });

  it('a ticket that may not be resold: until when it could be, or that its type is excluded', async () => {
    const ends = new Date(Date.now() + 86_400_000);
    const [over, excluded] = [
      await oneTicket(app, seller, { endsAt: ends }),
      await oneTicket(app, seller, { endsAt: ends }),
    ];
    const ofTicket = 'select ticket_type_id from ticket where id = $1';
    const byId = ({ id }: TestTicket) => [uuidOf('tkt', id as Id<'tkt'>)];
    await rows(app, `update ticket_type set resale = false where id = (${ofTicket})`, byId(excluded));
    await rows(
      app,
      `update event set resale_until = '2026-01-02 10:00Z' where id = (select event_id from ticket_type where id = (${ofTicket}))`,
      byId(over),
    );
    const texts = [await listing(app, market, over, owner), await listing(app, market, excluded, owner)];
    const transactions = await explained('list', texts);
    expect(transactions.map(failedRules)).toEqual([['not_for_resale'], ['not_for_resale']]);
    const says = transactions.map(({ rules }) => rules.find(({ rule }) => rule === 'not_for_resale')?.message);
    expect(says).toEqual([
      expect.stringContaining('only until 2026-01-02T10:00:00'),
      expect.stringContaining('no ticket of its type may'),
    ]);
  });

  it('stopped signing is a rule that fails', async () => {
    const bytes = await listing(app, market, await oneTicket(app, seller), owner);
    const stop = { kind: 'co_signing' } as const;
    await setKillSwitch(app.context(), stop, 'A test', 'staff:ann');
    try {
      const [transaction] = await explained('list', [bytes]);
      expect(failedRules(transaction)).toEqual(['signing_stopped']);
    } finally {
      await liftKillSwitch(app.context(), stop, 'A test', 'staff:ann');
    }
  });
});

describe('a slot of ours that is filled', () => {
  it('by a valid signature that is not ours fails signature_conflict, as the real call does', async () => {
    const filled = await listing(app, market, await oneTicket(app, seller), owner);
    const at = await signForWallet(app, owner, filled);
    const [transaction] = await explained('list', [filled]);
    expect(failedRules(transaction)).toEqual(['signature_conflict']);
    expect(transaction?.rules.find(({ rule }) => rule === 'signature_conflict')).toMatchObject({
      message: expect.stringMatching(new RegExp(`\\(signature ${at}\\)$`)),
      fix: 'Leave the slot of our signature empty.',
    });
    const refused = await authorizeListing(app, seller, 'list', [filled]);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.headers.get('x-error-code')).toBe('signature_conflict');
  });

  it('by our own, of an answer that is sent once more, is accepted as there', async () => {
    const bytes = await listing(app, market, await oneTicket(app, seller), owner);
    const signed = signedBytes(await authorizeListing(app, seller, 'list', [bytes]));
    const [transaction] = await explained('list', [signed]);
    expect(transaction?.accepted).toBe(true);
    expect(await authorizeListing(app, seller, 'list', [signed])).toMatchObject({ status: 200 });
  });
});

describe('D-279: POST /claims/execute with Prefer: explain', () => {
  const SALE = { name: 'transfer_permit_v1', arguments: { listing: '1', price: '1000000000' } };

  it('an older listing, a wrong price and a listing that is gone: each by its rule, for the linter too', async () => {
    const ticket = await nextListed();
    for (const [terms, rule, detail] of [
      [{ listing: 0n, price: 1_000_000_000n }, 'listing_gone', ''],
      [{ listing: 1n, price: 5n }, 'wrong_terms', ' (price 5, not 1000000000)'],
    ] as const) {
      const bytes = await transfer(app, market, ticket, buyer.wallet_address, { terms });
      const [transaction] = await explained('claim', [bytes]);
      expect(failedRules(transaction)).toEqual([rule]);
      const { message } = RULES.find((known) => known.rule === rule) ?? {};
      expect(transaction?.rules.find((verdict) => verdict.rule === rule)?.message).toBe(`${message}${detail}`);
      if (rule === 'listing_gone') {
        const unchecked = transaction?.rules.find((verdict) => verdict.rule === 'wrong_terms');
        expect(unchecked?.message).toBe('not checked: listing_gone has not passed');
      }
      expect((await lintBytes('claim', bytes, buyer.wallet_address))[0]?.failed).toEqual([rule]);
    }
  });

  it('a transfer that the cluster refuses, or has refused, fails chain_refused with its reason, as the real call does', async () => {
    const [ticket, other] = [await nextListed(), await nextListed()];
    const before = [computeLimit(1)];
    const simulated = await transfer(app, market, ticket, buyer.wallet_address, { before });
    const [first] = await explained('claim', [simulated]);
    expect(failedRules(first)).toEqual(['chain_refused']);
    expect(first?.rules.find(({ rule }) => rule === 'chain_refused')?.message).toMatch(/\(.+\)$/);
    const landed = await transfer(app, market, other, buyer.wallet_address, { before });
    await app.connection.sendRawTransaction(landed, { skipPreflight: true });
    expect(failedRules((await explained('claim', [landed]))[0])).toEqual(['chain_refused']);
    const refused = await claim(app, buyer, [landed]);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.headers.get('x-error-code')).toBe('chain_refused');
    const [linted] = await lintBytes('claim', simulated, buyer.wallet_address);
    expect(linted?.failed).toEqual(['chain_refused']);
  });

  it('a transfer that would be claimed is accepted, and is not submitted', async () => {
    const ticket = await nextListed();
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    const [before] = await explained('claim', [bytes]);
    expect(before).toMatchObject({ accepted: true, instructions: [SALE] });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    // the same transfer again gives the same answer, and so does its explanation
    const [after] = await explained('claim', [bytes]);
    expect(after?.accepted).toBe(true);
    const again = await transfer(app, market, ticket, buyer.wallet_address, { before: [] });
    if (!again.equals(bytes)) expect(failedRules((await explained('claim', [again]))[0])).toEqual(['listing_gone']);
  });

  it('what is no hex, is not signed, goes elsewhere or is of an unknown ticket: each by its rule', async () => {
    const ticket = await nextListed();
    const good = await transfer(app, market, ticket, buyer.wallet_address);
    const unsigned = Buffer.from(good).fill(0, 1, 65);
    const elsewhere = await transfer(app, market, ticket, randomAddress());
    const unknown = await transfer(app, market, { permit: randomAddress() }, buyer.wallet_address);
    const unlisted = await transfer(app, market, await oneTicket(app, seller), buyer.wallet_address);
    const transactions = await explained('claim', [good.toString('base64'), 'zz', elsewhere, unknown, unlisted]);
    expect(transactions.map(failedRules)).toEqual([
      ['encoding'],
      ['encoding'],
      ['wrong_account', 'repeated_permit'],
      ['ticket_not_found'],
      ['listing_gone'],
    ]);
    expect(transactions[0]?.instructions).toHaveLength(1);
    expect(failedRules((await explained('claim', [unsigned]))[0])).toEqual(['signature_missing']);
  });

  it('another claim that is under way is a rule that fails', async () => {
    const ticket = await nextListed();
    const other = await transfer(app, market, ticket, buyer.wallet_address, { before: [computeLimit(9_000)] });
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    await rows(
      app,
      `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
         recent_blockhash, judged_slot, state, created_at, updated_at)
       select gen_random_uuid(), $1, g.id, p.id, $3, $4, '00', 'x', 0, 'pending', now(), now()
       from consent_grant g, permit p where p.tix_permit_id = $2 limit 1`,
      [signatureOf(other), ticket.permit, market.address, buyer.wallet_address],
    );
    const free = await transfer(app, market, await nextListed(), buyer.wallet_address);
    const both = await explained('claim', [free, bytes]);
    expect(both.map((each) => failedRules(each))).toEqual([[], ['claim_under_way']]);
    const refusal = await postFan(app, '/claims/execute', (await buyer.tokens()).access_token, {
      tickets: [free, bytes].map((each) => ({ tx: each.toString('hex') })),
    });
    expect([refusal.status, refusal.body.message]).toEqual([404, expect.stringContaining('tickets[1]')]);
    await rows(app, 'delete from claim where signature = $1', [signatureOf(other)]);
  });
});

describe('D-279: who may have requests explained', () => {
  const body = { type: 'list', transactions: ['ab'] };

  it('the same as may send them: 401 without a token, 403 without the scope, 400 for a body of another form', async () => {
    expect(await send('/authorizations', undefined, body)).toMatchObject({ status: 401 });
    const { access_token: token } = await signIn(app, { scope: 'openid fan:tickets:read' });
    expect(await send('/authorizations', token, body)).toMatchObject({ status: 403 });
    expect(await send('/claims/execute', token, { tickets: [{ tx: 'ab' }] })).toMatchObject({ status: 403 });
    const own = (await seller.tokens()).access_token;
    expect(await send('/authorizations', own, { type: 'list', transactions: [] })).toMatchObject({ status: 400 });
    expect(await send('/authorizations', own, { type: 'list', transactions: [1] })).toMatchObject({ status: 400 });
    const eleven = { tickets: Array.from({ length: 11 }, () => ({ tx: 'ab' })) };
    expect(await send('/claims/execute', own, eleven)).toMatchObject({ status: 400 });
  });

  it.each([
    ['explain', true],
    ['Explain', true],
    ['respond-async, explain; wait=3', true],
    ['explain=""', true],
    ['explain=yes', false],
    ['explained', false],
    ['return=minimal', false],
    ['foo; explain', false],
    ['explain=no, explain', false],
  ])('RFC 7240 §2: Prefer: %s is applied: %s', async (prefer, isApplied) => {
    const answer = await send('/authorizations', (await seller.tokens()).access_token, body, prefer);
    expect(answer.status).toBe(isApplied ? 200 : 400);
    expect(answer.headers.get('preference-applied')).toBe(isApplied ? 'explain' : null);
  });

  it('the request log calls it by a name of its own, so that nobody takes it for a signature', async () => {
    const token = (await seller.tokens()).access_token;
    const answer = await send('/authorizations', token, body);
    const id = answer.headers.get('x-request-id');
    await app.runtime.activity.flush();
    const logged = await rows<{ operation: string }>(app, 'select operation from request_log where id = $1', [id]);
    expect(logged).toEqual([{ operation: 'listings.explain' }]);
  });

  it('in production the preference is ignored: a claim is executed, and a listing is signed', async () => {
    const token = (await buyer.tokens()).access_token;
    const sold = await nextListed();
    const held = await oneTicket(app, seller);
    const bytes = await transfer(app, market, sold, buyer.wallet_address);
    const offer = await listing(app, market, held, owner);
    const own = (await seller.tokens()).access_token;
    app.runtime.chains = { ...app.runtime.chains, production: app.chain };
    await rows(app, `update client set mode = 'production' where id in (select client_id from consent_grant)`);
    await rows(app, `update event set mode = 'production'`);
    try {
      const done = await send('/claims/execute', token, { tickets: [{ tx: textOf(bytes) }] });
      expect({ status: done.status, body: done.body }).toMatchObject({
        status: 200,
        body: { tickets: [{ tix_permit_id: sold.permit, transfer_id: signatureOf(bytes) }] },
      });
      expect(await onChain(app, sold)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
      const signed = await send('/authorizations', own, { type: 'list', transactions: [textOf(offer)] });
      expect(signed).toMatchObject({ status: 200, body: { transactions: [expect.any(String)] } });
      const answers = [done, signed].map(({ headers }) => headers);
      for (const headers of answers) expect(headers.get('preference-applied')).toBeNull();
      await app.runtime.activity.flush();
      const sql = 'select operation from request_log where id = any($1) order by operation';
      const logged = await rows<{ operation: string }>(app, sql, [answers.map((each) => each.get('x-request-id'))]);
      expect(logged.map(({ operation }) => operation)).toEqual(['claims.execute', 'listings.sign']);
    } finally {
      await rows(app, `update event set mode = 'sandbox'`);
      await rows(app, `update client set mode = 'sandbox' where mode = 'production'`);
    }
  });
});

/** As a partner who has a node. */
async function lintBytes(action: PolicyAction, bytes: Buffer, wallet?: string) {
  const options = { programId: app.chain.programId, rpcUrl: app.network.url, ...(wallet !== undefined && { wallet }) };
  return (await lint([bytes.toString('hex')], { action, ...options })).map((verdict) => {
    const rulesOf = (wanted: string) =>
      verdict.rules.filter(({ outcome }) => outcome === wanted).map(({ rule }) => rule as string);
    return {
      accepted: verdict.accepted,
      failed: rulesOf('failed'),
      passed: rulesOf('passed'),
      left: rulesOf('unchecked'),
    };
  });
}

it('the linter with a node reads authority, permit, marketplace and blockhash, and leaves to the service what only it knows', async () => {
  const ticket = await oneTicket(app, seller);
  const bytes = await listing(app, market, ticket, owner);
  const [good] = await lintBytes('list', bytes, owner);
  expect(good?.accepted).toBe(true);
  expect(good?.left).toEqual([
    'our_key_as_program',
    'our_key_pays',
    'our_key_misplaced',
    'signing_stopped',
    'ticket_not_found',
    'service_key',
    'marketplace_cannot_sign',
    'foreign_marketplace',
    'not_for_resale',
    'signature_conflict',
  ]);
  const failedOf = async (action: PolicyAction, sent: Buffer) => (await lintBytes(action, sent))[0]?.failed;
  const choice = { marketplace: app.chain.programId, blockhash: randomAddress() };
  const bad = await listing(app, market, ticket, owner, choice);
  expect(await failedOf('list', bad)).toEqual(['marketplace_cannot_sign', 'blockhash_expired']);
  expect(await failedOf('cancel', await cancellation(app, market, ticket, owner))).toEqual(['not_listed']);
  const sale = await nextListed();
  expect(await failedOf('list', await listing(app, market, sale, owner))).toEqual(['already_listed']);
  const claimed = await transfer(app, market, sale, buyer.wallet_address);
  const [ready] = await lintBytes('claim', claimed, buyer.wallet_address);
  expect(ready?.failed).toEqual([]);
  expect(ready?.passed).toContain('chain_refused');
  const unlisted = await transfer(app, market, ticket, buyer.wallet_address);
  expect(await failedOf('claim', unlisted)).toEqual(['listing_gone']);
});

it('the linter says of a permit that is not on the cluster when it is put there', async () => {
  const permit = randomAddress();
  const bytes = await listing(app, market, { permit }, owner);
  const options = { action: 'list', programId: app.chain.programId, rpcUrl: app.network.url } as const;
  const [verdict] = await lint([bytes.toString('hex')], options);
  expect(verdict?.rules.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
    {
      rule: 'ticket_not_found',
      message: expect.stringContaining(`${permit} is not onchain; a ticket is put there once an app may list it`),
    },
  ]);
});
