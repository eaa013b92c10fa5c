import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/database/prepared.ts';
import { reconcile } from '../../src/ticket/reconcile.ts';
import { takeInPermits } from '../../src/ticket/take-in-permits.ts';
import { until } from '../chain/localnet/test-network.ts';
import {
  type ChainApp,
  moreTickets,
  oneTicket,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../support/chain-app.ts';
import { callFan } from '../support/partner.ts';
import { type Fate, only, type RpcReply } from '../support/rpc-proxy.ts';
import {
  authorizeListing,
  build,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  onChain,
  randomAddress,
  signatureOf,
  signedBytes,
  transfer,
  transferInstruction,
  unseenBlockhash,
} from '../support/ticket-transactions.ts';

/** Chain §5: what happens on the network without this service's doing shows here after one run. */
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

async function sell(to: string): Promise<string> {
  return land(app, await transfer(app, market, ticket, to));
}

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

describe('chain §5: order', () => {
  it('a run with nothing new asks once and writes nothing', async () => {
    const before = await rows(app, 'select max(id) as last from audit_entry');
    expect(await run()).toBe(0);
    expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
    expect(await rows(app, 'select max(id) as last from audit_entry')).toEqual(before);
  });

  it('the same state seen again changes nothing and is not audited', async () => {
    await list();
    await run();
    await rows(app, `update chain_cluster set last_signature = null where mode = 'sandbox'`);
    expect(await run()).toBe(0);
    expect(await audited()).toEqual(['listing.opened']);
  });

  it('an older slot never overwrites a newer one', async () => {
    const before = await onChain(app, ticket);
    await list();
    await sell(buyer.wallet_address);
    await run();
    const [row] = await rows<{ slot: string }>(app, 'select chain_slot as slot from permit where tix_permit_id = $1', [
      ticket.permit,
    ]);
    const older = { ...before, slot: Number(row?.slot) - 1 };
    const take = (seen: typeof older) =>
      inTransaction(app.runtime.pool, (client) =>
        takeInPermits(
          client,
          { permits: async () => [seen] },
          { addresses: [ticket.permit], notBefore: 0, now: new Date(), requestId: null },
        ),
      );
    expect(await take(older)).toBe(0);
    expect(await holds(buyer)).toBe(true);
    expect(await take({ ...older, slot: Number(row?.slot) + 1_000_000 })).toBe(1);
    expect(await holds(seller)).toBe(true);
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [ticket.permit]);
  });

  it('states are read under the permit’s lock: of two readings in one slot the later one stands', async () => {
    const { pool } = app.runtime;
    const old = await onChain(app, ticket);
    const sold = { ...old, owner: buyer.wallet_address };
    const what = { addresses: [ticket.permit], notBefore: 0, now: new Date(), requestId: null };
    let state = old;
    let reads = 0;
    const gateway = {
      permits: async () => {
        reads += 1;
        return [state];
      },
    };
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const first = inTransaction(pool, async (client) => {
      const changes = await takeInPermits(client, gateway, what);
      await held;
      return changes;
    });
    const second = inTransaction(pool, (client) => takeInPermits(client, gateway, what));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reads).toBe(1);
    state = sold;
    goOn();
    expect((await first) + (await second)).toBe(1);
    expect(await holds(buyer)).toBe(true);
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [ticket.permit]);
  });

  it('two processes at once: each change is made and audited once', async () => {
    const another = await startChainApp({ beside: app });
    try {
      for (let round = 0; round < 3; round++) {
        await list();
        await Promise.all([run(), reconcile(another.context(), 'sandbox'), run()]);
        await cancel();
        await Promise.all([reconcile(another.context(), 'sandbox'), run(), run()]);
      }
      expect((await listings()).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled', 'cancelled']);
      expect((await audited()).filter((action) => action === 'listing.opened')).toHaveLength(3);
      expect((await audited()).filter((action) => action === 'listing.cancelled')).toHaveLength(3);
    } finally {
      await another.stop();
    }
  });

  it('a run that breaks off takes nothing in and loses nothing', async () => {
    await list();
    app.proxy.setRule(only('away', 'getMultipleAccounts'));
    await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await listings()).toEqual([]);
    app.proxy.reset();
    expect(await run()).toBe(1);
  });

  it('the state is read at the slot of the newest transaction or later, whichever node answers', async () => {
    await list();
    const [last] = await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit), { limit: 1 });
    await run();
    const read = app.proxy.calls.findLast(({ method }) => method === 'getMultipleAccounts');
    expect(read?.params[1]).toMatchObject({ minContextSlot: last?.slot });
  });

  it('a transaction that the node does not have: every permit is looked at', async () => {
    await list();
    app.proxy.setRule(only((): RpcReply => ({ result: null }), 'getTransaction'));
    await run();
    expect(await listings()).toMatchObject([{ outcome: null }]);
  });

  it('transactions without effect are not followed', async () => {
    await list();
    await run();
    const late = await transfer(app, market, ticket, randomAddress());
    await cancel();
    await run();
    await app.connection.sendRawTransaction(late, { skipPreflight: true });
    await until(async () => (await app.connection.getSignatureStatus(signatureOf(late))).value !== null);
    app.proxy.reset();
    expect(await run()).toBe(0);
    expect(app.proxy.count('getTransaction')).toBe(0);
    expect(app.proxy.count('getSignaturesForAddress')).toBe(1);
    app.proxy.reset();
    await run();
    expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
  });

  it('transactions of permits that are not ours are passed over', async () => {
    app.proxy.setRule(
      only((reply): RpcReply => {
        const found = reply.result as { transaction: { message: { accountKeys: string[] } } };
        found.transaction.message.accountKeys = [randomAddress()];
        return { result: found };
      }, 'getTransaction') as (call: { method: string }) => Fate,
    );
    await list();
    const { length: before } = app.proxy.calls;
    expect(await run()).toBe(0);
    expect(app.proxy.calls.slice(before).map(({ method }) => method)).not.toContain('getMultipleAccounts');
    expect(await listings()).toEqual([]);
  });

  it('a permit of another mode is left alone', async () => {
    await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [ticket.tixEventId]);
    await run();
    await rows(app, `update event set mode = 'sandbox' where tix_event_id = $1`, [ticket.tixEventId]);
    await list();
    await rows(app, `update event set mode = 'production' where tix_event_id = $1`, [ticket.tixEventId]);
    expect(await run()).toBe(0);
    await rows(app, `update event set mode = 'sandbox' where tix_event_id = $1`, [ticket.tixEventId]);
    expect(await listings()).toEqual([]);
  });

  it('a cluster that was never checked is not followed', async () => {
    expect(await reconcile({ ...app.context(), chains: { production: app.chain } }, 'production')).toBe(0);
    expect(app.proxy.calls).toEqual([]);
  });

  it('the first run takes in the state of every permit', async () => {
    const [first, second] = await moreTickets(app, seller, { count: 2 });
    if (!first || !second) throw new Error('no tickets');
    for (const each of [first, second]) {
      ticket = each;
      await list();
    }
    await rows(app, `update chain_cluster set last_signature = null where mode = 'sandbox'`);
    app.proxy.reset();
    await run();
    expect(app.proxy.count('getTransaction')).toBe(0);
    for (const each of [first, second]) {
      ticket = each;
      expect(await listings()).toMatchObject([{ outcome: null }]);
    }
  });
});
