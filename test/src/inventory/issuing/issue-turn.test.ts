import { PublicKey, SystemProgram } from '@solana/web3.js';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../../packages/localnet/test/test-network.ts';
import { ISSUE } from '../../../../src/chain/instruction/permit-batches.ts';
import { runOwnTransaction } from '../../../../src/chain/wallet/own-transaction.ts';
import { issueRun } from '../../../../src/inventory/issuing/issue-run.ts';
import { issueTurn, putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { LEASE_SECONDS } from '../../../../src/inventory/issuing/waiting-permits.ts';
import { type ChainApp, moreTickets, rows, type TestTicket } from '../../../support/chain-app.ts';
import { expectMeasured } from '../../../support/expect-measured.ts';
import { only, refuseWith } from '../../../support/rpc-proxy.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { onChain } from '../../../support/ticket-transactions.ts';

/** Permits issued in batches. */
const app = await testChainApp();
const second = await testChainApp({ beside: app });
const { rate, dailyBudget, inFlight } = app.config.issuing;
afterEach(async () => {
  // tests move the clock
  await rows(app, "update issue_transaction set created_at = 'epoch'");
  app.proxy.reset();
  app.resetClock();
  Object.assign(app.config.issuing, { rate, dailyBudget, inFlight });
});

const put = (by: ChainApp = app) => putOnchain(by.context(), 'sandbox');
const turn = () => issueTurn(issueRun(app.context(), 'sandbox'));
const make = (count: number) => moreTickets(app, app.users[0], { count, issue: false });

const NOTHING_LANDS = only(
  ({ result }) => ({
    result: { context: { slot: 0 }, value: (result as { value: unknown[] }).value.map(() => null) },
  }),
  'getSignatureStatuses',
);

/** The transactions written down since `since`, oldest first. */
function issuesSince(since: Date) {
  return rows<{ signature: string; state: string; permits: number }>(
    app,
    `select signature, state, permits from issue_transaction
     where created_at >= $1 and mode = 'sandbox' order by created_at, signature`,
    [since],
  );
}

/** The queue's row of each ticket, in order; undefined where it has left. */
async function queued(tickets: readonly TestTicket[]) {
  const found = await rows<{ permit: string; tries: number; reason: string | null; retry_at: Date }>(
    app,
    `select p.tix_permit_id as permit, w.tries, w.reason, w.signature, w.retry_at::text
     from waiting_permit w join permit p on p.id = w.permit_id where p.tix_permit_id = any($1)`,
    [tickets.map(({ permit }) => permit)],
  );
  return tickets.map(({ permit }) => found.find((row) => row.permit === permit));
}

/** When each ticket's permit counts as issued, in order. */
async function issued(tickets: readonly TestTicket[]): Promise<boolean[]> {
  const found = await rows<{ permit: string; issued: boolean }>(
    app,
    'select tix_permit_id as permit, issued_at is not null as issued from permit where tix_permit_id = any($1)',
    [tickets.map(({ permit }) => permit)],
  );
  return tickets.map(({ permit }) => found.find((row) => row.permit === permit)?.issued ?? false);
}

/** Each permit is there, once, and nothing is left to do for it. */
async function expectOnce(tickets: readonly TestTicket[]): Promise<void> {
  expect(await issued(tickets)).toEqual(tickets.map(() => true));
  expect(await queued(tickets)).toEqual(tickets.map(() => undefined));
  for (const ticket of tickets) {
    expect(await onChain(app, ticket)).toMatchObject({ owner: app.users[0].wallet_address, state: 'held' });
    const writes = await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit));
    expect(writes.filter(({ err }) => err === null)).toHaveLength(1);
  }
}

describe('batches', () => {
  it('a transaction has as many permits as fit, and asks for the compute units that they take and a fifth more', async () => {
    const since = new Date();
    const tickets = await make(2 * ISSUE.most + 1);
    await put();
    await expectOnce(tickets);
    const issues = await issuesSince(since);
    expect(issues.map(({ permits }) => permits).sort()).toEqual([1, ISSUE.most, ISSUE.most]);
    for (const { signature, permits } of issues) {
      const transaction = await app.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
      const size = 1 + 2 * 64 + (transaction?.transaction.message.serialize().length ?? 0);
      expect(size).toBeLessThanOrEqual(1_232);
      if (permits === ISSUE.most) expect(size + 113).toBeGreaterThan(1_232);
      await expectMeasured(app, signature);
    }
  });

  it('the compute units last for addresses that somebody sent lamports to', async () => {
    const tickets = await make(ISSUE.most);
    for (const { permit } of tickets) await app.connection.requestAirdrop(new PublicKey(permit), 1_000_000);
    const since = new Date();
    await put();
    expect(await issued(tickets)).toEqual(tickets.map(() => true));
    const issues = await issuesSince(since);
    const landed = issues.filter(({ state }) => state === 'final');
    expect(landed.reduce((permits, issue) => permits + issue.permits, 0)).toBe(ISSUE.most);
    for (const { signature } of landed) await expectMeasured(app, signature);
  });

  it('what it cost is what the payer has less, and stands in the day', async () => {
    const total =
      'select coalesce(sum(fees + rent), 0)::text as cost, coalesce(sum(permits), 0)::int as permits from issue_day';
    const [before] = await rows<{ cost: string; permits: number }>(app, total);
    const payer = new PublicKey(app.chain.payer);
    const held = await app.connection.getBalance(payer);
    const tickets = await make(10);
    await put();
    await expectOnce(tickets);
    const spent = held - (await app.connection.getBalance(payer));
    const [after] = await rows<{ cost: string; permits: number }>(app, total);
    expect(Number(after?.cost) - Number(before?.cost)).toBe(spent);
    expect((after?.permits ?? 0) - (before?.permits ?? 0)).toBe(10);
  });

  it('two processes at once issue each permit once, in transactions of their own', async () => {
    const tickets = await make(60);
    const since = new Date();
    await Promise.all([put(), put(second), put(), put(second)]);
    await put();
    await expectOnce(tickets);
    const issues = await issuesSince(since);
    expect(issues.every(({ state }) => state === 'final')).toBe(true);
    expect(issues.reduce((sum, { permits }) => sum + permits, 0)).toBe(60);
  });

  it('a process that ends after writing it down and before sending it: another one sends the same transaction', async () => {
    const tickets = await make(3);
    const since = new Date();
    app.proxy.setRule(only('away', 'sendTransaction'));
    await turn();
    expect(await issuesSince(since)).toMatchObject([{ state: 'open', permits: 3 }]);
    app.proxy.reset();
    second.advance(15);
    await put(second);
    second.resetClock();
    await expectOnce(tickets);
    expect(await issuesSince(since)).toMatchObject([{ state: 'final', permits: 3 }]);
  });

  it('a process that ends after sending it: another one finds it, and sends nothing', async () => {
    const tickets = await make(3);
    const since = new Date();
    await turn();
    expect(await issuesSince(since)).toMatchObject([{ state: 'open' }]);
    app.proxy.reset();
    await put(second);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectOnce(tickets);
  });

  it('a process that ends with permits in its hands: others take them once its time is over', async () => {
    const tickets = await make(2);
    await rows(
      app,
      `update waiting_permit set retry_at = $2 where permit_id in (select id from permit where tix_permit_id = any($1))`,
      [tickets.map(({ permit }) => permit), new Date(Date.now() + 30_000)],
    );
    await put(second);
    expect(await issued(tickets)).toEqual([false, false]);
    second.advance(31);
    await put(second);
    second.resetClock();
    await expectOnce(tickets);
  });

  it('of a refused transaction halves are tried: the bad permit waits alone with its reason, the others are issued', async () => {
    const tickets = await make(ISSUE.most);
    const [, , bad] = tickets;
    if (!bad) throw new Error('no tickets');
    app.proxy.setRule(refuseWith(new PublicKey(bad.permit).toBytes()));
    const since = new Date();
    await put();
    const good = tickets.filter((ticket) => ticket !== bad);
    await expectOnce(good);
    const [row] = await queued([bad]);
    expect(row).toMatchObject({ tries: 1, reason: 'refused for a test', signature: null });
    expect(new Date(row?.retry_at ?? 0).getTime()).toBeGreaterThan(Date.now() + 2_000);
    const states = (await issuesSince(since)).map(({ state, permits }) => `${state} ${permits}`);
    const refused = states.filter((state) => state.startsWith('refused')).sort();
    expect(refused).toEqual(['refused 1', 'refused 2', 'refused 4', 'refused 7']);
    // a turn leaves it alone until its pause is over, and the pauses grow
    app.proxy.calls.length = 0;
    await turn();
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.advance(6);
    await turn();
    expect((await queued([bad]))[0]).toMatchObject({ tries: 2 });
    app.proxy.reset();
    app.advance(20);
    await put();
    await expectOnce([bad]);
  });

  it('a permit that fails onchain does not sink its batch either, and the fees of what failed count', async () => {
    const [bad, ...good] = await make(3);
    if (!bad) throw new Error('no tickets');
    await rows(
      app,
      `with fan as (insert into fan (id, mode, phone, created_at) values ($1, 'sandbox', '+12025550123', now())),
         wallet as (insert into wallet (address, fan_id, sealed_key, sealed_with, created_at) values ($2, $1, 'none', 'none', now()))
       update ticket set owner_id = $1 where id = (select ticket_id from permit where tix_permit_id = $3)`,
      [crypto.randomUUID(), SystemProgram.programId.toBase58(), bad.permit],
    );
    app.proxy.setRule(({ method, params: [bytes, options] }) =>
      method === 'sendTransaction'
        ? { call: { method, params: [bytes, { ...(options as object), skipPreflight: true }] } }
        : 'pass',
    );
    const paid = async () => Number((await rows<{ sum: string }>(app, 'select sum(fees) from issue_day'))[0]?.sum);
    const [since, before] = [new Date(), await paid()];
    await put();
    await expectOnce(good);
    expect((await queued([bad]))[0]).toMatchObject({ tries: 1, reason: expect.stringContaining('BadDestination') });
    const issues = await issuesSince(since);
    const outcomes = issues.map(({ state, permits }) => `${state} ${permits}`);
    expect(outcomes).toEqual(expect.arrayContaining(['failed 1', 'failed 3']));
    const read = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const sent = await Promise.all(issues.map(({ signature }) => app.connection.getTransaction(signature, read)));
    expect((await paid()) - before).toBe(sent.reduce((sum, transaction) => sum + (transaction?.meta?.fee ?? 0), 0));
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [bad.permit]);
    await put();
    expect(await queued([bad])).toEqual([undefined]);
  });

  it('a budget that is spent holds the rest until the next day (UTC)', async () => {
    await rows(app, 'delete from issue_day');
    app.config.issuing.dailyBudget = 4 * 1_969_680 + 25_000;
    const tickets = await make(10);
    await put();
    expect((await issued(tickets)).filter(Boolean)).toHaveLength(4);
    await put();
    expect((await issued(tickets)).filter(Boolean)).toHaveLength(4);
    app.advance(86_400);
    await put();
    expect((await issued(tickets)).filter(Boolean)).toHaveLength(8);
    app.advance(86_400);
    await put();
    await expectOnce(tickets);
  });

  it('what failed gives its budget back', async () => {
    await rows(app, 'delete from issue_day');
    app.config.issuing.dailyBudget = 3 * 1_969_680 + 45_000;
    const tickets = await make(3);
    app.proxy.setRule(only({ reply: { error: { code: -32002, message: 'refused' } } }, 'sendTransaction'));
    await put();
    expect(await issued(tickets)).toEqual([false, false, false]);
    expect(await rows(app, 'select (fees + rent)::int as cost, permits, transactions from issue_day')).toEqual([
      { cost: 0, permits: 0, transactions: 0 },
    ]);
    app.proxy.reset();
    await put();
    await expectOnce(tickets);
  });

  it('an empty payer sets nobody aside; funded, the permits are issued', async () => {
    const { payer } = app.chain;
    const balance = await app.connection.getBalance(new PublicKey(payer));
    const away = SystemProgram.transfer({
      fromPubkey: new PublicKey(payer),
      toPubkey: new PublicKey(app.users[0].wallet_address),
      lamports: balance - 2_000_000,
    });
    await runOwnTransaction(app.chain, app.runtime.signer, [away], []);
    const tickets = await make(5);
    await put();
    expect(await issued(tickets)).toEqual(tickets.map(() => false));
    expect((await queued(tickets)).map((row) => [row?.tries, row?.reason])).toEqual(tickets.map(() => [0, null]));
    await app.connection.requestAirdrop(new PublicKey(payer), 10_000_000_000);
    await put();
    await expectOnce(tickets);
  });

  it('no more go out than the rate, and no more are in flight than the bound', async () => {
    Object.assign(app.config.issuing, { rate: 1, inFlight: 2 });
    await rows(app, "update issue_pace set tokens = 7, at = now() where mode = 'sandbox'");
    const tickets = await make(30);
    const since = new Date();
    await turn();
    expect((await issuesSince(since)).reduce((sum, { permits }) => sum + permits, 0)).toBeLessThanOrEqual(8);
    Object.assign(app.config.issuing, { rate: 1_000 });
    // nothing is ever seen to land
    app.proxy.setRule(NOTHING_LANDS);
    for (let turns = 0; turns < 5; turns++) await turn().catch(() => undefined);
    expect((await issuesSince(since)).filter(({ state }) => state === 'open').length).toBeLessThanOrEqual(2);
    app.proxy.reset();
    await put();
    await expectOnce(tickets);
  });

  it('a transaction in flight for longer than a process holds its permits does not hold up the next ones', async () => {
    const first = await make(3);
    const since = new Date();
    app.proxy.setRule((call) =>
      call.method === 'sendTransaction' ? { reply: { result: 'lost' } } : NOTHING_LANDS(call),
    );
    await turn().catch(() => undefined);
    app.advance(LEASE_SECONDS + 1);
    const next = await make(3);
    await turn().catch(() => undefined);
    expect((await issuesSince(since)).map(({ state, permits }) => [state, permits])).toEqual([
      ['open', 3],
      ['open', 3],
    ]);
    app.proxy.reset();
    await put();
    await expectOnce([...first, ...next]);
  });

  it('no more are in flight than the bound where several processes find room at once', async () => {
    app.config.issuing.inFlight = 1;
    const tickets = await make(30);
    const since = new Date();
    app.proxy.setRule(NOTHING_LANDS);
    await Promise.allSettled([1, 2, 3, 4].map(turn));
    expect((await issuesSince(since)).filter(({ state }) => state === 'open')).toHaveLength(1);
    app.proxy.reset();
    await put();
    await expectOnce(tickets);
  });
});

/** A blockhash is good for 150 slots. */
const blockhashesExpire = () => rpc(app.network.url, 'passSlots', [151]);
const sentBy = () =>
  new Set(app.proxy.calls.filter(({ method }) => method === 'sendTransaction').map(({ params }) => String(params[0])));

/** The node says that it took a transaction, and forgets it. */
function swallow(): void {
  app.proxy.reset();
  app.proxy.setRule(({ method }) => (method === 'sendTransaction' ? { reply: { result: 'taken' } } : 'pass'));
}

/** Takes turns until the transactions have these states. */
function expectStates(since: Date, states: string[]): Promise<void> {
  const afterATurn = async () => {
    await turn();
    return (await issuesSince(since)).map(({ state }) => state);
  };
  return expect.poll(afterATurn, { timeout: 20_000, interval: 20 }).toEqual(states);
}

describe('a transaction that timed out is never issued twice: it', () => {
  it('is sent again as it is while its blockhash is good; a new one is made once that is over, at finalized', async () => {
    const tickets = await make(3);
    const since = new Date();
    swallow();
    await turn();
    const [first] = await issuesSince(since);
    app.advance(3);
    await turn();
    expect(app.proxy.count('sendTransaction')).toBe(2);
    expect(sentBy().size).toBe(1);
    await blockhashesExpire();
    await expectStates(since, ['dropped', 'open']);
    app.proxy.reset();
    app.advance(3);
    await put();
    const issues = await issuesSince(since);
    expect(issues[0]).toMatchObject({ signature: first?.signature, state: 'dropped' });
    expect(issues.at(-1)).toMatchObject({
      signature: expect.not.stringMatching(`^${first?.signature}$`),
      state: 'final',
    });
    for (const { permit } of tickets) {
      expect(await app.connection.getSignaturesForAddress(new PublicKey(permit))).toHaveLength(1);
    }
  });

  it('what landed is not made again, though the node says for long that it does not know it', async () => {
    const tickets = await make(3);
    const since = new Date();
    app.proxy.reset();
    const unknown = (reply: { result?: unknown }) => {
      const { context, value } = reply.result as { context: object; value: unknown[] };
      return { result: { context, value: value.map(() => null) } };
    };
    app.proxy.setRule(({ method }) => (method === 'getSignatureStatuses' ? unknown : 'pass'));
    await turn();
    await blockhashesExpire();
    await expectStates(since, ['final']);
    expect(await issued(tickets)).toEqual([true, true, true]);
    expect(await onChain(app, tickets[0] ?? { permit: '' })).toMatchObject({ state: 'held' });
    expect(sentBy().size).toBe(1);
  });

  it('a node that lags does not make it be sent anew', async () => {
    await make(1);
    const since = new Date();
    swallow();
    await turn();
    app.proxy.setRule(({ method }) => {
      if (method === 'sendTransaction') return { reply: { result: 'taken' } };
      if (method !== 'getSignatureStatuses') return 'pass';
      return ({ result }) => ({ result: { ...(result as object), context: { slot: 1 } } });
    });
    await blockhashesExpire();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(await issuesSince(since)).toMatchObject([{ state: 'open' }]);
    app.proxy.reset();
    await put();
  });
});
