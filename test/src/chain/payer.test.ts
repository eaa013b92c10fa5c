import { PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../packages/localnet/test/test-network.ts';
import { bookPayments } from '../../../src/chain/book-payments.ts';
import { readPayer } from '../../../src/chain/payer.ts';
import type { PaymentPurpose } from '../../../src/entities/payment.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { orderMove } from '../../../src/inventory/custody-move/order-move.ts';
import { issueRun } from '../../../src/inventory/issuing/issue-run.ts';
import { closeTurn, putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { readCosts } from '../../../src/inventory/issuing/read-costs.ts';
import { readBacklog, type Watched, watchIssuing } from '../../../src/inventory/issuing/watch-issuing.ts';
import { takeOwnOffSale } from '../../../src/inventory/take-off-sale.ts';
import { type Id, idOf, type Uuid } from '../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { moreTickets, rows, startChainApp } from '../../support/chain-app.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { fundedMarketplace, putOnSale } from '../../support/ticket-transactions.ts';
import { runChain } from './cluster/test-cluster.ts';

/** What permits cost, and for how many the payer lasts. */
const app = await testChainApp();
const usual = { ...app.config.issuing };
afterEach(() => {
  app.proxy.reset();
  app.resetClock();
  Object.assign(app.config.issuing, usual);
});

/** The node tells that the payer has so many lamports. */
function payerHas(lamports: number): void {
  app.proxy.setRule(({ method, params }) => {
    const [asked] = params as [string[]];
    if (method !== 'getMultipleAccounts' || asked[0] !== app.chain.payer) return 'pass';
    return ({ result }) => {
      const { context, value } = result as { context: object; value: object[] };
      return { result: { context, value: value.map((account) => ({ ...account, lamports })) } };
    };
  });
}

async function readyz(): Promise<Record<string, unknown>> {
  // what it remembers is older then
  app.advance(5);
  return (await fetch(`${app.origin}/readyz`)).json() as Promise<Record<string, unknown>>;
}

it('the payer lasts for as many permits as its lamports pay, with fees, less what an account must keep', async () => {
  payerHas(890_880 + 100 * 1_969_680 + 15 * 10_000);
  expect(await readPayer(app.config, app.chain)).toMatchObject({ permits: 100n, level: 'low' });
  payerHas(890_880 + 1_000_000);
  expect(await readPayer(app.config, app.chain)).toMatchObject({ permits: 0n, level: 'empty' });
  payerHas(500_000);
  expect(await readPayer(app.config, app.chain)).toMatchObject({ spendable: 0n, level: 'empty' });
});

it('a payer that is low is named as degraded with 200, and logged once per change', async () => {
  expect(await readyz()).toEqual({ status: 'ready' });
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const watched: Watched = { level: 'enough' };
  const look = () => watchIssuing({ ...app.context(), log }, 'sandbox', watched);
  await look();
  payerHas(890_880 + 12 * 1_985_000);
  expect(await readyz()).toEqual({ status: 'ready', degraded: ['payer (sandbox): low, lasts for 12 permits'] });
  await look();
  await look();
  payerHas(0);
  expect(await readyz()).toMatchObject({ degraded: ['payer (sandbox): empty, lasts for 0 permits'] });
  await look();
  app.proxy.reset();
  await look();
  await look();
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the payer is low: send SOL to it',
    'the payer is empty: no permits are issued',
    'the payer has enough again',
  ]);
});

it('permits that wait are reported, with the age of the oldest', async () => {
  app.config.issuing.rate = 1;
  await moreTickets(app, app.users[0], { count: 3, issue: false });
  app.advance(60);
  expect(await readBacklog(app.context(), 'sandbox')).toMatchObject({ waiting: 3, setAside: 0 });
  expect(await readyz()).toMatchObject({ waiting: { sandbox: { permits: 3, seconds: expect.any(Number) } } });
  const { waiting } = (await readyz()) as { waiting: { sandbox: { seconds: number } } };
  expect(waiting.sandbox.seconds).toBeGreaterThanOrEqual(59);
  app.config.issuing.rate = usual.rate;
  await putOnchain(app.context(), 'sandbox');
  expect(await readyz()).toEqual({ status: 'ready' });
});

it('the report of costs is the same in GraphQL and on the command line', async () => {
  await moreTickets(app, app.users[0], { count: 7 });
  const [today] = await readCosts(app.context(), 'sandbox', 1);
  expect(today).toMatchObject({ permits: expect.any(Number), lost: 0 });
  const { permits = 0, rent = 0n, perPermit = 0n, fees = 0n, transactions = 0 } = today ?? {};
  expect(rent).toBe(BigInt(permits) * 1_969_680n);
  expect(fees).toBe(BigInt(transactions) * 10_000n);
  expect(perPermit).toBeGreaterThan(1_969_680n);
  const report =
    '{ chains { mode payer { level } costs(days: 1) { permits rent perPermit closedPermits closingFees returned } } }';
  const data = await runAs(app, await newStaff(app, 'support'), report);
  const back = { closedPermits: 0, closingFees: '0', returned: '0' };
  const costs = { permits, rent: String(rent), perPermit: String(perPermit), ...back };
  expect(data).toMatchObject({
    chains: [
      { mode: 'SANDBOX', payer: { level: 'ENOUGH' }, costs: [costs] },
      { mode: 'PRODUCTION', payer: null, costs: [] },
    ],
  });
  const { code, stdout } = await runChain(app, ['costs', '--mode', 'sandbox']);
  expect(code).toBe(0);
  const [head, row] = stdout.trim().split('\n');
  expect(head).toContain('lamports per permit');
  // events and permits closed at the end
  const cells = [today?.day, today?.events, permits, transactions, 0, perPermit, 0, 0];
  expect(row?.trim().split(/\s+/)).toEqual(cells.map(String));
  expect((await runChain(app, ['costs', '--mode', 'sandbox', '--days', '0'])).code).toBe(2);
});

describe('everything that the payer paid is in the report, by purpose', () => {
  const finalize = () => rpc(app.network.url, 'passSlots', [40]);
  /** Books all that is final by now. */
  async function bookAll(by = app): Promise<number> {
    await finalize();
    by.advance(11);
    return bookPayments(by.context(), 'sandbox');
  }
  const paymentsOf = async () => (await readCosts(app.context(), 'sandbox', 3)).flatMap(({ payments }) => payments);
  const paidFor = async (purpose: PaymentPurpose) => {
    const found = (await paymentsOf()).filter((payment) => payment.purpose === purpose);
    return {
      transactions: found.reduce((sum, { transactions }) => sum + transactions, 0),
      lamports: found.reduce((sum, { fees, rest }) => sum + fees + rest, 0n),
    };
  };
  const paidInAll = async () => (await paymentsOf()).reduce((sum, { fees, rest }) => sum + fees + rest, 0n);
  const balance = async () => BigInt(await app.connection.getBalance(new PublicKey(app.chain.payer)));

  it('and its sum is what the chain says: permits, moves, listings taken off sale, closed events, deposits', async () => {
    await bookAll();
    const [held, paid] = [await balance(), await paidInAll()];
    const before = await paidFor('issue_permits');
    const deposits = await paidFor('deposit');
    Object.assign(app.config.issuing, { closeAfter: 1, closableAfter: -7_200 });
    const [seller, buyer] = app.users;
    const market = await fundedMarketplace(app);
    const tickets = await moreTickets(app, seller, { count: 3, endsAt: new Date(Date.now() + 3_600_000) });
    const [sold, moved] = tickets;
    if (!sold || !moved) throw new Error('tickets were made');
    await putOnSale(app, market, sold, seller);
    await reconcile(app.context(), 'sandbox');
    await takeOwnOffSale(app.context(), seller.id as Id<'usr'>, sold.id);
    const permitId = (
      await rows<{ id: Uuid }>(app, 'select id from permit where tix_permit_id = $1', [moved.permit])
    )[0]?.id;
    const order = {
      permitId: idOf('perm', permitId as Uuid),
      to: { fanId: buyer.id },
      origin: 'test',
      reason: 'test',
      actor: 'system',
    };
    await app.context().em.transactional((em) => orderMove({ ...app.context(), em }, order));
    await carryOutMoves(app.context());
    await rows(
      app,
      "update event set starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours' where tix_event_id = $1",
      [sold.tixEventId],
    );
    await closeTurn(issueRun(app.context(), 'sandbox'));
    await app.connection.requestAirdrop(new PublicKey(app.chain.payer), 5_000_000);
    await bookAll();
    expect((await paidFor('issue_permits')).transactions).toBe(before.transactions + 1);
    expect(await paidFor('close_listings')).toEqual({ transactions: 1, lamports: 15_000n });
    expect(await paidFor('move_permits')).toEqual({ transactions: 1, lamports: 10_000n });
    expect(await paidFor('close_events')).toMatchObject({ transactions: 1 });
    expect((await paidFor('deposit')).lamports).toBe(deposits.lamports - 5_000_000n);
    expect((await paidInAll()) - paid).toBe(held - (await balance()));
  });

  it('once, however many processes book, and from where a failed one stopped', async () => {
    const second = await startChainApp({ beside: app });
    await bookAll();
    const before = await paidFor('issue_permits');
    await moreTickets(app, app.users[0], { count: 40 });
    await finalize();
    for (const each of [app, second]) each.advance(30);
    app.proxy.setRule(({ method }) => (method === 'getTransaction' ? 'away' : 'pass'));
    await expect(bookPayments(app.context(), 'sandbox')).rejects.toThrow('can not be reached');
    app.proxy.reset();
    for (const each of [app, second]) each.advance(11);
    const booked = await Promise.all([app, second].map((each) => bookPayments(each.context(), 'sandbox')));
    await second.stop();
    expect(booked.filter((count) => count > 0)).toHaveLength(1);
    expect((await paidFor('issue_permits')).transactions).toBe(before.transactions + 6);
  });
});
