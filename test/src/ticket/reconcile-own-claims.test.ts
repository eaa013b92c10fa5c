import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcile } from '../../../src/ticket/reconcile.ts';
import { type ChainApp, rows, startChainApp } from '../../support/chain-app.ts';
import {
  claim,
  fundedMarketplace,
  land,
  listedTickets,
  type Marketplace,
  signatureOf,
  transfer,
} from '../../support/ticket-transactions.ts';

let app: ChainApp;
let market: Marketplace;

beforeAll(async () => {
  app = await startChainApp();
  market = await fundedMarketplace(app);
});

afterAll(async () => {
  await app.stop();
});

/** The transactions that the service asks its node for while it reconciles. */
async function askedFor(): Promise<unknown[]> {
  app.proxy.reset();
  await reconcile(app.context(), 'sandbox');
  return app.proxy.calls.filter(({ method }) => method === 'getTransaction').map(({ params }) => params[0]);
}

test('chain §5: a transfer that was claimed here is not asked for again; one that came about elsewhere is', async () => {
  const [seller, buyer] = app.users;
  const [claimed, sold] = await listedTickets(app, market, seller, 2);
  if (!claimed || !sold) throw new Error('there are no tickets');
  await reconcile(app.context(), 'sandbox');

  const here = await transfer(app, market, claimed, buyer.wallet_address);
  expect((await claim(app, buyer, [here])).status).toBe(200);
  const elsewhere = await transfer(app, market, sold, buyer.wallet_address);
  await land(app, elsewhere);

  expect(await askedFor()).toEqual([signatureOf(elsewhere)]);
  const owners = await rows(
    app,
    `select w.address from permit p join ticket t on t.id = p.ticket_id join wallet w on w.fan_id = t.owner_id
     where p.tix_permit_id = any($1)`,
    [[claimed.permit, sold.permit]],
  );
  expect(owners).toEqual([{ address: buyer.wallet_address }, { address: buyer.wallet_address }]);
});
