import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import {
  type ChainApp,
  oneTicket,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../../support/chain-app.ts';
import { callFan } from '../../../support/partner.ts';
import {
  authorizeListing,
  cancellation,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  signedBytes,
  transfer,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';

/**
 * The set-up of the tests of chain §5: before each test a new ticket of the seller, which a run has taken in already;
 * the cluster answers. Registers the hooks of the file that calls it.
 *
 * @returns the values of the running test, to be read once its hooks have run, and what acts on and looks at its
 *   `ticket`, which a test may set to another
 */
export function reconcileStage() {
  let app: ChainApp;
  let market: Marketplace;
  let seller: User;
  let buyer: User;
  beforeAll(async () => {
    app = await startChainApp();
    market = await fundedMarketplace(app);
    [seller, buyer] = app.users;
  });
  afterAll(() => app.stop());

  let ticket: TestTicket;
  beforeEach(async () => {
    ticket = await oneTicket(app, seller);
    await run();
    app.proxy.reset();
  });
  afterEach(() => app.proxy.reset());

  const run = () => reconcile(app.context(), 'sandbox');

  async function holds(user: User): Promise<boolean> {
    const { body } = await callFan(app, '/tickets', (await user.tokens()).access_token);
    return (body.tickets as { id: string }[]).some(({ id }) => id === ticket.id);
  }

  async function listings() {
    return rows<{ marketplace: string; price: string; outcome: string | null }>(
      app,
      `select l.marketplace, l.price, l.outcome from listing l join permit p on p.id = l.permit_id
       where p.tix_permit_id = $1 order by l.opened_at, l.id`,
      [ticket.permit],
    );
  }

  async function audited() {
    const found = await rows<{ action: string; details: Record<string, unknown> }>(
      app,
      `select action, details from audit_entry where subject = $1 and action <> 'listing.co_signed' order by id`,
      [ticket.permit],
    );
    return found.map(({ action }) => action);
  }

  /** Through the service, then straight to the network. */
  async function list(by: User = seller, price = 1_000_000_000n): Promise<void> {
    const blockhash = await unseenBlockhash(app);
    const bytes = await listing(app, market, ticket, by.wallet_address, { price, blockhash });
    await land(app, signedBytes(await authorizeListing(app, by, 'list', [bytes])));
  }

  async function cancel(by: User = seller): Promise<void> {
    const blockhash = await unseenBlockhash(app);
    const bytes = await cancellation(app, market, ticket, by.wallet_address, { blockhash });
    await land(app, signedBytes(await authorizeListing(app, by, 'cancel', [bytes])));
  }

  /** A sale on the marketplace, straight to the network. */
  async function sell(to: string): Promise<string> {
    return land(app, await transfer(app, market, ticket, to));
  }

  return {
    get app() {
      return app;
    },
    get market() {
      return market;
    },
    get seller() {
      return seller;
    },
    get buyer() {
      return buyer;
    },
    get ticket() {
      return ticket;
    },
    set ticket(another) {
      ticket = another;
    },
    run,
    holds,
    listings,
    audited,
    list,
    cancel,
    sell,
  };
}
