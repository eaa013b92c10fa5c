import { afterAll, expect, it } from 'vitest';
import { inTransaction } from '../../../src/platform/database/prepared.ts';
import { newId, type Uuid, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { confirmClaims, failClaim } from '../../../src/tickets/claim/end-claims.ts';
import type { LandedClaim, StoredClaim } from '../../../src/tickets/claim/stored-claim.ts';
import { recheckFinal } from '../../../src/tickets/ticket/reconcile.ts';
import { syncPermits } from '../../../src/tickets/ticket/sync-permits.ts';
import { oneTicket, rows } from '../../support/chain-app.ts';
import { oneConnection, PLAN_IS_KEPT } from '../../support/one-connection.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { onChain, randomAddress } from '../../support/ticket-transactions.ts';

const ROWS = 2_000;
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
     select gen_random_uuid(), gen_random_uuid(), 'market', 1, now(), ${closedAt}, ${outcome} from generate_series(1, ${ROWS})`,
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

/** Of grants and permits that are not there. */
const insertClaims = (state: string) =>
  one.unchecked(
    `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash,
       judged_slot, state, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid()::text, gen_random_uuid(), gen_random_uuid(), 'w', 'w', '', 'b', 1, '${state}', now(), now()
     from generate_series(1, ${ROWS})`,
  );

it('the end of a claim is written by its id: the open claims of others are not read', async () => {
  const claim = { id: uuidOf('clm', newId('clm')) as Uuid, state: 'submitted' } as StoredClaim;
  const landed: LandedClaim = { claim, slot: 1 };
  async function end(): Promise<void> {
    await confirmClaims(one.pool, new Date(), [{ ...landed, permitRead: true, requestId: null }]);
    await failClaim({ pool: one.pool, now: () => new Date(), requestId: null }, claim, 'refused', true);
  }
  // those of the last sale: statistics say that none is open
  await insertClaims('confirmed');
  await rows(app, 'vacuum analyze claim');
  for (let time = 0; time < PLAN_IS_KEPT; time++) await end();
  await insertClaims('submitted');
  const before = await one.readOf('claim');
  await end();
  expect((await one.readOf('claim')) - before).toBeLessThan(FEW);
});
