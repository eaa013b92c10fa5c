import { beforeEach, describe, expect, it, vi } from 'vitest';
import { computeLimit } from '../../src/chain/transaction/build-transaction.ts';
import { anotherUser, type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import type { Fate, RpcReply } from '../../support/rpc-proxy.ts';
import {
  claim,
  fundedMarketplace,
  land,
  type Marketplace,
  randomAddress,
  signatureOf,
  transfer,
  unseenBlockhash,
} from '../../support/ticket-transactions.ts';
import { claimsStage } from './claims-stage.ts';

/** Nobody but who may move a permit can begin a claim of it, so that a stranger keeps no honest claim out. */
const stage = claimsStage();
const { expectClaimed, stateOf } = stage;
let app: ChainApp;
let market: Marketplace;
let buyer: User;
let ticket: TestTicket;
let bytes: Buffer;
beforeEach(() => {
  ({ app, market, buyer, ticket, bytes } = stage);
});

/** The statuses as a node gives them before the cluster has confirmed anything. */
const processed =
  (err?: unknown) =>
  (reply: RpcReply): RpcReply => {
    const result = reply.result as { context: { slot: number }; value: (object | null)[] };
    const seen = { slot: result.context.slot, confirmations: 0, status: { Ok: null }, err: null };
    const value = result.value.map((status) => ({
      ...(status ?? seen),
      ...(err === undefined ? {} : { err }),
      confirmationStatus: 'processed',
    }));
    return { result: { ...result, value } };
  };

function bendStatuses(bend: (reply: RpcReply) => RpcReply): void {
  app.proxy.setRule(({ method }): Fate => (method === 'getSignatureStatuses' ? bend : 'pass'));
}

async function expectNoClaim(user: User, transaction: Buffer, status: number, code: string): Promise<void> {
  const answer = await claim(app, user, [transaction]);
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({ status, code });
  expect(await stateOf(transaction)).toBeUndefined();
}

/** The honest claim, with the cluster as it is. */
async function expectHonestClaim(): Promise<void> {
  app.proxy.reset();
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  await expectClaimed();
}

describe('a transfer that is only processed', () => {
  it('of a stranger, run without effect: 404, no claim, and the honest claim goes through', async () => {
    const attacker = await anotherUser(app);
    const failing = await transfer(app, await fundedMarketplace(app), ticket, attacker.wallet_address);
    await app.connection.sendRawTransaction(failing, { skipPreflight: true });
    bendStatuses(processed());
    await expectNoClaim(attacker, failing, 404, 'not_found');
    await expectHonestClaim();
  });

  it('of a stranger, without an error so far: 404, no claim, and the honest claim goes through', async () => {
    const attacker = await anotherUser(app);
    const landing = await transfer(app, await fundedMarketplace(app), ticket, attacker.wallet_address);
    bendStatuses(processed());
    await expectNoClaim(attacker, landing, 404, 'not_found');
    await expectHonestClaim();
  });

  it('of the marketplace itself, but failing: 503, and no claim', async () => {
    const attacker = await anotherUser(app);
    const failing = await transfer(app, market, ticket, attacker.wallet_address, { before: [computeLimit(1)] });
    await app.connection.sendRawTransaction(failing, { skipPreflight: true });
    bendStatuses(processed());
    const faults = vi.spyOn(app.runtime.log, 'error');
    await expectNoClaim(attacker, failing, 503, 'unavailable');
    expect(faults, 'D-230: to wait for the cluster is no fault').not.toHaveBeenCalled();
    faults.mockRestore();
    await expectHonestClaim();
    await expectNoClaim(attacker, failing, 400, 'chain_refused');
  });

  it('with a blockhash that has expired: 400, and no claim', async () => {
    const attacker = await anotherUser(app);
    const blockhash = randomAddress();
    const expired = await transfer(app, market, ticket, attacker.wallet_address, { blockhash });
    bendStatuses(processed());
    await expectNoClaim(attacker, expired, 400, 'blockhash_expired');
    await expectHonestClaim();
  });

  it('of the marketplace: a claim, confirmed once the cluster confirms it', async () => {
    const listed = await accountsBefore(ticket);
    await app.connection.sendRawTransaction(bytes);
    let asked = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getMultipleAccounts' && asked === 0) return { reply: listed };
      if (method !== 'getSignatureStatuses') return 'pass';
      asked += 1;
      return asked < 3 ? processed() : 'pass';
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed();
  });
});

/** What a node answers about a permit now: later, what one answers that is behind. */
async function accountsBefore({ permit }: TestTicket): Promise<RpcReply> {
  const params = [[permit], { commitment: 'confirmed', encoding: 'base64' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(app.network.url, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as RpcReply;
  return { result };
}

describe('nodes that differ', () => {
  it('the permit has moved, but the status is only processed: 503, and no claim yet', async () => {
    await app.connection.sendRawTransaction(bytes);
    bendStatuses(processed());
    await expectNoClaim(buyer, bytes, 503, 'unavailable');
    await expectHonestClaim();
  });

  it('the permit has moved, but the node that is asked for the status is behind: 503, and no claim yet', async () => {
    await app.connection.sendRawTransaction(bytes);
    bendStatuses(() => ({ result: { context: { slot: 1 }, value: [null] } }));
    await expectNoClaim(buyer, bytes, 503, 'unavailable');
    await expectHonestClaim();
  });

  it('the blockhash is unknown to a node that is behind the permit: 503, and no claim yet', async () => {
    const lagging = { result: { context: { slot: 1 }, value: false } };
    app.proxy.setRule(({ method }): Fate => (method === 'isBlockhashValid' ? { reply: lagging } : 'pass'));
    const blockhash = await unseenBlockhash(app);
    const early = await transfer(app, market, ticket, buyer.wallet_address, { blockhash });
    await expectNoClaim(buyer, early, 503, 'unavailable');
    await expectHonestClaim();
  });
});

it('a transfer that lands while it is judged is claimed', async () => {
  let landed = false;
  app.proxy.setRule(async ({ method }): Promise<Fate> => {
    if (method === 'getSignatureStatuses' && !landed) {
      landed = true;
      await land(app, bytes);
    }
    return 'pass';
  });
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  expect(app.proxy.count('sendTransaction')).toBe(0);
  await expectClaimed();
});

describe('a claim remembers the slot of the state by which it was judged', () => {
  async function judgedSlot(): Promise<number | undefined> {
    const [row] = await rows<{ slot: number }>(app, 'select judged_slot::int as slot from claim where signature = $1', [
      signatureOf(bytes),
    ]);
    return row?.slot;
  }

  it.each([
    ['the blockhash was valid', 'isBlockhashValid'],
    ['the permit was where its signer may move it', 'getMultipleAccounts'],
  ])('where %s, if that is the later one', async (_, later) => {
    const slot = (await app.connection.getSlot()) + 1_000;
    const blockhash = await unseenBlockhash(app);
    bytes = await transfer(app, market, ticket, buyer.wallet_address, { blockhash });
    let asked = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method === 'getSignatureStatuses') asked += 1;
      if (asked === 2) return 'away';
      if (method !== later || asked > 0) return 'pass';
      return ({ result }) => ({ result: { ...(result as object), context: { slot } } });
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await judgedSlot()).toBe(slot);
    await rows(app, `update claim set state = 'failed' where signature = $1`, [signatureOf(bytes)]);
  });

  it('where it has landed already', async () => {
    await land(app, bytes);
    const { value } = await app.connection.getSignatureStatus(signatureOf(bytes));
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await judgedSlot()).toBe(value?.slot);
  });
});

it('the claim of another wallet is never told, whatever its signature', async () => {
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
  await rows(app, 'update claim set destination_wallet = $2 where signature = $1', [
    signatureOf(bytes),
    stage.seller.wallet_address,
  ]);
  const answer = await claim(app, buyer, [bytes]);
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
    status: 404,
    code: 'not_found',
  });
});

describe('D-185: of several nodes behind one URL, one lags', () => {
  /** The accounts before the listing, as a node that lags has them: held, some slots ago. */
  const beforeTheListing = (reply: RpcReply): RpcReply => {
    const { context, value } = reply.result as { context: { slot: number }; value: { data: [string, string] }[] };
    const older = value.map((account) => {
      const data = Buffer.from(account.data[0], 'base64').fill(0, 104, 145);
      return { ...account, data: [data.toString('base64'), 'base64'] };
    });
    return { result: { context: { ...context, slot: context.slot - 3 }, value: older } };
  };
  const bendFirst = (count: number, bend: (reply: RpcReply) => RpcReply) => {
    let seen = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method !== 'getMultipleAccounts') return 'pass';
      seen += 1;
      return seen <= count ? bend : 'pass';
    });
  };

  it('and does not have the listing yet: the claim is judged by the newest state, and goes through', async () => {
    bendFirst(1, beforeTheListing);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectClaimed();
    const asked = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
    const slots = asked.map(({ params }) => (params[1] as { minContextSlot: number }).minContextSlot);
    expect(slots[0]).toBe(0);
    expect(slots[1]).toBeGreaterThan(0);
  });

  it('a listing that is gone by the newest state too: 404, and no claim', async () => {
    bendFirst(2, beforeTheListing);
    await expectNoClaim(buyer, bytes, 404, 'not_found');
    await expectHonestClaim();
  });
});
