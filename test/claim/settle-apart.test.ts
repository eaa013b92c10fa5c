import pino from 'pino';
import { register } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChainGateway } from '../../src/chain/gateway/gateway.ts';
import { settleLeftClaims } from '../../src/claim/settle-left-claims.ts';
import { until } from '../chain/localnet/test-network.ts';
import { claimsStage, from } from '../fan/claims-stage.ts';
import { type ChainApp, moreTickets, rows, type TestTicket, type User } from '../support/chain-app.ts';
import type { Fate, RpcReply } from '../support/rpc-proxy.ts';
import { claim, signatureOf } from '../support/ticket-transactions.ts';

/** Issue 9, A1: one claim that can't be settled never holds up another. */
const stage = claimsStage(34);
const { next, stateOf, holder, expectClaimed } = stage;
let app: ChainApp;
let buyer: User;
/** The claim that goes well. */
let bytes: Buffer;
/** The one that makes trouble. */
let badTicket: TestTicket;
let bad: Buffer;
let logged: { level: number; msg: string; signature?: string; reason?: string; step?: string }[];
beforeEach(async () => {
  ({ app, buyer, bytes } = stage);
  [badTicket, bad] = await next();
  app.proxy.reset();
  logged = [];
});
afterEach(async () => {
  app.resetClock();
  await rows(app, 'drop trigger if exists refuse on permit');
  await rows(app, `update claim set state = 'failed', next_attempt_at = null where state in ('pending', 'submitted')`);
});

/** A context of the job whose log the test reads. */
function context() {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  return { ...app.context(), log };
}

/** The job, some time later. */
async function settle(secondsLater = 0): Promise<void> {
  app.advance(secondsLater);
  await settleLeftClaims(context(), 0);
}

/** Two claims that are written and not submitted. */
async function twoWritten(): Promise<void> {
  app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
  await claim(app, buyer, [bytes, bad]);
  app.proxy.reset();
  expect(await stateOf(bytes)).toMatchObject({ state: 'pending' });
  expect(await stateOf(bad)).toMatchObject({ state: 'pending' });
}

async function trouble() {
  const [row] = await rows<{ set_aside: string | null; attempts: number; wait: number }>(
    app,
    `select set_aside, attempts, extract(epoch from next_attempt_at - $2)::float8 as wait from claim where signature = $1`,
    [signatureOf(bad), app.runtime.now()],
  );
  return row;
}

async function counted(step: string): Promise<number> {
  const metric = await register.getSingleMetric('claims_set_aside_total')?.get();
  return metric?.values.find(({ labels }) => labels.step === step && labels.mode === 'sandbox')?.value ?? 0;
}

/** The other claim has come to its end; this one is open, told in the console's columns, and counted. */
async function expectSetAside(step: string, reason: RegExp, before: number): Promise<void> {
  await expectClaimed();
  expect((await stateOf(bad))?.state).toMatch(/^(pending|submitted)$/);
  expect(await trouble()).toMatchObject({ set_aside: expect.stringMatching(reason), attempts: 1 });
  expect(await counted(step)).toBe(before + 1);
}

async function expectSettledAtLast(): Promise<void> {
  app.proxy.reset();
  await settle(60);
  expect(await stateOf(bad)).toEqual({ state: 'confirmed', failure: null });
  expect(await holder(badTicket)).toBe(buyer.wallet_address);
  expect(await trouble()).toMatchObject({ set_aside: null });
}

/** Replies of a method that concern an address or signature are bent. */
function bend(method: string, of: string, fate: Fate): void {
  app.proxy.setRule(
    (call): Fate => (call.method === method && JSON.stringify(call.params).includes(of) ? fate : 'pass'),
  );
}

/** An error where one is asked about, also among others. */
const refusal: Fate = { reply: { error: { code: -32602, message: 'Invalid param: of this one' } } };

async function refuseToStore(): Promise<void> {
  await rows(
    app,
    `create or replace function refuse() returns trigger language plpgsql as
     $$ begin raise exception 'this permit can not be stored'; end $$`,
  );
  await rows(
    app,
    `create trigger refuse before update on permit for each row when (old.tix_permit_id = '${badTicket.permit}') execute function refuse()`,
  );
}

/** The data of the troubled permit's account is of no shape that the program knows. */
function malformed(reply: RpcReply, addresses: unknown): RpcReply {
  const result = reply.result as { value: ({ data: [string, string] } | null)[] };
  const at = (addresses as string[]).indexOf(badTicket.permit);
  const value = result.value.map((account, index) =>
    account && index === at ? { ...account, data: ['AAAA', 'base64'] } : account,
  );
  return { result: { ...result, value } };
}

describe('a claim that can not be settled is set aside, and the other one is confirmed', () => {
  it('its permit can not be stored', async () => {
    await twoWritten();
    await refuseToStore();
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /can not be stored/, before);
    await rows(app, 'drop trigger refuse on permit');
    await expectSettledAtLast();
  });

  it('its permit can not be read', async () => {
    await twoWritten();
    app.proxy.setRule(({ method, params }): Fate => {
      const [addresses] = params;
      return method === 'getMultipleAccounts' ? (reply) => malformed(reply, addresses) : 'pass';
    });
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /./, before);
    await expectSettledAtLast();
  });

  it('no node comes to the slot where it is said to have landed', async () => {
    await twoWritten();
    let landed = false;
    app.proxy.setRule(({ method, params }): Fate => {
      if (method === 'sendTransaction') landed = true;
      if (method !== 'getSignatureStatuses' || !landed) return 'pass';
      const [signatures] = params as [string[]];
      return (reply) => {
        const result = reply.result as { value: object[] };
        const value = result.value.map((status, index) =>
          signatures[index] === signatureOf(bad) ? { ...status, slot: 1_000_000_000 } : status,
        );
        return { result: { ...result, value } };
      };
    });
    const before = await counted('permit');
    await settle();
    await expectSetAside('permit', /-32016/, before);
    await expectSettledAtLast();
  });

  it('its submission throws', async () => {
    await twoWritten();
    const { gateway } = app.chain;
    const submit: ChainGateway['submit'] = async (transaction, notBefore) => {
      if (Buffer.from(transaction).equals(bad)) throw new Error('a fault of our own');
      return gateway.submit(transaction, notBefore);
    };
    const before = await counted('submission');
    const chains = { sandbox: { ...app.chain, gateway: { ...gateway, submit } } };
    await settleLeftClaims({ ...context(), chains }, 0);
    await expectSetAside('submission', /^a fault of our own$/, before);
    await expectSettledAtLast();
  });

  it('the node refuses to look its status up', async () => {
    await twoWritten();
    bend('getSignatureStatuses', signatureOf(bad), refusal);
    const before = await counted('status');
    await settle();
    await expectSetAside('status', /-32602/, before);
    await expectSettledAtLast();
  });

  it('the node answers about its status in another shape', async () => {
    await twoWritten();
    bend('getSignatureStatuses', signatureOf(bad), { reply: { result: { context: {}, value: [7, 7] } } });
    const before = await counted('status');
    await settle();
    await expectSetAside('status', /getSignatureStatuses/, before);
    await expectSettledAtLast();
  });

  it('the node refuses to look its blockhash up', async () => {
    await twoWritten();
    const [row] = await rows<{ recent_blockhash: string }>(
      app,
      `update claim set recent_blockhash = 'x' where signature = $1 returning
         (select recent_blockhash from claim where signature = $1) as recent_blockhash`,
      [signatureOf(bad)],
    );
    const before = await counted('blockhash');
    await settle();
    await expectSetAside('blockhash', /isBlockhashValid/, before);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bad),
      row?.recent_blockhash,
    ]);
    await expectSettledAtLast();
  });

  it('nor is it alone in asking: a node that answers about the others only', async () => {
    await twoWritten();
    const [row] = await rows<{ recent_blockhash: string }>(
      app,
      `update claim set recent_blockhash = 'y' where signature = $1 returning
         (select recent_blockhash from claim where signature = $1) as recent_blockhash`,
      [signatureOf(bad)],
    );
    bend('isBlockhashValid', 'y', 'away');
    const before = await counted('blockhash');
    await settle();
    await expectSetAside('blockhash', /./, before);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bad),
      row?.recent_blockhash,
    ]);
    await expectSettledAtLast();
  });
});

it('of one request, the others are confirmed: 503, and the same request again finds the rest', async () => {
  await refuseToStore();
  const answer = await claim(app, buyer, [bytes, bad]);
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  await expectClaimed();
  expect(await trouble()).toMatchObject({ attempts: 1 });
  await rows(app, 'drop trigger refuse on permit');
  expect((await claim(app, buyer, [bytes, bad])).status).toBe(200);
  expect(await trouble()).toMatchObject({ set_aside: null });
});

it('alone in its run, it is set aside all the same', async () => {
  await refuseToStore();
  expect((await claim(app, buyer, [bad])).status).toBe(503);
  expect(await trouble()).toMatchObject({ attempts: 1, set_aside: 'this permit can not be stored' });
});

describe('a claim that was set aside', () => {
  it('is tried again after growing pauses, logged once, and counted each time', async () => {
    await twoWritten();
    await refuseToStore();
    const before = await counted('permit');
    await settle();
    for (const [index, pause] of [5, 10, 20, 40, 80, 160, 300, 300].entries()) {
      const row = await trouble();
      expect(row).toMatchObject({ attempts: index + 1 });
      expect(Math.abs((row?.wait ?? 0) - pause), `pause ${index}`).toBeLessThan(4);
      app.proxy.reset();
      await settle(row ? row.wait - 2 : 0);
      expect(app.proxy.calls).toEqual([]);
      await settle(3);
    }
    expect(await counted('permit')).toBe(before + 9);
    expect(logged.filter(({ signature }) => signature === signatureOf(bad))).toMatchObject([
      { level: 40, step: 'permit', reason: 'this permit can not be stored' },
    ]);
    expect(logged).toHaveLength(1);
  });

  it('is no reason to call the cluster away; a cluster that is away sets nobody aside', async () => {
    await twoWritten();
    app.proxy.setRule(() => 'away');
    await expect(settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await trouble()).toMatchObject({ set_aside: null, attempts: 0 });
    app.proxy.reset();
    app.proxy.setRule((call): Fate => (call.method === 'getSignatureStatuses' ? 'away' : 'pass'));
    await expect(settle()).rejects.toMatchObject({ code: 'unavailable' });
    // one question, at most three times: claims are not asked after one by one
    expect(app.proxy.count('getSignatureStatuses')).toBe(3);
    app.proxy.reset();
    app.proxy.setRule((call): Fate => (call.method === 'getMultipleAccounts' ? 'away' : 'pass'));
    await expect(settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect(app.proxy.count('getMultipleAccounts')).toBe(3);
    expect(await trouble()).toMatchObject({ set_aside: null, attempts: 0 });
    app.proxy.reset();
    app.proxy.setRule(
      (call): Fate =>
        call.method === 'getSignatureStatuses'
          ? { reply: { error: { code: -32005, message: 'Node is behind by 42 slots' } } }
          : 'pass',
    );
    await expect(settle()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await trouble()).toMatchObject({ set_aside: null, attempts: 0 });
  });
});

describe('more stuck claims than one run takes', () => {
  /** Open claims since long before the others, whose trouble never ends. */
  async function stuck(count: number): Promise<void> {
    const tickets = await moreTickets(app, stage.seller, { count, issue: false });
    await rows(
      app,
      `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash,
         state, created_at, updated_at)
       select gen_random_uuid(), 'stuck ' || p.tix_permit_id, (select id from consent_grant limit 1), p.id, 'x', 'x', '00', 'x',
         'pending', now() - interval '1 hour', now() - interval '1 hour' from permit p where p.tix_permit_id = any($1)`,
      [tickets.map(({ permit }) => permit)],
    );
  }

  it('do not starve the rest, whether they make trouble or are only waited for', async () => {
    await stuck(105);
    await twoWritten();
    await settle();
    await settle();
    await expectClaimed();
    // each is waited for: seen, but never confirmed
    await rows(
      app,
      `update claim set state = 'failed', next_attempt_at = null where state in ('pending', 'submitted')`,
    );
    await rows(app, `delete from claim where signature like 'stuck%'`);
    const [, waiting] = await next();
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [waiting]);
    app.proxy.reset();
    await stuck(105);
    const seen = { slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' };
    app.proxy.setRule(({ method, params }): Fate => {
      if (method === 'isBlockhashValid' && params[0] === 'x') {
        return { reply: { result: { context: { slot: 1 }, value: true } } };
      }
      const [signatures] = params as [string[]];
      if (method !== 'getSignatureStatuses' || !signatures.some((signature) => signature.startsWith('stuck')))
        return 'pass';
      const value = signatures.map((signature) => (signature.startsWith('stuck') ? seen : null));
      return { reply: { result: { context: { slot: 1 }, value } } };
    });
    await settle();
    await settle();
    await until(async () => (await stateOf(waiting))?.state !== 'pending');
  });
});

it('processes that settle at once take different claims', async () => {
  await twoWritten();
  app.advance(11);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  app.proxy.setRule(async ({ method }): Promise<Fate> => {
    if (method === 'getSignatureStatuses') await held;
    return 'pass';
  });
  const first = settleLeftClaims(context());
  await until(async () => app.proxy.count('getSignatureStatuses') === 1);
  await settleLeftClaims(context());
  expect(app.proxy.count('getSignatureStatuses')).toBe(1);
  goOn();
  await first;
  await expectClaimed();
});

it('a claim that somebody holds is left to them, and the others go on', async () => {
  await twoWritten();
  const client = await app.runtime.pool.connect();
  await client.query('begin');
  await client.query('select from claim where signature = $1 for update', [signatureOf(bad)]);
  await settle();
  await expectClaimed();
  expect(await stateOf(bad)).toMatchObject({ state: 'pending' });
  await client.query('rollback');
  client.release();
  await expectSettledAtLast();
});
