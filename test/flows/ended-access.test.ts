import { afterAll, expect, it } from 'vitest';
import { syncChains } from '../../adapters/process/sync-chains.ts';
import { openPortal } from '../adapters/fan-pages/portal/portal-calls.ts';
import { anotherUser, CHAIN_SCOPE, moreTickets, type TestTicket, type User } from '../support/chain-app.ts';
import { makeClient } from '../support/make-client.ts';
import { signIn } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { claim, fundedMarketplace, onChain, putOnSale, transfer } from '../support/ticket-transactions.ts';

/** From the end of access to the cancellation landing, on the local network: 1 to 2 seconds, twice that on a busy machine. */
const OFF_SALE_WITHIN_MS = 6_000;

const app = await testChainApp();
const market = await fundedMarketplace(app);
const service = syncChains(app.runtime);
afterAll(() => service.stop());

interface Sale {
  app: { clientId: string; grantId: string; name: string };
  price: string;
}

/** A fan with tickets that an app of its own has put on sale, and a buyer whose transfers are signed already. */
async function story(count = 1) {
  const [fan, buyer] = [await anotherUser(app), await anotherUser(app)];
  const clientId = await makeClient(app, { name: `Resale Harbour ${fan.phone}` });
  const tokens = await signIn(app, { clientId, scope: CHAIN_SCOPE, phone: fan.phone, code: fan.code });
  const tickets = await moreTickets(app, fan, { count });
  for (const ticket of tickets) await putOnSale(app, market, ticket, { ...fan, tokens: async () => tokens });
  const portal = await openPortal(app).signIn(fan);
  const salesOf = async () => {
    const own = (await portal.get('tickets.list')) as unknown as { sale: Sale | null }[];
    return own.flatMap(({ sale }) => (sale ? [sale] : []));
  };
  await expect.poll(salesOf, { timeout: 5_000 }).toHaveLength(count);
  const transfers = await Promise.all(tickets.map((each) => transfer(app, market, each, buyer.wallet_address)));
  await buyer.tokens();
  return { buyer, clientId, grantIds: [tokens.grant_id], tickets, transfers, portal, salesOf };
}
type Story = Awaited<ReturnType<typeof story>>;

async function untilHeld(ticket: TestTicket): Promise<number> {
  const began = performance.now();
  await expect.poll(async () => (await onChain(app, ticket)).state, { timeout: 10_000, interval: 50 }).toBe('held');
  return performance.now() - began;
}

const sell = async (buyer: User, bytes: Buffer) => {
  const { status, headers } = await claim(app, buyer, [bytes]);
  return [status, headers.get('x-error-code')];
};

const ENDS: [what: string, end: (story: Story) => Promise<unknown>][] = [
  ['ends an app', ({ portal, clientId }) => portal.get('apps.revoke', { clientId })],
  ['ends all apps', ({ portal }) => portal.get('apps.revokeAll')],
  [
    'turns off selling',
    ({ portal, grantIds }) => portal.get('apps.turnActionOff', { grantIds, action: 'fan:listings:write' }),
  ],
];

it.each(ENDS)(
  'a fan who %s in the portal: within seconds nothing of it is on sale, and nobody can buy it',
  async (_, end) => {
    const told = await story();
    const { buyer, tickets, transfers, portal, salesOf } = told;
    const [ticket] = tickets as [TestTicket];
    await end(told);
    expect(await untilHeld(ticket)).toBeLessThan(OFF_SALE_WITHIN_MS);
    await expect.poll(salesOf).toEqual([]);
    expect(await sell(buyer, transfers[0] as Buffer)).toEqual([404, 'not_found']);
    const { entries } = await portal.get<{ entries: { fact: { kind: string; outcome?: string; price?: string } }[] }>(
      'history.list',
      {},
    );
    expect(entries.map(({ fact }) => fact)).toContainEqual(
      expect.objectContaining({ kind: 'sale_ended', outcome: 'cancelled', price: '1000000000' }),
    );
  },
);

it('a fan who leaves the sales on sale sells, and the app has no access', async () => {
  const { buyer, clientId, tickets, transfers, portal, salesOf } = await story();
  await portal.get('apps.revoke', { clientId, keepsSales: true });
  expect(await salesOf()).toMatchObject([{ price: '1000000000', app: { clientId } }]);
  expect(await sell(buyer, transfers[0] as Buffer)).toEqual([200, null]);
  expect((await onChain(app, tickets[0] as TestTicket)).owner).toBe(buyer.wallet_address);
});

it('a fan takes one ticket off sale, and the app keeps its access and the others', async () => {
  const { tickets, portal, salesOf } = await story(2);
  const [first, second] = tickets as [TestTicket, TestTicket];
  await portal.get('tickets.takeOffSale', { ticketId: first.id });
  expect(await untilHeld(first)).toBeLessThan(OFF_SALE_WITHIN_MS);
  await expect.poll(salesOf).toHaveLength(1);
  expect((await onChain(app, second)).state).toBe('listed');
});
