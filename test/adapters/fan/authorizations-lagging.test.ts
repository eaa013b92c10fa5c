import { PublicKey } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../../../src/ticket/reconcile.ts';
import { type ChainApp, oneTicket } from '../../support/chain-app.ts';
import type { Fate, RpcReply } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  land,
  listing,
  type Marketplace,
  putOnSale,
  signedBytes,
} from '../../support/ticket-transactions.ts';
import { authorizationsStage } from './authorizations-stage.ts';

const stage = authorizationsStage();
const { expectRefusal, ownerOf } = stage;
let app: ChainApp;
let market: Marketplace;
beforeAll(() => {
  ({ app, market } = stage);
});

const SLOTS_BEHIND = 20;

type Account = { data: [string, string] } | null;

/** The first `count` readings come from a node that lags, and has another account of the permit, or none. */
function lag(count: number, permit: (account: Account) => Account, blockhashesToo = false): void {
  let seen = 0;
  const older = ({ result }: RpcReply): { context: { slot: number }; value: unknown } => {
    const { context, value } = result as { context: { slot: number }; value: unknown };
    return { context: { ...context, slot: Math.max(0, context.slot - SLOTS_BEHIND) }, value };
  };
  app.proxy.setRule(({ method }): Fate => {
    if (method === 'isBlockhashValid' && blockhashesToo) return (reply) => ({ result: older(reply) });
    if (method !== 'getMultipleAccounts') return 'pass';
    seen += 1;
    if (seen > count) return 'pass';
    return (reply) => {
      const { context, value } = older(reply);
      const [config, account = null, ...others] = value as Account[];
      return { result: { context, value: [config, permit(account), ...others] } };
    };
  });
}

const slotsAsked = () =>
  app.proxy.calls
    .filter(({ method }) => method === 'getMultipleAccounts')
    .map(({ params }) => (params[1] as { minContextSlot: number }).minContextSlot);

/** A ticket whose listing was cancelled, with the account as it was before. */
async function relisted() {
  const ticket = await oneTicket(app, app.users[0]);
  await putOnSale(app, market, ticket, app.users[0]);
  const listed = await app.connection.getAccountInfo(new PublicKey(ticket.permit), 'confirmed');
  if (!listed) throw new Error('no account');
  const bytes = await cancellation(app, market, ticket, ownerOf());
  await land(app, signedBytes(await authorizeListing(app, app.users[0], 'cancel', [bytes])));
  const data: [string, string] = [listed.data.toString('base64'), 'base64'];
  return { ticket, before: (account: Account): Account => account && { ...account, data } };
}

describe('D-185: of several nodes behind one URL, one lags', () => {
  it('and does not have the permit yet: the newest state decides, and the listing is signed', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf());
    app.proxy.reset();
    lag(1, () => null);
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
    const [first, second, ...more] = slotsAsked();
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(more).toEqual([]);
  });

  it('and still has a listing that was cancelled: it is not told as listed already', async () => {
    const { ticket, before } = await relisted();
    const bytes = await listing(app, market, ticket, ownerOf());
    lag(1, before);
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
  });

  it('also where every answer is old: what is stored of the permit is newer', async () => {
    const { ticket, before } = await relisted();
    await reconcile(app.context(), 'sandbox');
    const bytes = await listing(app, market, ticket, ownerOf());
    lag(1, before, true);
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
  });

  it('what is gone by the newest state too is 404, and nothing is signed', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf());
    lag(2, () => null);
    const ask = () => authorizeListing(app, app.users[0], 'list', [bytes]);
    await expectRefusal(ask, 404, 'not_found', /the ticket was not found/);
  });

  it('a request that can be signed costs no further reading', async () => {
    const ticket = await oneTicket(app, app.users[0]);
    const bytes = await listing(app, market, ticket, ownerOf());
    app.proxy.reset();
    expect((await authorizeListing(app, app.users[0], 'list', [bytes])).status).toBe(200);
    expect(slotsAsked()).toEqual([0]);
  });
});
