import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../packages/localnet/test/test-network.ts';
import { type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import type { Fate } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  build,
  claim,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  signedBytes,
  transfer,
  transferInstruction,
} from '../../support/ticket-transactions.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** Chain §5: what happens on the network without this service's doing shows here after one run. */
const stage = reconcileStage();
const { run, holds, listings, audited, list, cancel, sell } = stage;
let app: ChainApp;
let market: Marketplace;
let seller: User;
let buyer: User;
let ticket: TestTicket;
beforeEach(() => {
  ({ app, market, seller, buyer, ticket } = stage);
});

describe('chain §5: what happens outside this service shows here', () => {
  it('a listing', async () => {
    await list();
    expect(await listings()).toEqual([]);
    expect(await run()).toBe(1);
    expect(await listings()).toEqual([{ marketplace: market.address, price: '1000000000', outcome: null }]);
    expect(await audited()).toEqual(['listing.opened']);
  });

  it('a cancellation', async () => {
    await list();
    await run();
    await cancel();
    expect(await run()).toBe(1);
    expect(await listings()).toMatchObject([{ outcome: 'cancelled' }]);
    expect(await audited()).toEqual(['listing.opened', 'listing.cancelled']);
    expect(await holds(seller)).toBe(true);
  });

  it('a sale to another fan: the ticket moves from list to list, the listing is sold', async () => {
    await list();
    await run();
    await sell(buyer.wallet_address);
    expect(await run()).toBe(2);
    expect(await listings()).toMatchObject([{ outcome: 'sold' }]);
    expect({ seller: await holds(seller), buyer: await holds(buyer) }).toEqual({ seller: false, buyer: true });
    expect((await audited()).toSorted()).toEqual(['listing.opened', 'listing.sold', 'ticket.moved']);
  });

  it('a sale of a listing that was never seen: the ticket moves, and no listing is left', async () => {
    await list();
    await sell(buyer.wallet_address);
    await run();
    expect(await listings()).toEqual([]);
    expect(await holds(buyer)).toBe(true);
  });

  it('a listing that was replaced between two runs: the old one is cancelled, the new one is open', async () => {
    await list();
    await run();
    await cancel();
    await list(seller, 5n);
    expect(await run()).toBe(2);
    expect(await listings()).toMatchObject([
      { price: '1000000000', outcome: 'cancelled' },
      { price: '5', outcome: null },
    ]);
  });

  it('a listing that was moved to another marketplace between two runs', async () => {
    await list();
    await run();
    await cancel();
    const other = await fundedMarketplace(app);
    const bytes = await listing(app, other, ticket, seller.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, seller, 'list', [bytes])));
    await run();
    expect(await listings()).toMatchObject([
      { marketplace: market.address, outcome: 'cancelled' },
      { marketplace: other.address, outcome: null },
    ]);
  });

  it('a ticket that was sold and listed again by its buyer between two runs', async () => {
    await list();
    await run();
    await sell(buyer.wallet_address);
    await rows(
      app,
      `update ticket set owner_id = (select fan_id from wallet where address = $2)
      where id = (select ticket_id from permit where tix_permit_id = $1)`,
      [ticket.permit, buyer.wallet_address],
    );
    await list(buyer);
    await rows(
      app,
      `update ticket set owner_id = (select fan_id from wallet where address = $2)
      where id = (select ticket_id from permit where tix_permit_id = $1)`,
      [ticket.permit, seller.wallet_address],
    );
    await run();
    expect(await listings()).toMatchObject([{ outcome: 'sold' }, { outcome: null }]);
    expect(await holds(buyer)).toBe(true);
  });

  it('a wallet that is nobody’s: the ticket leaves the fan’s list, and comes back when it is claimed back', async () => {
    await list();
    const stranger = await fundedMarketplace(app);
    await sell(stranger.address);
    await run();
    expect(await holds(seller)).toBe(false);
    const back = await build(app, [transferInstruction(app, ticket, stranger.address, seller.wallet_address)], {
      payer: stranger.wallet,
    });
    expect((await claim(app, seller, [back])).status).toBe(200);
    expect(await holds(seller)).toBe(true);
    expect(await audited()).toContain('ticket.moved');
  });

  it('a transfer whose permit is named by a lookup table only', async () => {
    await list();
    await run();
    const table = await tableOf([ticket.permit]);
    const instruction = transferInstruction(app, ticket, market.address, buyer.wallet_address);
    const { blockhash } = await app.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: market.wallet.publicKey,
      recentBlockhash: blockhash,
      instructions: [instruction],
    }).compileToV0Message([table]);
    expect(message.staticAccountKeys.map(String)).not.toContain(ticket.permit);
    const transaction = new VersionedTransaction(message);
    transaction.sign([market.wallet]);
    await land(app, transaction.serialize());
    await run();
    expect(await holds(buyer)).toBe(true);
  });

  async function tableOf(addresses: string[]): Promise<AddressLookupTableAccount> {
    const { connection } = app;
    const authority = market.wallet.publicKey;
    const [create, address] = AddressLookupTableProgram.createLookupTable({
      authority,
      payer: authority,
      recentSlot: await connection.getSlot(),
    });
    const extend = AddressLookupTableProgram.extendLookupTable({
      authority,
      payer: authority,
      lookupTable: address,
      addresses: addresses.map((key) => new PublicKey(key)),
    });
    await land(app, await build(app, [create, extend], { payer: market.wallet }));
    const start = await connection.getSlot();
    await until(async () => (await connection.getSlot()) > start);
    const { value } = await connection.getAddressLookupTable(address);
    if (!value) throw new Error('the table was not made');
    return value;
  }

  it('a claim that landed and is not confirmed here yet is taken in', async () => {
    await list();
    await run();
    let asked = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getSignatureStatuses') asked += 1;
      return method === 'getSignatureStatuses' && asked > 2 ? 'away' : 'pass';
    });
    expect((await claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)])).status).toBe(503);
    app.proxy.reset();
    expect(await run()).toBe(2);
    expect(await holds(buyer)).toBe(true);
  });

  it('what was confirmed as a claim is not asked for again', async () => {
    await list();
    await run();
    expect((await claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)])).status).toBe(200);
    app.proxy.reset();
    expect(await run()).toBe(0);
    expect(app.proxy.count('getTransaction')).toBe(0);
    expect(await holds(buyer)).toBe(true);
  });
});
