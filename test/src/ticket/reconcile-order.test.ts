import { PublicKey } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../packages/localnet/test/test-network.ts';
import { inTransaction } from '../../../src/database/prepared.ts';
import { reconcile } from '../../../src/ticket/reconcile.ts';
import { syncPermits } from '../../../src/ticket/sync-permits.ts';
import {
  type ChainApp,
  moreTickets,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../../support/rpc-proxy.ts';
import { type Marketplace, onChain, randomAddress, signatureOf, transfer } from '../../support/ticket-transactions.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** Chain §5: what a run reads and in which order, so that nothing newer is overwritten and nothing is taken in twice. */
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
      inTransaction(app.runtime.pool, async (client) => {
        const { changes } = await syncPermits(
          client,
          { permits: async () => [seen] },
          { addresses: [ticket.permit], notBefore: 0, now: new Date(), requestOf: () => null },
        );
        return changes;
      });
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
    const what = { addresses: [ticket.permit], notBefore: 0, now: new Date(), requestOf: () => null };
    let state = old;
    let reads = 0;
    const gateway = {
      permits: async () => {
        reads += 1;
        return [state];
      },
    };
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = inTransaction(pool, async (client) => {
      const { changes } = await syncPermits(client, gateway, what);
      taken.resolve();
      await goOn.promise;
      return changes;
    });
    // the second comes when the first has the lock: a new connection may be ready before an older one
    await taken.promise;
    const second = inTransaction(pool, async (client) => (await syncPermits(client, gateway, what)).changes);
    await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
    const readWhileLocked = reads;
    state = sold;
    goOn.resolve();
    expect((await first) + (await second)).toBe(1);
    expect(readWhileLocked).toBe(1);
    expect(await holds(buyer)).toBe(true);
    await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [ticket.permit]);
  });

  it('where requests and a job sync together, an entry names its own request, and that of the job none', async () => {
    const before = await onChain(app, ticket);
    const take = (owner: string, slots: number, requestId: string | null) =>
      inTransaction(app.runtime.pool, (client) =>
        syncPermits(
          client,
          { permits: async () => [{ ...before, owner, slot: before.slot + slots }] },
          {
            addresses: [ticket.permit],
            notBefore: 0,
            now: new Date(),
            requestOf: (address) => (address === ticket.permit ? requestId : 'of-another-request'),
          },
        ),
      );
    await take(buyer.wallet_address, 1, null);
    await take(seller.wallet_address, 2, 'of-its-own-request');
    const entries = await rows<{ request_id: string | null }>(
      app,
      `select request_id from audit_entry where action = 'ticket.moved' and subject = $1 order by id desc limit 2`,
      [ticket.permit],
    );
    expect(entries.map(({ request_id }) => request_id)).toEqual(['of-its-own-request', null]);
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
      stage.ticket = each;
      await list();
    }
    await rows(app, `update chain_cluster set last_signature = null where mode = 'sandbox'`);
    app.proxy.reset();
    await run();
    expect(app.proxy.count('getTransaction')).toBe(0);
    for (const each of [first, second]) {
      stage.ticket = each;
      expect(await listings()).toMatchObject([{ outcome: null }]);
    }
  });
});
