import { beforeEach } from 'vitest';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { syncPermits } from '../../../../src/tickets/ticket/sync-permits.ts';
import { oneTicket, rows, type TestTicket, type User } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import {
  authorizeListing,
  cancellation,
  land,
  listing,
  signedBytes,
  transfer,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';

/** For tests of chain §5: before each of them a new `ticket` of the seller, which a run has taken in already. */
export async function reconcileStage() {
  const { app, market, seller, buyer, holder, audited } = await chainStage();
  const stage = { ticket: { permit: '' } as TestTicket };
  beforeEach(async () => {
    stage.ticket = await oneTicket(app, seller);
    await run();
    app.proxy.reset();
  });

  const run = () => reconcile(app.context(), 'sandbox');

  /** Whether this is the fan who has the ticket. */
  const holds = async ({ wallet_address }: User) => (await holder(stage.ticket)) === wallet_address;

  function listings({ permit } = stage.ticket) {
    return rows<{ marketplace: string; price: string; outcome: string | null }>(
      app,
      `select l.marketplace, l.price, l.outcome from listing l join permit p on p.id = l.permit_id
       where p.tix_permit_id = $1 order by l.opened_at, l.id`,
      [permit],
    );
  }

  async function landed(by: User, type: 'list' | 'cancel', bytes: Buffer): Promise<void> {
    await land(app, signedBytes(await authorizeListing(app, by, type, [bytes])));
  }

  /** Through the service, then straight to the network. */
  async function list(by = seller, price = 1_000_000_000n, { of = stage.ticket, on = market } = {}): Promise<void> {
    const blockhash = await unseenBlockhash(app);
    await landed(by, 'list', await listing(app, on, of, by.wallet_address, { price, blockhash }));
  }

  async function cancel(of = stage.ticket): Promise<void> {
    const blockhash = await unseenBlockhash(app);
    await landed(seller, 'cancel', await cancellation(app, market, of, seller.wallet_address, { blockhash }));
  }

  /** Takes in states as a node gives them. @returns the number of changes */
  function take(gateway: Parameters<typeof syncPermits>[1], requestId: string | null = null): Promise<number> {
    return inTransaction(app.runtime.pool, async (client) => {
      const { changes } = await syncPermits(client, gateway, {
        addresses: [stage.ticket.permit],
        notBefore: 0,
        now: new Date(),
        requestOf: (address) => (address === stage.ticket.permit ? requestId : 'of-another-request'),
      });
      return changes;
    });
  }

  return Object.assign(stage, {
    app,
    market,
    seller,
    buyer,
    holder,
    run,
    holds,
    listings,
    list,
    cancel,
    take,
    audited: async () => (await audited(stage.ticket.permit)).filter((action) => action !== 'listing.co_signed'),
    /** A sale on the marketplace, straight to the network. */
    sell: async (to: string) => land(app, await transfer(app, market, stage.ticket, to)),
  });
}
