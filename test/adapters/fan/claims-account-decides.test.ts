import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { EVENT_DISCRIMINATORS } from '@fan-api/ticket-program/description';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../packages/localnet/test/test-network.ts';
import { confirmClaims } from '../../../src/claim/end-claims.ts';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../../support/rpc-proxy.ts';
import {
  claim,
  land,
  type Marketplace,
  onChain,
  putOnSale,
  randomAddress,
  signatureOf,
  transfer,
} from '../../support/ticket-transactions.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';
import { claimsStage, from } from './claims-stage.ts';

/** A status says that a transfer landed; the permit's account decides whether the claim is confirmed. */
const stage = claimsStage();
const { stateOf, auditOf, holder, expectClaimed } = stage;
let app: ChainApp;
let market: Marketplace;
let seller: User;
let buyer: User;
let ticket: TestTicket;
let bytes: Buffer;
beforeEach(() => {
  ({ app, market, seller, buyer, ticket, bytes } = stage);
});

/** The node says that whatever it is asked about has landed; the first questions, `passing` of them, it answers as it is. */
async function saysLanded(others: (method: string) => Fate = () => 'pass', passing = 1): Promise<void> {
  const { slot } = await onChain(app, ticket);
  const status = { slot, confirmations: null, err: null, confirmationStatus: 'confirmed' };
  const reply = { result: { context: { slot }, value: [status] } };
  let asked = 0;
  app.proxy.setRule(({ method }): Fate => {
    if (method !== 'getSignatureStatuses') return others(method);
    asked += 1;
    return asked <= passing ? 'pass' : { reply };
  });
}

/** A `getTransaction` answer. */
function ran(err: unknown, ...logMessages: string[]): Fate {
  return { reply: { result: { meta: { err, logMessages } } } };
}

/** The line by which the program reports a transfer. */
function transferLog(
  permit: string,
  to: string,
  name: keyof typeof EVENT_DISCRIMINATORS = 'PermitTransferred',
): string {
  const addresses = [permit, seller.wallet_address, to].map(addressBytes);
  return `Program data: ${Buffer.concat([EVENT_DISCRIMINATORS[name], ...addresses, Buffer.alloc(8)]).toString('base64')}`;
}

async function setAsideOf(transaction: Buffer): Promise<string | null | undefined> {
  const [row] = await rows<{ set_aside: string | null }>(app, 'select set_aside from claim where signature = $1', [
    signatureOf(transaction),
  ]);
  return row?.set_aside;
}

/** After a claim that was answered without an end. */
async function settleLater(): Promise<void> {
  app.advance(60);
  await settleDueClaims(app.context(), 0);
  app.resetClock();
}

describe('a status says landed, and the permit has not moved', () => {
  it('nothing is confirmed, however often it is asked; once the node is right, the claim goes on', async () => {
    await saysLanded();
    for (const _ of [1, 2]) {
      expect((await claim(app, buyer, [bytes])).status).toBe(503);
      expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
      expect(await setAsideOf(bytes)).toMatch(/the permit is not the buyer’s/);
      expect(await auditOf(bytes)).toEqual([]);
      expect(await holder(ticket)).toBe(seller.wallet_address);
    }
    app.proxy.reset();
    await settleLater();
    await expectClaimed();
  });

  it('once its blockhash has expired, the claim fails, and its permit is free', async () => {
    await saysLanded();
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({
      state: 'failed',
      failure: 'the ticket did not move before its blockhash expired',
    });
    const [row] = await rows(
      app,
      'select set_aside, attempts, next_attempt_at is not null as looked_at from claim where signature = $1',
      [signatureOf(bytes)],
    );
    expect(row).toEqual({ set_aside: null, attempts: 0, looked_at: true });
    app.proxy.reset();
    const payer = await app.network.funded();
    const another = await transfer(app, market, ticket, buyer.wallet_address, {
      payer,
      signers: [payer, market.wallet],
    });
    expect((await claim(app, buyer, [another])).status).toBe(200);
  });

  it('not while the node that says so is behind', async () => {
    await saysLanded();
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    const lagging: RpcReply = { result: { context: { slot: 1 }, value: false } };
    await saysLanded((method) => (method === 'isBlockhashValid' ? { reply: lagging } : 'pass'), 0);
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
  });

  it.each<[string, () => Fate]>([
    ['reported nothing', () => ran(null, 'Program log: done')],
    ['reported a transfer of another permit', () => ran(null, transferLog(randomAddress(), buyer.wallet_address))],
    ['reported a transfer to somebody else', () => ran(null, transferLog(ticket.permit, randomAddress()))],
    ['reported something else', () => ran(null, transferLog(ticket.permit, buyer.wallet_address, 'ListingCreated'))],
    [
      'has another line that looks like a report',
      () => ran(null, transferLog(ticket.permit, buyer.wallet_address).replace('data', 'text')),
    ],
    ['reported something too short', () => ran(null, 'Program data: Zm9v')],
    ['reported a transfer cut short', () => ran(null, transferLog(ticket.permit, buyer.wallet_address).slice(0, -12))],
    ['failed', () => ran('AccountInUse', transferLog(ticket.permit, buyer.wallet_address))],
  ])('and the transaction %s: the claim fails for good', async (_, answer) => {
    await saysLanded((method) => (method === 'getTransaction' ? answer() : 'pass'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({
      state: 'failed',
      failure: 'it ran, but the ticket did not move to the buyer',
    });
    expect(await holder(ticket)).toBe(seller.wallet_address);
    const [row] = await rows(app, 'select next_attempt_at from claim where signature = $1', [signatureOf(bytes)]);
    expect(row).toEqual({ next_attempt_at: null });
  });

  it.each<[string, Fate]>([
    ['the node has not kept', { reply: { result: null } }],
    ['has no logs', { reply: { result: { meta: { err: null, logMessages: null } } } }],
    ['the node can not give', { reply: { error: { code: -32015, message: 'Transaction version is not supported' } } }],
  ])('and the transaction is one that %s: nothing is decided', async (_, answer) => {
    await saysLanded((method) => (method === 'getTransaction' ? answer : 'pass'));
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    expect(await setAsideOf(bytes)).toMatch(/the permit is not the buyer’s/);
  });
});

it('a node that is away while the transaction is asked for is no fault of the claim', async () => {
  await saysLanded((method) => (method === 'getTransaction' ? 'away' : 'pass'));
  expect((await claim(app, buyer, [bytes])).status).toBe(503);
  expect(await setAsideOf(bytes)).toBeNull();
});

describe('a transfer landed, and the buyer has passed the ticket on since', () => {
  async function passedOn(): Promise<void> {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    await land(app, bytes);
    await settleSale();
  }

  /** The buyer sells it to somebody outside this service, before the service has looked. */
  async function settleSale(): Promise<void> {
    await rows(
      app,
      `update ticket t set owner_id = w.fan_id from wallet w, permit p
       where p.ticket_id = t.id and p.tix_permit_id = $1 and w.address = $2`,
      [ticket.permit, buyer.wallet_address],
    );
    await putOnSale(app, market, ticket, buyer);
    await land(app, await transfer(app, market, ticket, randomAddress()));
  }

  it('the claim is confirmed, and the ticket is where the chain has it', async () => {
    await passedOn();
    await settleDueClaims(app.context(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
    expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
    expect(await holder(ticket)).toBeUndefined();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
  });

  it('a node that does not have the transaction leaves it open, and one that has it confirms it', async () => {
    await passedOn();
    app.proxy.setRule(only({ reply: { result: null } }, 'getTransaction'));
    await settleDueClaims(app.context(), 0);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    app.proxy.reset();
    await settleLater();
    expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
  });

  it('the same request finds the confirmation of another process', async () => {
    await passedOn();
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method !== 'getTransaction') return 'pass';
      await rows(app, `update claim set state = 'confirmed' where signature = $1`, [signatureOf(bytes)]);
      return 'pass';
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(await auditOf(bytes)).toEqual([]);
  });
});

it('a permit that can not be read confirms nothing, whatever the status and the transaction say', async () => {
  app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
  await claim(app, buyer, [bytes]);
  app.proxy.reset();
  await land(app, bytes);
  // as an older state has it
  await rows(
    app,
    `update ticket t set owner_id = w.fan_id from wallet w, permit p
     where p.ticket_id = t.id and p.tix_permit_id = $1 and w.address = $2`,
    [ticket.permit, buyer.wallet_address],
  );
  await rows(app, 'update permit set chain_slot = 1 where tix_permit_id = $1', [ticket.permit]);
  await expectSetAsideUntilRead();
});

it('a permit that was read in the slot of the transfer, but before it, is read again, whatever the transaction says', async () => {
  app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
  await claim(app, buyer, [bytes]);
  app.proxy.reset();
  await land(app, bytes);
  const { slot } = await onChain(app, ticket);
  await rows(app, 'update permit set chain_slot = $2 where tix_permit_id = $1', [ticket.permit, slot]);
  await expectSetAsideUntilRead();
});

/** While the node says that there is no such permit, the claim stays open. */
async function expectSetAsideUntilRead(): Promise<void> {
  const missing = (reply: RpcReply): RpcReply => ({ result: { ...(reply.result as object), value: [null] } });
  app.proxy.setRule(only(missing, 'getMultipleAccounts'));
  await settleDueClaims(app.context(), 0);
  expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
  expect(await setAsideOf(bytes)).toBe('its permit could not be read at the slot of the transfer');
  app.proxy.reset();
  await settleLater();
  await expectClaimed();
}

it('two processes that confirm at once leave one confirmation', async () => {
  app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
  await claim(app, buyer, [bytes]);
  app.proxy.reset();
  await rows(app, 'update permit set chain_slot = 2 where tix_permit_id = $1', [ticket.permit]);
  const [open] = await stage.openClaims();
  if (!open) throw new Error('there is no claim');
  const { pool } = app.runtime;
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from claim where id = $1 for update', [open.id]);
  const both = [1, 2].map(() =>
    confirmClaims(pool, app.context().now(), [{ claim: open, slot: 1, permitRead: true, requestId: null }], true),
  );
  await until(async () => (await waitingForALock(app)) === 2);
  await client.query('commit');
  client.release();
  const confirmed = (await Promise.all(both)).flat().filter((one) => one.confirmed);
  expect(confirmed).toHaveLength(1);
  expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
});

describe('a confirmed claim that is looked at again', () => {
  /** The node knows nothing of the transaction. @param owner of the permit as it tells; undefined: it has no such permit */
  function leavesOut(owner: string | undefined): void {
    const bend = (each: (account: { data: [string, string] }) => unknown) => (reply: RpcReply) => {
      const { context, value } = reply.result as { context: object; value: { data: [string, string] }[] };
      return { result: { context, value: value.map(each) } };
    };
    const none = bend(() => null);
    const owned = bend((account) => {
      const data = Buffer.from(account.data[0], 'base64');
      const at = data.indexOf(addressBytes(buyer.wallet_address));
      if (at >= 0 && owner !== undefined) data.set(addressBytes(owner), at);
      return { ...account, data: [data.toString('base64'), 'base64'] };
    });
    app.proxy.setRule(({ method }) => {
      if (method === 'getSignatureStatuses') return none;
      if (method === 'getMultipleAccounts') return owner === undefined ? none : owned;
      return 'pass';
    });
  }
  const look = () => settleDueClaims(app.context(), 0);

  beforeEach(async () => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
  });

  it('stays confirmed while the node has neither its transaction nor its permit', async () => {
    leavesOut(undefined);
    const slotAfterLook = async () => {
      await look();
      const [claimed] = await rows<{ slot: number }>(
        app,
        'select unfinal_slot::float8 as slot from claim where signature = $1',
        [signatureOf(bytes)],
      );
      return claimed?.slot;
    };
    const before = await slotAfterLook();
    // it does not stand before those that can be judged
    await expect.poll(slotAfterLook).toBeGreaterThan(before ?? Number.NaN);
    for (let looks = 0; looks < 3; looks += 1) await look();
    expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
    app.proxy.reset();
    await look();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
  });

  it('is opened again once three looks in a row say that its transaction is gone and the permit another’s', async () => {
    for (const looks of [2, 2]) {
      leavesOut(seller.wallet_address);
      for (let done = 0; done < looks; done += 1) await look();
      expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
      leavesOut(undefined);
      await look();
    }
    leavesOut(seller.wallet_address);
    for (let looks = 0; looks < 3; looks += 1) await look();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed', 'claim.reopened']);
    app.proxy.reset();
    await settleLater();
    expect(await auditOf(bytes)).toEqual(['claim.confirmed', 'claim.reopened', 'claim.confirmed']);
  });
});
