import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { readPayer } from '../../../src/chain/payer.ts';
import { putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { readCosts } from '../../../src/inventory/issuing/read-costs.ts';
import { readBacklog, type Watched, watchIssuing } from '../../../src/inventory/issuing/watch-issuing.ts';
import { moreTickets } from '../../support/chain-app.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { runChain } from './cluster/test-cluster.ts';

/** What permits cost, and for how many the payer lasts. */
const app = await testChainApp();
const { lowPermits, rate } = app.config.issuing;
afterEach(() => {
  app.proxy.reset();
  Object.assign(app.config.issuing, { lowPermits, rate });
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

it('the payer lasts for as many permits as its lamports pay with their fees, but for what an account must keep', async () => {
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

it('permits that wait are told with the age of the oldest', async () => {
  app.config.issuing.rate = 1;
  await moreTickets(app, app.users[0], { count: 3, issue: false });
  app.advance(60);
  expect(await readBacklog(app.context(), 'sandbox')).toMatchObject({ waiting: 3, setAside: 0 });
  expect(await readyz()).toMatchObject({ waiting: { sandbox: { permits: 3, seconds: expect.any(Number) } } });
  const { waiting } = (await readyz()) as { waiting: { sandbox: { seconds: number } } };
  expect(waiting.sandbox.seconds).toBeGreaterThanOrEqual(59);
  app.config.issuing.rate = rate;
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
  expect(row?.trim().split(/\s+/)).toEqual([
    ...[today?.day, today?.events, permits, transactions, 0, fees, rent].map(String),
    expect.any(String),
    String(perPermit),
    // events and permits closed, and what came back
    ...['0', '0', '0'],
  ]);
  expect((await runChain(app, ['costs', '--mode', 'sandbox', '--days', '0'])).code).toBe(2);
});
