import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../../src/inventory/end-sales.ts';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { failedRules, prefer } from '../../../adapters/partner-api/fan/explain-stage.ts';
import { anotherUser, CHAIN_SCOPE, type ChainApp, moreTickets, startChainApp } from '../../../support/chain-app.ts';
import { changeClient, makeClient } from '../../../support/make-client.ts';
import { exchange, obtainCode } from '../../../support/partner.ts';
import {
  authorizeListing,
  cancellation,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  onChain,
  putOnSale,
  randomAddress,
  signedBytes,
} from '../../../support/ticket-transactions.ts';

const STAFF = 'staff:stf_test';
let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startChainApp();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());

/** A fan with a ticket, signed in to an app that has registered these marketplaces. */
async function sellerOn(marketplaces: string[]) {
  const fan = await anotherUser(app);
  const tickets = await moreTickets(app, fan, { count: 2 });
  const [ticket] = tickets;
  if (!ticket) throw new Error('tickets were made');
  const clientId = await makeClient(app, { marketplaces });
  const tokens = await exchange(
    app,
    await obtainCode(app, { clientId, scope: CHAIN_SCOPE, phone: fan.phone, code: fan.code }),
  );
  const seller = { ...fan, tokens: async () => tokens };
  const list = async (marketplace: string, of = ticket) =>
    authorizeListing(app, seller, 'list', [await listing(app, market, of, fan.wallet_address, { marketplace })]);
  const cancel = async () =>
    authorizeListing(app, seller, 'cancel', [await cancellation(app, market, ticket, fan.wallet_address)]);
  return { seller, clientId, ticket, tickets, list, cancel };
}

const stop = (marketplace: string, endsSales: boolean) =>
  setKillSwitch(app.context(), { kind: 'marketplace', marketplace }, 'its key has leaked', STAFF, { endsSales });
const lift = (marketplace: string) =>
  liftKillSwitch(app.context(), { kind: 'marketplace', marketplace }, 'it has a new key', STAFF);

async function work(): Promise<void> {
  await reconcile(app.context(), 'sandbox');
  await endSales(app.context());
  await carryOutMoves(app.context());
}

describe('a stolen token lists nothing on a marketplace of the thief', () => {
  it('a client that has registered marketplaces lists on them, and on no other', async () => {
    const { list } = await sellerOn([randomAddress(), market.address]);
    expect(await list(randomAddress())).toMatchObject({
      status: 404,
      body: { message: 'transactions[0]: the client has not registered this marketplace.' },
    });
    expect(await list(market.address)).toMatchObject({ status: 200 });
  });

  it('all or none: one foreign marketplace among the transactions, and nothing is signed', async () => {
    const { seller, tickets } = await sellerOn([market.address]);
    const [first, second] = await Promise.all(
      tickets.map((ticket, at) =>
        listing(app, market, ticket, seller.wallet_address, at === 1 ? { marketplace: randomAddress() } : {}),
      ),
    );
    if (!first || !second) throw new Error('there are two');
    expect(await authorizeListing(app, seller, 'list', [first, second])).toMatchObject({
      status: 404,
      body: { message: 'transactions[1]: the client has not registered this marketplace.' },
    });
  });

  it('an explanation names the registered ones', async () => {
    const [one, foreign] = [randomAddress(), randomAddress()];
    const { seller, ticket } = await sellerOn([one, market.address]);
    const bytes = await listing(app, market, ticket, seller.wallet_address, { marketplace: foreign });
    const { access_token: token } = await seller.tokens();
    const body = { type: 'list', transactions: [bytes.toString('hex')] };
    const answer = await prefer(app, '/authorizations', token, body);
    const [transaction] = (answer.body as { transactions: Parameters<typeof failedRules>[0][] }).transactions;
    expect(failedRules(transaction)).toEqual(['foreign_marketplace']);
    expect(transaction?.rules.find(({ rule }) => rule === 'foreign_marketplace')?.message).toContain(
      `${foreign}, not ${one} or ${market.address}`,
    );
  });

  it('a client without marketplaces lists on any', async () => {
    expect(await (await sellerOn([])).list(randomAddress())).toMatchObject({ status: 200 });
  });

  it('a list that shrinks holds from the next call on; what is on sale can be cancelled', async () => {
    const { seller, clientId, ticket, list, cancel } = await sellerOn([market.address]);
    await putOnSale(app, market, ticket, seller);
    await changeClient(app, clientId, { marketplaces: [randomAddress()] });
    await land(app, signedBytes(await cancel()));
    expect(await list(market.address)).toMatchObject({ status: 404 });
  });
});

describe('a marketplace that staff have stopped', () => {
  it('gets no new listing; what is on sale there stays and can be cancelled, and others go on', async () => {
    const { seller, ticket, tickets, list, cancel } = await sellerOn([]);
    await putOnSale(app, market, ticket, seller);
    await stop(market.address, false);
    const refused = await list(market.address, tickets[1]);
    expect(refused).toMatchObject({ status: 503 });
    expect(String(refused.body.message)).toContain(market.address);
    expect(await list(randomAddress(), tickets[1])).toMatchObject({ status: 200 });
    await work();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
    expect(await cancel()).toMatchObject({ status: 200 });
    expect(await lift(market.address)).toBe(true);
    expect(await list(market.address, tickets[1])).toMatchObject({ status: 200 });
  });

  it('loses what is on sale there where staff say so, also what was co-signed before; other marketplaces keep theirs', async () => {
    const [leaked, sound] = [await fundedMarketplace(app), await fundedMarketplace(app)];
    const [one, late, other] = [await sellerOn([]), await sellerOn([]), await sellerOn([])];
    await putOnSale(app, leaked, one.ticket, one.seller);
    await putOnSale(app, sound, other.ticket, other.seller);
    const signed = signedBytes(await late.list(leaked.address));
    await reconcile(app.context(), 'sandbox');
    await stop(leaked.address, true);
    await work();
    expect(await onChain(app, one.ticket)).toMatchObject({ state: 'held' });
    await land(app, signed);
    await work();
    expect(await onChain(app, late.ticket)).toMatchObject({ state: 'held' });
    expect(await onChain(app, other.ticket)).toMatchObject({ state: 'listed' });
    await lift(leaked.address);
  });

  it('is named by its address', async () => {
    await expect(stop('nowhere', false)).rejects.toThrow('marketplace must be an address');
  });
});
