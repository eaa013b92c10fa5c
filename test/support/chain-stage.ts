import { afterEach, test } from 'vitest';
import { type ChainAppOptions, oneTicket, type TestTicket } from './chain-app.ts';
import { testChainApp } from './test-chain-app.ts';
import { fundedMarketplace, listedTickets, transfer } from './ticket-transactions.ts';

const LISTED_AT_ONCE = 8;

/**
 * The service with a cluster, two fans and a marketplace, for all tests of a file; the cluster and the clock are put right after each
 * test. `it` has what a test needs for itself: tickets of the seller that no other test has used.
 */
export async function chainStage(options?: ChainAppOptions) {
  const app = await testChainApp(options);
  const [seller, buyer] = app.users;
  const market = await fundedMarketplace(app);
  afterEach(() => {
    app.proxy.reset();
    app.resetClock();
  });

  const listed: TestTicket[] = [];
  /** One more ticket that is on sale. */
  async function nextListed(): Promise<TestTicket> {
    if (listed.length === 0) listed.push(...(await listedTickets(app, market, seller, LISTED_AT_ONCE)));
    const ticket = listed.pop();
    if (!ticket) throw new Error('no ticket was listed');
    app.proxy.reset();
    return ticket;
  }

  const it = test
    .extend('heldTicket', async () => {
      const ticket = await oneTicket(app, seller);
      app.proxy.reset();
      return ticket;
    })
    .extend('listedTicket', nextListed)
    /** A transfer of `listedTicket` to the buyer, signed by the marketplace. */
    .extend('bytes', ({ listedTicket }) => transfer(app, market, listedTicket, buyer.wallet_address));

  return { app, chain: app.chain, market, seller, buyer, nextListed, it };
}
