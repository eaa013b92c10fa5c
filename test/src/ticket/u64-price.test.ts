import { beforeEach, describe, expect, it } from 'vitest';
import type { SignedInStaff } from '../../../src/staff/rights.ts';
import type { ChainApp } from '../../support/chain-app.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { claim, onChain, transfer } from '../../support/ticket-transactions.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** A price is a u64 everywhere. */
const stage = reconcileStage();
const { run, holds, listings, audited, list, cancel } = stage;
let app: ChainApp;
let staff: SignedInStaff;
beforeEach(async () => {
  ({ app } = stage);
  staff ??= await newStaff(app, 'support');
});

const LISTINGS = `query ($search: String) { permits(search: $search, first: 1) {
  nodes { listings { price outcome } } } }`;

interface Shown {
  permits: { nodes: { listings: { price: string; outcome: string | null }[] }[] };
}

describe('prices are u64 end to end', () => {
  it.each([
    ['2^63', 2n ** 63n],
    ['2^64-1', 2n ** 64n - 1n],
  ])('a listing for %s lamports is co-signed, taken in, shown to staff and sold', async (_, price) => {
    await list(stage.seller, price);
    expect((await onChain(app, stage.ticket)).price).toBe(price);
    expect(await run()).toBe(1);
    expect(await listings()).toMatchObject([{ price: String(price), outcome: null }]);
    const shown = await runAs<Shown>(app, staff, LISTINGS, { search: stage.ticket.permit });
    expect(shown.permits.nodes).toEqual([{ listings: [{ price: String(price), outcome: null }] }]);

    const bytes = await transfer(app, stage.market, stage.ticket, stage.buyer.wallet_address);
    expect((await claim(app, stage.buyer, [bytes])).status).toBe(200);
    expect(await holds(stage.buyer)).toBe(true);
    expect(await listings()).toMatchObject([{ price: String(price), outcome: 'sold' }]);
  });

  it('the audit entry of such a listing has every digit, and a replaced one is told apart by its last digit', async () => {
    await list(stage.seller, 2n ** 64n - 1n);
    await run();
    await cancel();
    await list(stage.seller, 2n ** 64n - 2n);
    await run();
    expect(await listings()).toMatchObject([
      { price: '18446744073709551615', outcome: 'cancelled' },
      { price: '18446744073709551614', outcome: null },
    ]);
    expect(await audited()).toEqual(['listing.opened', 'listing.cancelled', 'listing.opened']);
  });
});
