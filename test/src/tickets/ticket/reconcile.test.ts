import {
  type AddressLookupTableAccount,
  AddressLookupTableProgram,
  PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { register } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { rpc, until } from '../../../../packages/localnet/test/test-network.ts';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { syncPermits } from '../../../../src/tickets/ticket/sync-permits.ts';
import { from } from '../../../adapters/partner-api/fan/claims-stage.ts';
import { moreTickets, rows, type User } from '../../../support/chain-app.ts';
import { only, passAfter, type RpcReply } from '../../../support/rpc-proxy.ts';
import { newStaff, runAs } from '../../../support/staff-call.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import {
  build,
  claim,
  fundedMarketplace,
  land,
  listedTickets,
  onChain,
  randomAddress,
  signatureOf,
  termsOf,
  transfer,
  transferInstruction,
} from '../../../support/ticket-transactions.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** Chain §5: what a run reads and in which order, and that what happens on the network without this service shows here. */
const stage = await reconcileStage();
const { app, market, seller, buyer, holder, run, holds, listings, audited, list, cancel, sell, take } = stage;
const { pool } = app.runtime;
const another = await testChainApp({ beside: app });
const otherMarket = await fundedMarketplace(app);

/** States of the ticket are taken in again, whatever their slot. */
async function forgetSlot(): Promise<void> {
  await pool.query('update permit set chain_slot = null where tix_permit_id = $1', [stage.ticket.permit]);
  await pool.query('delete from unfinal_permit');
}

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
    const before = await onChain(app, stage.ticket);
    await list();
    await sell(buyer.wallet_address);
    await run();
    const [row] = await rows<{ slot: string }>(app, 'select chain_slot as slot from permit where tix_permit_id = $1', [
      stage.ticket.permit,
    ]);
    const seen = (slots: number) => ({ permits: async () => [{ ...before, slot: Number(row?.slot) + slots }] });
    expect(await take(seen(-1))).toBe(0);
    expect(await holds(buyer)).toBe(true);
    expect(await take(seen(1_000_000))).toBe(1);
    expect(await holds(seller)).toBe(true);
    await forgetSlot();
  });

  it('states are read under the permit’s lock: of two readings in one slot the later one stands', async () => {
    const old = await onChain(app, stage.ticket);
    const sold = { ...old, owner: buyer.wallet_address };
    let state = old;
    let reads = 0;
    const gateway = {
      async permits() {
        reads += 1;
        return [state];
      },
    };
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = inTransaction(pool, async (client) => {
      const { changes } = await syncPermits(client, gateway, {
        addresses: [stage.ticket.permit],
        notBefore: 0,
        now: new Date(),
        requestOf: () => null,
      });
      taken.resolve();
      await goOn.promise;
      return changes;
    });
    // the second comes when the first has the lock: a new connection may be ready before an older one
    await taken.promise;
    const second = take(gateway);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    const readWhileLocked = reads;
    state = sold;
    goOn.resolve();
    expect((await first) + (await second)).toBe(1);
    expect(readWhileLocked).toBe(1);
    expect(await holds(buyer)).toBe(true);
    await forgetSlot();
  });

  it('where requests and a job sync together, an entry names its own request, and that of the job none', async () => {
    const before = await onChain(app, stage.ticket);
    const seen = (owner: string, slots: number) => {
      return { permits: async () => [{ ...before, owner, slot: before.slot + slots }] };
    };
    await take(seen(buyer.wallet_address, 1));
    await take(seen(seller.wallet_address, 2), 'of-its-own-request');
    const entries = await rows<{ request_id: string | null }>(
      app,
      `select request_id from audit_entry where action = 'ticket.moved' and subject = $1 order by id desc limit 2`,
      [stage.ticket.permit],
    );
    expect(entries.map(({ request_id }) => request_id)).toEqual(['of-its-own-request', null]);
    await forgetSlot();
  });

  it('two processes at once: each change is made and audited once', async () => {
    for (let round = 0; round < 3; round++) {
      await list();
      await Promise.all([run(), reconcile(another.context(), 'sandbox'), run()]);
      await cancel();
      await Promise.all([reconcile(another.context(), 'sandbox'), run(), run()]);
    }
    expect((await listings()).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect((await audited()).filter((action) => action === 'listing.opened')).toHaveLength(3);
    expect((await audited()).filter((action) => action === 'listing.cancelled')).toHaveLength(3);
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
    const [last] = await app.connection.getSignaturesForAddress(new PublicKey(stage.ticket.permit), { limit: 1 });
    await run();
    const read = app.proxy.calls.findLast(({ method }) => method === 'getMultipleAccounts');
    const [, options] = (read?.params ?? []) as [unknown, { minContextSlot: number }?];
    expect(options?.minContextSlot).toBeGreaterThanOrEqual(last?.slot ?? Number.NaN);
  });

  it('transactions without effect are not followed', async () => {
    await list();
    await run();
    const late = await transfer(app, market, stage.ticket, randomAddress());
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
      }, 'getTransaction'),
    );
    await list();
    const { length: before } = app.proxy.calls;
    expect(await run()).toBe(0);
    expect(app.proxy.calls.slice(before).map(({ method }) => method)).not.toContain('getMultipleAccounts');
    expect(await listings()).toEqual([]);
  });

  it('a permit of another mode is left alone', async () => {
    const setMode = (mode: string) =>
      rows(app, 'update event set mode = $2 where tix_event_id = $1', [stage.ticket.tixEventId, mode]);
    await list();
    await setMode('production');
    expect(await run()).toBe(0);
    await setMode('sandbox');
    expect(await listings()).toEqual([]);
  });

  it('a cluster that was never checked is not followed', async () => {
    expect(await reconcile({ ...app.context(), chains: { production: app.chain } }, 'production')).toBe(0);
    expect(app.proxy.calls).toEqual([]);
  });

  it('the first run takes in the state of every permit', async () => {
    const [first, second] = await moreTickets(app, seller, { count: 2 });
    if (!first || !second) throw new Error('no tickets');
    for (const each of [first, second]) await list(seller, 1n, { of: each });
    await rows(app, `update chain_cluster set last_signature = null where mode = 'sandbox'`);
    app.proxy.reset();
    await run();
    expect(app.proxy.count('getTransaction')).toBe(0);
    for (const each of [first, second]) expect(await listings(each)).toMatchObject([{ outcome: null }]);
  });
});

describe('chain §5: what happens outside this service shows here', () => {
  it('a listing, and its cancellation', async () => {
    await list();
    expect(await listings()).toEqual([]);
    expect(await run()).toBe(1);
    expect(await listings()).toEqual([{ marketplace: market.address, price: '1000000000', outcome: null }]);
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

  it.each([
    ['on another marketplace', 2n ** 64n - 1n, otherMarket],
    ['for a price that differs by one digit', 2n ** 64n - 2n, market],
  ])('a listing that was replaced between two runs by one %s: the old one is cancelled', async (_, price, on) => {
    await list(seller, 2n ** 64n - 1n);
    await run();
    await cancel();
    await list(seller, price, { on });
    await run();
    expect(await listings()).toEqual([
      { marketplace: market.address, price: '18446744073709551615', outcome: 'cancelled' },
      { marketplace: on.address, price: String(price), outcome: null },
    ]);
    expect(await audited()).toEqual(['listing.opened', 'listing.cancelled', 'listing.opened']);
  });

  const ownedBy = ({ wallet_address }: User) =>
    rows(
      app,
      `update ticket set owner_id = (select fan_id from wallet where address = $2)
       where id = (select ticket_id from permit where tix_permit_id = $1)`,
      [stage.ticket.permit, wallet_address],
    );

  it('a ticket that was sold and listed again by its buyer between two runs', async () => {
    await list();
    await run();
    await sell(buyer.wallet_address);
    await ownedBy(buyer);
    await list(buyer);
    await ownedBy(seller);
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
    const back = await build(app, [transferInstruction(app, stage.ticket, stranger.address, seller.wallet_address)], {
      payer: stranger.wallet,
    });
    expect((await claim(app, seller, [back])).status).toBe(200);
    expect(await holds(seller)).toBe(true);
    expect(await audited()).toContain('ticket.moved');
  });

  it('a transfer whose permit is named by a lookup table only', async () => {
    await list();
    await run();
    const table = await tableOf([stage.ticket.permit]);
    const instruction = transferInstruction(
      app,
      stage.ticket,
      market.address,
      buyer.wallet_address,
      await termsOf(app, stage.ticket),
    );
    const { blockhash } = await app.connection.getLatestBlockhash();
    const message = new TransactionMessage({
      payerKey: market.wallet.publicKey,
      recentBlockhash: blockhash,
      instructions: [instruction],
    }).compileToV0Message([table]);
    expect(message.staticAccountKeys.map(String)).not.toContain(stage.ticket.permit);
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
    await rpc(app.network.url, 'passSlots', [1]);
    const { value } = await connection.getAddressLookupTable(address);
    if (!value) throw new Error('the table was not made');
    return value;
  }

  it('a claim that landed and is not confirmed here yet is taken in', async () => {
    await list();
    await run();
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    expect((await claim(app, buyer, [await transfer(app, market, stage.ticket, buyer.wallet_address)])).status).toBe(
      503,
    );
    app.proxy.reset();
    expect(await run()).toBe(2);
    expect(await holds(buyer)).toBe(true);
  });
});

it('chain §5: a transfer that was claimed here is not asked for again; one that came about elsewhere is', async () => {
  const [claimed, sold] = await listedTickets(app, market, seller, 2);
  if (!claimed || !sold) throw new Error('there are no tickets');
  await run();

  const here = await transfer(app, market, claimed, buyer.wallet_address);
  expect((await claim(app, buyer, [here])).status).toBe(200);
  const elsewhere = await transfer(app, market, sold, buyer.wallet_address);
  await land(app, elsewhere);

  app.proxy.reset();
  await run();
  const asked = app.proxy.calls.filter(({ method }) => method === 'getTransaction').map(({ params }) => params[0]);
  expect(asked).toEqual([signatureOf(elsewhere)]);
  for (const ticket of [claimed, sold]) expect(await holder(ticket)).toBe(buyer.wallet_address);
});

async function cursor() {
  const [row] = await rows<{ last_signature: string; last_slot: string }>(
    app,
    `select last_signature, last_slot from chain_cluster where mode = 'sandbox'`,
  );
  return row;
}

async function notGiven(): Promise<number> {
  const metric = await register.getSingleMetric('reconcile_transactions_not_given_total')?.get();
  return metric?.values.find(({ labels }) => labels.mode === 'sandbox')?.value ?? Number.NaN;
}

describe('a transaction that the node can not give', () => {
  it('every permit is read instead, and the cursor moves on', async () => {
    await list();
    const before = await notGiven();
    app.proxy.setRule(only({ reply: { result: null } }, 'getTransaction'));
    expect(await run()).toBe(1);
    expect(await listings()).toMatchObject([{ outcome: null }]);
    expect(await notGiven()).toBe(before + 1);
    app.proxy.calls.length = 0;
    expect(await run()).toBe(0);
    expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
  });

  it('where the node does not answer, the run ends and the next one begins at the same place', async () => {
    const before = await cursor();
    await list();
    app.proxy.setRule(only('away', 'getTransaction'));
    await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await cursor()).toEqual(before);
    expect(await listings()).toEqual([]);
    app.proxy.reset();
    expect(await run()).toBe(1);
    await cancel();
    await run();
  });

  it('a history that is not complete: every permit is read, no transaction is asked for', async () => {
    await list();
    app.proxy.setRule(only(({ result }) => ({ result: [...(result as unknown[]), 'odd'] }), 'getSignaturesForAddress'));
    expect(await run()).toBe(1);
    expect(app.proxy.count('getTransaction')).toBe(0);
    expect(await listings()).toMatchObject([{ outcome: null }]);
  });

  it('the cursor never moves back, whichever process ends last', async () => {
    const goOn = Promise.withResolvers<void>();
    await list();
    app.proxy.reset();
    app.proxy.setRule(passAfter('getMultipleAccounts', () => goOn.promise));
    const slow = run();
    await until(async () => app.proxy.count('getMultipleAccounts') > 0);
    const further = { last_signature: 'further', last_slot: '4503599627370496' };
    await moveCursorTo(further);
    goOn.resolve();
    await slow;
    expect(await cursor()).toEqual(further);
    await moveCursorTo({ last_signature: null, last_slot: null });
  });

  async function moveCursorTo(to: { last_signature: string | null; last_slot: string | null }): Promise<void> {
    const sql = `update chain_cluster set last_signature = $1, last_slot = $2 where mode = 'sandbox'`;
    await rows(app, sql, [to.last_signature, to.last_slot]);
  }
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
    await list(seller, price);
    expect((await onChain(app, stage.ticket)).price).toBe(price);
    expect(await run()).toBe(1);
    expect(await listings()).toMatchObject([{ price: String(price), outcome: null }]);
    const shown = await runAs<Shown>(app, await newStaff(app, 'support'), LISTINGS, { search: stage.ticket.permit });
    expect(shown.permits.nodes).toEqual([{ listings: [{ price: String(price), outcome: null }] }]);

    const bytes = await transfer(app, market, stage.ticket, buyer.wallet_address);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await holds(buyer)).toBe(true);
    expect(await listings()).toMatchObject([{ price: String(price), outcome: 'sold' }]);
  });
});
