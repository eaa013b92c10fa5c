import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { recheckFinal } from '../../../../src/tickets/ticket/reconcile.ts';
import { syncPermits } from '../../../../src/tickets/ticket/sync-permits.ts';
import { oneTicket, rows } from '../../../support/chain-app.ts';
import { oneConnection, PLAN_IS_KEPT } from '../../../support/one-connection.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { onChain, randomAddress } from '../../../support/ticket-transactions.ts';

const LISTINGS = 2_000;
/** Of them, and of index entries that lead to them. */
const FEW = 40;

const app = await testChainApp();
const ticket = await oneTicket(app, app.users[0]);
const one = oneConnection(app);
afterAll(() => one.close());

/** Of permits that are not there. */
const insertListings = (closedAt: string, outcome: string) =>
  one.unchecked(
    `insert into listing (id, permit_id, marketplace, price, opened_at, closed_at, outcome)
     select gen_random_uuid(), gen_random_uuid(), 'market', 1, now(), ${closedAt}, ${outcome} from generate_series(1, ${LISTINGS})`,
  );

it('a change, and the look at it once it is final, read the open listing of its permit and not those of others', async () => {
  const held = await onChain(app, ticket);
  const market = randomAddress();
  let slot = held.slot;
  /** The ticket is listed, or its price changes; then that is final. */
  async function change(): Promise<void> {
    slot += 1;
    const state = { ...held, state: 'listed' as const, marketplace: market, price: BigInt(slot), slot };
    const gateway = { permits: async () => [state], finality: async () => ({ slot }) };
    await inTransaction(one.pool, (client) =>
      syncPermits(client, gateway, {
        addresses: [ticket.permit],
        notBefore: 0,
        now: new Date(),
        requestOf: () => null,
      }),
    );
    const context = { ...app.context(), pool: one.pool };
    const chain = { ...app.runtime.chains.sandbox, gateway } as unknown as Parameters<typeof recheckFinal>[2];
    expect(await recheckFinal(context, 'sandbox', chain)).toBe(0);
    expect(await rows(app, 'select from unfinal_permit')).toEqual([]);
  }
  // those of the last sale: statistics say that hardly any is open
  await insertListings('now()', `'sold'`);
  await rows(app, 'vacuum analyze listing');
  for (let time = 0; time < PLAN_IS_KEPT; time++) await change();
  await insertListings('null', 'null');
  const before = await one.readOf('listing');
  await change();
  expect((await one.readOf('listing')) - before).toBeLessThan(FEW);
});
