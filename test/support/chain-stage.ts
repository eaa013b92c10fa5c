import { afterEach, test } from 'vitest';
import { type ChainAppOptions, moreTickets, rows, type TestTicket } from './chain-app.ts';
import { testChainApp } from './test-chain-app.ts';
import { fundedMarketplace, listedTickets, transfer } from './ticket-transactions.ts';

const AT_ONCE = 8;

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

  const nextHeld = supply(() => moreTickets(app, seller, { count: AT_ONCE }));
  /** One more ticket that is on sale. */
  const nextListed = supply(() => listedTickets(app, market, seller, AT_ONCE));

  /** Tickets that are made some at once, and given one by one. */
  function supply(make: () => Promise<TestTicket[]>): () => Promise<TestTicket> {
    const made: TestTicket[] = [];
    return async () => {
      if (made.length === 0) made.push(...(await make()));
      app.proxy.reset();
      const [ticket] = made.splice(0, 1);
      if (!ticket) throw new Error('no ticket was made');
      return ticket;
    };
  }

  const it = test
    .extend('heldTicket', nextHeld)
    .extend('listedTicket', nextListed)
    /** A transfer of `listedTicket` to the buyer, signed by the marketplace. */
    .extend('bytes', ({ listedTicket }) => transfer(app, market, listedTicket, buyer.wallet_address));

  /** The wallet of the fan who has the ticket of a permit; undefined for an owner without one. */
  async function holder({ permit }: Pick<TestTicket, 'permit'>): Promise<string | undefined> {
    const [row] = await rows<{ address: string }>(
      app,
      `select w.address from ticket t join permit p on p.ticket_id = t.id join wallet w on w.fan_id = t.owner_id
       where p.tix_permit_id = $1`,
      [permit],
    );
    return row?.address;
  }

  /** What was audited of a permit or claim, the earliest first. */
  async function audited(subject: string): Promise<string[]> {
    const sql = 'select action from audit_entry where subject = $1 order by id';
    return (await rows<{ action: string }>(app, sql, [subject])).map(({ action }) => action);
  }

  return { app, chain: app.chain, market, seller, buyer, nextListed, it, holder, audited };
}
