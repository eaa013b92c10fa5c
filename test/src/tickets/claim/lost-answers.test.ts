import { afterAll, describe, expect, it } from 'vitest';
import { moreTickets, rows, startChainApp, type TestTicket } from '../../../support/chain-app.ts';
import { createDatabase } from '../../../support/database.ts';
import { type CutPoint, openStatementWire } from '../../../support/statement-wire.ts';
import {
  authorizeListing,
  claim,
  fundedMarketplace,
  listedTickets,
  listing,
  onChain,
  signatureOf,
  transfer,
} from '../../../support/ticket-transactions.ts';

/** D-226: claims and listings name what they do themselves, so their repeats find it done. */
const database = await createDatabase();
const wire = await openStatementWire(database.url);
const app = await startChainApp({ databaseUrl: wire.url });
const market = await fundedMarketplace(app);
const [seller, buyer] = app.users;
await Promise.all([seller.tokens(), buyer.tokens()]);
afterAll(async () => {
  await app.stop();
  await wire.close();
  await database.drop();
});

const POINTS: CutPoint[] = ['request', 'answer'];
const MORE_THAN_A_CALL_HAS = 30;

describe('D-226 claims and listings whose answer from the database is lost', () => {
  it.each(POINTS)('a claim, at whichever statement the %s is lost: its repeat claims, once', async (point) => {
    const tickets = await listedTickets(app, market, seller, MORE_THAN_A_CALL_HAS);
    const cuts = await wire.sweep(
      point,
      async (turn) => {
        const ticket = tickets[turn - 1] as TestTicket;
        const bytes = await transfer(app, market, ticket, buyer.wallet_address);
        return {
          call: () => claim(app, buyer, [bytes]),
          async check(first: { status: number }, where: string) {
            expect([200, 503], where).toContain(first.status);
            const repeated = await claim(app, buyer, [bytes]);
            expect(repeated.status, where).toBe(200);
            const known = await rows<{ signature: string; state: string }>(
              app,
              'select cl.signature, cl.state from claim cl join permit p on p.id = cl.permit_id where p.tix_permit_id = $1',
              [ticket.permit],
            );
            expect(known, where).toEqual([{ signature: signatureOf(bytes), state: 'confirmed' }]);
            expect(await onChain(app, ticket), where).toMatchObject({ owner: buyer.wallet_address });
            expect(await audited('claim.confirmed', signatureOf(bytes)), where).toBe(1);
          },
        };
      },
      tickets.length,
    );
    expect(cuts.length).toBeGreaterThanOrEqual(6);
  });

  it.each(POINTS)(
    'a listing, at whichever statement the %s is lost: its repeat is signed alike, once',
    async (point) => {
      const tickets = await moreTickets(app, seller, { count: MORE_THAN_A_CALL_HAS });
      const cuts = await wire.sweep(
        point,
        async (turn) => {
          const ticket = tickets[turn - 1] as TestTicket;
          const bytes = await listing(app, market, ticket, seller.wallet_address);
          return {
            call: () => authorizeListing(app, seller, 'list', [bytes]),
            async check(first: { status: number }, where: string) {
              expect([200, 503], where).toContain(first.status);
              const [one, two] = [
                await authorizeListing(app, seller, 'list', [bytes]),
                await authorizeListing(app, seller, 'list', [bytes]),
              ];
              expect([one.status, two.body], where).toEqual([200, one.body]);
              expect(await audited('listing.co_signed', ticket.permit), where).toBe(1);
            },
          };
        },
        tickets.length,
      );
      expect(cuts.length).toBeGreaterThanOrEqual(2);
    },
  );
});

async function audited(action: string, subject: string): Promise<number> {
  return (await rows(app, 'select 1 from audit_entry where action = $1 and subject = $2', [action, subject])).length;
}
