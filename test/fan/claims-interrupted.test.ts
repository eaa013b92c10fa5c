import { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { followChains } from '../../adapters/follow-chains.ts';
import type { Chain } from '../../src/chain/chains.ts';
import { settleClaims } from '../../src/claim/settle-claims.ts';
import { settleLeftClaims } from '../../src/claim/settle-left-claims.ts';
import { DomainError } from '../../src/errors.ts';
import { until } from '../chain/localnet/test-network.ts';
import { type ChainApp, rows, startChainApp, type TestTicket, type User } from '../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listedTickets,
  type Marketplace,
  onChain,
  randomAddress,
  signatureOf,
  signedBytes,
  transfer,
} from '../support/ticket-transactions.ts';

/** Chain §4: what is left of a claim when the network or the process goes away at some point of it, and how it ends. */
let app: ChainApp;
let market: Marketplace;
let seller: User;
let buyer: User;
let tickets: TestTicket[];
beforeAll(async () => {
  app = await startChainApp();
  market = await fundedMarketplace(app);
  [seller, buyer] = app.users;
  tickets = await listedTickets(app, market, seller, 40);
});
afterAll(() => app.stop());

let ticket: TestTicket;
let bytes: Buffer;
beforeEach(async () => {
  [ticket, bytes] = await next();
  app.proxy.reset();
});
afterEach(() => app.proxy.reset());

/** A listed ticket that no test has used yet, and a transfer of it to the buyer. */
async function next(): Promise<[TestTicket, Buffer]> {
  const unused = tickets.pop();
  if (!unused) throw new Error('more tickets are needed');
  return [unused, await transfer(app, market, unused, buyer.wallet_address)];
}

async function stateOf(transaction: Uint8Array) {
  const [row] = await rows<{ state: string; failure: string | null }>(
    app,
    'select state, failure from claim where signature = $1',
    [signatureOf(transaction)],
  );
  return row;
}

async function holder(of: TestTicket): Promise<string | undefined> {
  const [row] = await rows<{ address: string }>(
    app,
    'select w.address from ticket t join permit p on p.ticket_id = t.id join wallet w on w.fan_id = t.owner_id where p.tix_permit_id = $1',
    [of.permit],
  );
  return row?.address;
}

async function auditOf(transaction: Uint8Array): Promise<string[]> {
  const found = await rows<{ action: string }>(app, 'select action from audit_entry where subject = $1', [
    signatureOf(transaction),
  ]);
  return found.map(({ action }) => action);
}

/** The claim as a process holds it while it settles it. */
function openClaims() {
  return rows<Parameters<typeof settleClaims>[2][number]>(
    app,
    `select cl.id, cl.signature, cl.transaction, cl.recent_blockhash, cl.state, cl.failure, p.tix_permit_id
     from claim cl join permit p on p.id = cl.permit_id where cl.signature = $1`,
    [signatureOf(bytes)],
  );
}

async function expectClaimed(): Promise<void> {
  expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
  expect(await auditOf(bytes)).toEqual(['claim.confirmed']);
  expect(await holder(ticket)).toBe(buyer.wallet_address);
  expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
  const transfers = await app.connection.getSignaturesForAddress(new PublicKey(ticket.permit));
  expect(transfers.filter(({ signature }) => signature === signatureOf(bytes))).toHaveLength(1);
}

async function expectUnavailable(answer: Awaited<ReturnType<typeof claim>>): Promise<void> {
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

/** The n-th call of a method, and all after it, meet this fate. */
function from(nth: number, method: string, fate: Fate) {
  let seen = 0;
  return (call: { method: string }): Fate => {
    if (call.method === method) seen += 1;
    return seen >= nth && call.method === method ? fate : 'pass';
  };
}

describe('the network goes away', () => {
  it('before: 503, and nothing is written', async () => {
    app.proxy.setRule(only('away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toBeUndefined();
    app.proxy.reset();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectClaimed();
  });

  it('between the row and the submission: 503, the row waits, and the job finishes it', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toMatchObject({ state: 'pending' });
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.proxy.reset();
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('during: the answer of the submission is lost, and the claim is confirmed by its signature, submitted once', async () => {
    app.proxy.setRule(only('lose answer', 'sendTransaction'));
    const answer = await claim(app, buyer, [bytes]);
    expect(answer.status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(1);
    await expectClaimed();
  });

  it('during: the submission never arrives, and is handed over again', async () => {
    let lost = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method !== 'sendTransaction' || lost > 0) return 'pass';
      lost += 1;
      return 'away';
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(2);
    await expectClaimed();
  });

  it('after the submission: 503, then the same request finishes it, submitting nothing', async () => {
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    app.proxy.reset();
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed();
  });

  it('after the submission: 503, then the job finishes it, submitting nothing', async () => {
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    app.proxy.reset();
    await settleLeftClaims(app.context(), 0);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed();
  });

  it('after the confirmation was seen: the owner can not be read, so nothing is told confirmed yet', async () => {
    app.proxy.setRule(from(2, 'getMultipleAccounts', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(await holder(ticket)).toBe(seller.wallet_address);
    app.proxy.reset();
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('and swallows the transaction: the claim stays open for the job, which hands it over again', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    app.proxy.reset();
    app.proxy.setRule(only({ reply: { result: signatureOf(bytes) } }, 'sendTransaction'));
    await settleClaims(app.context(), 'sandbox', await openClaims(), 300);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(app.proxy.count('sendTransaction')).toBe(1);
    app.proxy.reset();
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('in one mode: claims of the other are settled all the same', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    app.proxy.reset();
    const away = new DomainError('unavailable', 'away');
    const gateway = new Proxy({} as Chain['gateway'], { get: () => () => Promise.reject(away) });
    const { grant, permit } = await productionClaim();
    const context = app.context();
    const chains = { production: { ...app.chain, gateway }, sandbox: app.chain };
    await expect(settleLeftClaims({ ...context, chains }, 0)).rejects.toBe(away);
    await expectClaimed();
    await rows(app, 'delete from claim where grant_id = $1 and permit_id = $2', [grant, permit]);
  });

  /** An open claim of a production client, so that the job has something to ask the cluster of that mode. */
  async function productionClaim(): Promise<{ grant: string; permit: string }> {
    const [made] = await rows<{ grant: string; permit: string }>(
      app,
      `with c as (
         insert into client (id, partner_id, name, mode, status, redirect_uris, cors_origins, scopes, created_at, updated_at)
         select gen_random_uuid(), partner_id, name, 'production', 'enabled', redirect_uris, cors_origins, scopes, now(), now()
         from client limit 1 returning id
       ), g as (
         insert into consent_grant select (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'client_id', c.id))).*
         from consent_grant g, c limit 1 returning id
       ), cl as (
         insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction,
           recent_blockhash, state, created_at, updated_at)
         select gen_random_uuid(), 'of production', g.id, p.id, 'x', 'x', '00', 'x', 'pending', now(), now()
         from g, permit p order by p.created_at limit 1 returning grant_id, permit_id
       ) select grant_id as grant, permit_id as permit from cl`,
    );
    if (!made) throw new Error('no production claim');
    return made;
  }
});

describe('the process goes away', () => {
  it.each([
    ['before the submission', 'pending'],
    ['between submission and confirmation', 'submitted'],
  ])('%s: another process over the same database finishes the claim', async (_, state) => {
    app.proxy.setRule(from(state === 'pending' ? 2 : 3, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    expect(await stateOf(bytes)).toMatchObject({ state });
    app.proxy.reset();
    const another = await startChainApp({ beside: app });
    try {
      await settleLeftClaims(another.context(), 0);
      await expectClaimed();
    } finally {
      await another.stop();
    }
  });

  it('a claim that was touched a moment ago is still somebody’s: the job leaves it', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    await settleLeftClaims(app.context());
    expect(await stateOf(bytes)).toMatchObject({ state: 'pending' });
    app.advance(11);
    await settleLeftClaims(app.context());
    app.resetClock();
    await expectClaimed();
  });

  it('every process that serves takes up what a crash left, without waiting for the queue', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    app.advance(11);
    const following = followChains(app.runtime);
    try {
      await until(async () => (await stateOf(bytes))?.state === 'confirmed');
    } finally {
      await following.stop();
      app.resetClock();
    }
    await expectClaimed();
  });

  it.each([
    ['confirmed', { err: { InstructionError: [0, { Custom: 6001 }] } }],
    ['failed', { err: null }],
  ])('a claim that another process ended as %s keeps that end, and everybody is told it', async (end, seen) => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    const open = await openClaims();
    const failure = end === 'failed' ? 'as the other process saw it' : null;
    await rows(app, 'update claim set state = $2, failure = $3 where signature = $1', [
      signatureOf(bytes),
      end,
      failure,
    ]);
    const value = [{ slot: 1, confirmations: null, confirmationStatus: 'confirmed', ...seen }];
    app.proxy.setRule(only({ reply: { result: { context: { slot: 1 }, value } } }, 'getSignatureStatuses'));
    await settleClaims(app.context(), 'sandbox', open, 1_000);
    expect(open).toMatchObject([{ state: end, failure }]);
    expect(await stateOf(bytes)).toEqual({ state: end, failure });
    expect(await auditOf(bytes)).toEqual([]);
  });

  it('a claim that another process ended is not opened again by handing it over', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    const open = await openClaims();
    await rows(app, `update claim set state = 'confirmed' where signature = $1`, [signatureOf(bytes)]);
    app.proxy.setRule(only({ reply: { result: signatureOf(bytes) } }, 'sendTransaction'));
    await settleClaims(app.context(), 'sandbox', open, 0);
    expect(app.proxy.count('sendTransaction')).toBe(1);
    expect(await stateOf(bytes)).toMatchObject({ state: 'confirmed' });
  });

  it('and both the job and the request are at it: one confirmation, one audit entry', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    const [answer, again] = await Promise.all([
      claim(app, buyer, [bytes]),
      claim(app, buyer, [bytes]),
      settleLeftClaims(app.context(), 0),
      settleLeftClaims(app.context(), 0),
    ]);
    expect([answer.status, again.status]).toEqual([200, 200]);
    await expectClaimed();
  });
});

describe('the cluster refuses', () => {
  it('a claim whose blockhash expired before it landed fails, and the same request is told so', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    await settleLeftClaims(app.context(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: 'its blockhash expired before it landed' });
    expect(await auditOf(bytes)).toEqual(['claim.failed']);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    const answer = await claim(app, buyer, [bytes]);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: { message: 'tickets[0].tx: the cluster accepts the transaction (its blockhash expired before it landed)' },
    });
  });

  it('a claim that landed before its blockhash expired is confirmed', async () => {
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('one of three after the first was confirmed: it stands, 400 names the refused one, the same request is told the same', async () => {
    const [second, secondBytes] = await next();
    const [third, thirdBytes] = await next();
    const cancel = signedBytes(
      await authorizeListing(app, seller, 'cancel', [await cancellation(app, market, second, seller.wallet_address)]),
    );
    let cancelled = false;
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'sendTransaction' && !cancelled) {
        cancelled = true;
        await land(app, cancel);
      }
      return 'pass';
    });
    const request = [bytes, secondBytes, thirdBytes];
    const answer = await claim(app, buyer, request);
    expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
      status: 400,
      code: 'chain_refused',
    });
    expect(answer.body.message).toMatch(/^tickets\[1\]\.tx: the cluster accepts the transaction \(/);
    await expectClaimed();
    expect(await stateOf(thirdBytes)).toMatchObject({ state: 'confirmed' });
    expect(await holder(third)).toBe(buyer.wallet_address);
    expect(await stateOf(secondBytes)).toMatchObject({ state: 'failed' });
    expect(await holder(second)).toBe(seller.wallet_address);
    app.proxy.reset();
    const again = await claim(app, buyer, request);
    expect({ status: again.status, body: again.body }).toEqual({ status: 400, body: answer.body });
    const [, fresh] = await next();
    const mixed = await claim(app, buyer, [fresh, secondBytes]);
    expect(mixed.body.message).toMatch(/^tickets\[1\]\.tx: the cluster accepts/);
    expect(await stateOf(fresh)).toBeUndefined();
    expect(app.proxy.count('sendTransaction')).toBe(0);
  });

  it('a transaction that ran without effect before the claim: 400, and no claim is written', async () => {
    await land(
      app,
      signedBytes(
        await authorizeListing(app, seller, 'cancel', [await cancellation(app, market, ticket, seller.wallet_address)]),
      ),
    );
    await app.connection.sendRawTransaction(bytes, { skipPreflight: true });
    const answer = await claim(app, buyer, [bytes]);
    expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
      status: 400,
      code: 'chain_refused',
    });
    expect(await stateOf(bytes)).toBeUndefined();
  });

  it('a transaction that ran without effect after the claim was written: the claim fails with the reason', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    const cancel = await cancellation(app, market, ticket, seller.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [cancel])));
    await app.connection.sendRawTransaction(bytes, { skipPreflight: true });
    await settleLeftClaims(app.context(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: expect.stringContaining('InstructionError') });
  });
});

describe('a node’s trouble is no refusal of the cluster', () => {
  const preflight = (err: unknown): Fate => ({
    reply: { error: { code: -32002, message: 'Transaction simulation failed', data: { err, logs: [] } } },
  });

  it.each<[string, Fate]>([
    ['is unhealthy', { reply: { error: { code: -32005, message: 'Node is behind by 42 slots' } } }],
    ['has an error of its own', { reply: { error: { code: -32603, message: 'Internal error' } } }],
    ['does not know the blockhash yet', preflight('BlockhashNotFound')],
    ['is busy', { status: 429 }],
    ['has it already', preflight('AlreadyProcessed')],
  ])('the node %s: the claim stays open, and the next call finishes it', async (_, fate) => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    app.proxy.setRule(only(fate, 'sendTransaction'));
    const settled = settleLeftClaims(app.context(), 0);
    while (app.proxy.count('sendTransaction') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted', failure: null });
    app.proxy.reset();
    await land(app, bytes);
    await settled;
    await expectClaimed();
  });

  const asProcessed = (reply: RpcReply): RpcReply => {
    const result = reply.result as { value: ({ confirmationStatus: string } | null)[] };
    const value = result.value.map((status) => status && { ...status, confirmationStatus: 'processed' });
    return { result: { ...result, value } };
  };

  it('a transaction that is seen but not confirmed is waited for: neither failed nor confirmed, whatever its blockhash', async () => {
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    app.proxy.reset();
    app.proxy.setRule(only(asProcessed, 'getSignatureStatuses'));
    const settled = settleLeftClaims(app.context(), 0);
    while (app.proxy.count('getSignatureStatuses') < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted', failure: null });
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.proxy.reset();
    await settled;
    await expectClaimed();
  });

  it('a transaction that is seen but not confirmed is not handed over again', async () => {
    app.proxy.setRule(from(3, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    app.proxy.setRule(only(asProcessed, 'getSignatureStatuses'));
    const settled = settleLeftClaims(app.context(), 0);
    while (app.proxy.count('getSignatureStatuses') < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.proxy.reset();
    await settled;
    await expectClaimed();
  });

  it('a refusal of what was run a moment before does not fail the claim', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    let landed = false;
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'sendTransaction') {
        await land(app, bytes);
        landed = true;
        return preflight({ InstructionError: [0, { Custom: 6001 }] });
      }
      return landed && method === 'getSignatureStatuses' && app.proxy.count(method) < 3 ? asProcessed : 'pass';
    });
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('an answer of a node that lags behind the blockhash does not fail the claim', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    await land(app, bytes);
    await rows(app, 'update claim set recent_blockhash = $2 where signature = $1', [
      signatureOf(bytes),
      randomAddress(),
    ]);
    app.proxy.reset();
    const lagging = (): RpcReply => ({ result: { context: { slot: 1 }, value: [null] } });
    app.proxy.setRule((call) =>
      call.method === 'getSignatureStatuses' && app.proxy.count(call.method) < 2 ? lagging : 'pass',
    );
    await settleLeftClaims(app.context(), 0);
    await expectClaimed();
  });

  it('the owner is read at the slot of the transfer or later', async () => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const reads = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
    const { value } = await app.connection.getSignatureStatus(signatureOf(bytes));
    expect(reads.at(-1)?.params[1]).toMatchObject({ minContextSlot: value?.slot });
  });
});
