import { beforeEach, describe, expect, it } from 'vitest';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  land,
  type Marketplace,
  randomAddress,
  signatureOf,
  signedBytes,
} from '../../support/ticket-transactions.ts';
import { claimsStage, from } from './claims-stage.ts';

/** Chain §4: which answers of a node end a claim as failed, and which leave it open. */
const stage = claimsStage();
const { next, stateOf, holder, auditOf, expectClaimed } = stage;
let app: ChainApp;
let market: Marketplace;
let seller: User;
let buyer: User;
let ticket: TestTicket;
let bytes: Buffer;
beforeEach(() => {
  ({ app, market, seller, buyer, ticket, bytes } = stage);
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
    await settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
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
    const settled = settleDueClaims(app.context(), 0);
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
    const settled = settleDueClaims(app.context(), 0);
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
    const settled = settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
    await expectClaimed();
  });

  it('the owner is read at the slot of the transfer or later', async () => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const reads = app.proxy.calls.filter(({ method }) => method === 'getMultipleAccounts');
    const { value } = await app.connection.getSignatureStatus(signatureOf(bytes));
    expect(reads.at(-1)?.params[1]).toMatchObject({ minContextSlot: value?.slot });
  });
});
