import { describe, expect, it } from 'vitest';
import { checkCluster, WrongClusterError } from '../../../../src/chain/check-cluster.ts';
import type { ChainGateway } from '../../../../src/chain/gateway/gateway.ts';
import { putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { oneTicket, rows } from '../../../support/chain-app.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { fundedMarketplace, putOnSale, randomAddress } from '../../../support/ticket-transactions.ts';

/** Which cluster is behind an RPC URL is checked before anything is signed for it. */
const app = await testChainApp();
const clusterOf = (genesisHash: string) => ({ genesisHash: async () => genesisHash }) as unknown as ChainGateway;

async function known(mode: string) {
  return rows<{ genesis_hash: string; last_signature: string | null }>(
    app,
    'select genesis_hash, last_signature from chain_cluster where mode = $1',
    [mode],
  );
}

describe('the genesis hash', () => {
  it('another than this database has worked with: refused, unless it is the local network', async () => {
    const first = randomAddress();
    await checkCluster(app.context(), 'production', clusterOf(first), false);
    expect(await known('production')).toEqual([{ genesis_hash: first, last_signature: null }]);
    await checkCluster(app.context(), 'production', clusterOf(first), false);
    const found = randomAddress();
    const other = checkCluster(app.context(), 'production', clusterOf(found), false);
    await expect(other).rejects.toThrow(WrongClusterError);
    await expect(other).rejects.toThrow(new RegExp(`production.*${found}.*should be ${first}.*nothing was signed`));
    expect(await known('production')).toMatchObject([{ genesis_hash: first }]);
  });

  it('a new local network: events and permits are provisioned anew, and its slots count from the beginning', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    await rows(app, 'update permit set chain_slot = 1000000000');
    await rows(app, `update chain_cluster set last_slot = 1000000000 where mode = 'sandbox'`);
    await rows(
      app,
      `insert into unread_permit (permit_id, reason, since, tries, slot, retry_at)
       select id, 'for a test', now(), 1, 1000000000, now() from permit where tix_permit_id = $1`,
      [ticket.permit],
    );
    const before = await known('sandbox');
    const market = await fundedMarketplace(app);
    await putOnSale(app, market, ticket, app.users[0]);
    const past = await oneTicket(app, app.users[0], { endsAt: new Date(Date.now() + 3_600_000) });
    await rows(app, 'update event set closed_at = now() where tix_event_id = $1', [past.tixEventId]);
    await rows(app, 'update permit set closed_at = now() where tix_permit_id = $1', [past.permit]);
    await checkCluster(app.context(), 'sandbox', clusterOf(randomAddress()), true);
    const [left] = await rows(
      app,
      `select (select count(*)::int from event where registered_at is not null) as events,
         (select count(*)::int from permit where issued_at is not null) as permits,
         (select count(*)::int from permit where chain_slot is not null and closed_at is null) as slots,
         (select last_signature from chain_cluster where mode = 'sandbox') as signature,
         (select last_slot from chain_cluster where mode = 'sandbox') as slot,
         (select count(*)::int from unread_permit) as unread`,
    );
    // what is closed stays so
    expect(left).toEqual({ events: 1, permits: 1, slots: 0, signature: null, slot: null, unread: 0 });
    await checkCluster(app.context(), 'sandbox', clusterOf(before[0]?.genesis_hash ?? ''), true);
    await putOnchain(app.context(), 'sandbox');
    expect(await reconcile(app.context(), 'sandbox')).toBe(1);
    const waiting = await rows(app, 'select id from permit where issued_at is null');
    expect(waiting).toEqual([]);
  });
});
