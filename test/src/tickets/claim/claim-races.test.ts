import { describe, expect } from 'vitest';
import { until } from '../../../../packages/localnet/test/test-network.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { anotherUser, rows, type TestTicket, type User } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { passAfter } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { claim, onChain, signatureOf, transfer } from '../../../support/ticket-transactions.ts';
import { whileWaiting } from '../../../support/while-waiting.ts';

/** Chain §4: claims that meet. Two processes over one database and one network. */
const { app, market, buyer, it, nextListed, holder } = await chainStage();
const another = await testChainApp({ beside: app });

async function take(count: number): Promise<TestTicket[]> {
  const taken: TestTicket[] = [];
  while (taken.length < count) taken.push(await nextListed());
  return taken;
}

async function claimsOf(ticket: TestTicket) {
  return rows<{ signature: string; state: string }>(
    app,
    'select cl.signature, cl.state from claim cl join permit p on p.id = cl.permit_id where p.tix_permit_id = $1',
    [ticket.permit],
  );
}

/** Transfers of a permit with different bytes: the fee payers differ. */
async function twoTransfers(ticket: TestTicket, first: User, second: User): Promise<[Buffer, Buffer]> {
  const payer = await app.network.funded();
  return [
    await transfer(app, market, ticket, first.wallet_address),
    await transfer(app, market, ticket, second.wallet_address, { payer, signers: [payer, market.wallet] }),
  ];
}

describe('chain §4: concurrent claims', () => {
  it('the same request at once, to two processes: all get the same answer, and each transaction has one row', async () => {
    const [one, two] = [await nextListed(), await nextListed()];
    const request = await Promise.all([one, two].map((ticket) => transfer(app, market, ticket, buyer.wallet_address)));
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => claim(n % 2 ? another : app, buyer, request)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    for (const ticket of [one, two]) expect(await claimsOf(ticket)).toMatchObject([{ state: 'confirmed' }]);
    const audited = await rows(
      app,
      `select 1 from audit_entry where action = 'claim.confirmed' and subject = any($1)`,
      [request.map(signatureOf)],
    );
    expect(audited).toHaveLength(2);
  });

  it('two fans claim one permit at once: the ticket goes to the one whose claim was answered as confirmed', async () => {
    const third = await anotherUser(app);
    for (const ticket of await take(4)) {
      const [first, second] = await twoTransfers(ticket, buyer, third);
      const [one, two] = await Promise.all([claim(app, buyer, [first]), claim(another, third, [second])]);
      const winner = await expectOneWinner(ticket, [one.status, first], [two.status, second]);
      const expected = winner === first ? buyer : third;
      expect(await onChain(app, ticket)).toMatchObject({ owner: expected.wallet_address });
      expect(await holder(ticket)).toBe(expected.wallet_address);
    }
  });

  async function expectOneWinner(ticket: TestTicket, ...answers: [number, Buffer][]): Promise<Buffer> {
    const winners = answers.filter(([status]) => status === 200);
    const losers = answers.filter(([status]) => status !== 200);
    expect(winners).toHaveLength(1);
    for (const [status] of losers) expect([400, 404]).toContain(status);
    const confirmed = (await claimsOf(ticket)).filter(({ state }) => state === 'confirmed');
    const winner = winners[0]?.[1] ?? Buffer.alloc(0);
    expect(confirmed.map(({ signature }) => signature)).toEqual([signatureOf(winner)]);
    return winner;
  }

  it('a claim of a permit whose claim is still open: 404, and none of its set is written', async () => {
    const [ticket, beside] = [await nextListed(), await nextListed()];
    const [first, second] = await twoTransfers(ticket, buyer, buyer);
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
    app.proxy.setRule(passAfter('sendTransaction', () => held));
    const under = claim(app, buyer, [first]);
    await until(() => app.proxy.count('sendTransaction') > 0);
    const set = [await transfer(app, market, beside, buyer.wallet_address), second];
    const refused = await claim(app, buyer, set);
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 404,
      body: { message: expect.stringContaining('another claim of these tickets is under way') },
    });
    expect(await claimsOf(beside)).toEqual([]);
    goOn();
    expect((await under).status).toBe(200);
  });

  it('access that ends while a claim waits for its ticket: the claim is not begun', async () => {
    const ticket = await nextListed();
    const user = await anotherUser(app);
    const { grant_id } = await user.tokens();
    const request = [await transfer(app, market, ticket, user.wallet_address)];
    const end = () => revokeGrant(app.context(), { grantId: grant_id, reason: 'revoked_by_fan', actor: 'fan:test' });
    const refused = await whileWaiting(app, ticket, () => claim(app, user, request), end);
    expect({ status: refused.status, code: refused.headers.get('x-error-code') }).toEqual({
      status: 401,
      code: 'grant_revoked',
    });
    expect(await claimsOf(ticket)).toEqual([]);
  });

  it('requests that land together are written in one transaction, each with its own audit entries; a held permit is waited for alone', async () => {
    const taken = await take(4);
    const [held] = taken;
    if (!held) throw new Error('no tickets');
    const { promise: landing, resolve: goOn } = Promise.withResolvers<void>();
    app.proxy.setRule(passAfter('sendTransaction', () => landing));
    const transfers = await Promise.all(taken.map((ticket) => transfer(app, market, ticket, buyer.wallet_address)));
    const [waits, ...others] = transfers.map((bytes) => claim(app, buyer, [bytes]));
    await until(() => app.proxy.count('sendTransaction') === taken.length);
    const client = await app.runtime.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from permit where tix_permit_id = $1 for update', [held.permit]);
      goOn();
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await claimsOf(held)).toMatchObject([{ state: 'submitted' }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await waits)?.status).toBe(200);
    const [written] = await rows<{ transactions: number }>(
      app,
      'select count(distinct xmin::text)::int as transactions from claim where signature = any($1)',
      [transfers.slice(1).map(signatureOf)],
    );
    expect(written?.transactions).toBeLessThan(others.length);
    const audited = await rows<{ actions: string[] }>(
      app,
      `select array_agg(action order by action) as actions from audit_entry
       where action in ('ticket.moved', 'claim.confirmed') and subject = any($1) group by request_id`,
      [[...taken.map(({ permit }) => permit), ...transfers.map(signatureOf)]],
    );
    expect(audited).toEqual(taken.map(() => ({ actions: ['claim.confirmed', 'ticket.moved'] })));
  });

  it('sets that overlap in opposite orders at once do not deadlock', async () => {
    // slow rows give the statements time to meet
    await rows(
      app,
      `create function slow_row() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.05); return new; end $$`,
    );
    await rows(app, 'create trigger slow_row before insert on claim for each row execute function slow_row()');
    for (let round = 0; round < 2; round++) {
      const set = await take(5);
      const forth = await Promise.all(set.map((ticket) => transfer(app, market, ticket, buyer.wallet_address)));
      const payer = await app.network.funded();
      const back = await Promise.all(
        set.map((ticket) =>
          transfer(app, market, ticket, buyer.wallet_address, { payer, signers: [payer, market.wallet] }),
        ),
      );
      const answers = await Promise.all([
        claim(app, buyer, forth),
        claim(another, buyer, back.toReversed()),
        claim(app, buyer, forth.toReversed()),
        claim(another, buyer, back),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(2);
      expect(statuses.every((status) => status === 200 || status === 400 || status === 404)).toBe(true);
    }
  });
});
