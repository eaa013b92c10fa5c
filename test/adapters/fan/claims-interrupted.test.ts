import { beforeEach, describe, expect, it } from 'vitest';
import { syncChains } from '../../../adapters/sync-chains.ts';
import { until } from '../../../packages/localnet/test/test-network.ts';
import type { Chain } from '../../../src/chain/chains.ts';
import { settleClaims } from '../../../src/claim/settle-claims.ts';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { DomainError } from '../../../src/errors.ts';
import { type ChainApp, rows, startChainApp, type TestTicket, type User } from '../../support/chain-app.ts';
import { type Fate, only } from '../../support/rpc-proxy.ts';
import { claim, signatureOf } from '../../support/ticket-transactions.ts';
import { claimsStage, from } from './claims-stage.ts';

/** Chain §4: what is left of a claim when the network or the process goes away at some point of it, and how it ends. */
const stage = claimsStage();
const { stateOf, holder, auditOf, openClaims, expectClaimed } = stage;
let app: ChainApp;
let seller: User;
let buyer: User;
let ticket: TestTicket;
let bytes: Buffer;
beforeEach(() => {
  ({ app, seller, buyer, ticket, bytes } = stage);
});

async function expectUnavailable(answer: Awaited<ReturnType<typeof claim>>): Promise<void> {
  expect({ status: answer.status, code: answer.headers.get('x-error-code') }).toEqual({
    status: 503,
    code: 'unavailable',
  });
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
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
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(app.proxy.count('sendTransaction')).toBe(0);
    app.proxy.reset();
    await settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClaimed();
  });

  it('after the confirmation was seen: the owner can not be read, so nothing is told confirmed yet', async () => {
    app.proxy.setRule(from(2, 'getMultipleAccounts', 'away'));
    await expectUnavailable(await claim(app, buyer, [bytes]));
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(await holder(ticket)).toBe(seller.wallet_address);
    app.proxy.reset();
    await settleDueClaims(app.context(), 0);
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
    await settleDueClaims(app.context(), 0);
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
    await expect(settleDueClaims({ ...context, chains }, 0)).rejects.toBe(away);
    await expectClaimed();
    // nor is a claim asked after on the other cluster
    const [other] = await rows(
      app,
      'delete from claim where grant_id = $1 and permit_id = $2 returning state, set_aside, attempts',
      [grant, permit],
    );
    expect(other).toEqual({ state: 'pending', set_aside: null, attempts: 0 });
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
    ['before the submission', 2],
    ['between submission and confirmation', 3],
  ])('%s: another process over the same database finishes the claim', async (_, lostRead) => {
    app.proxy.setRule(from(lostRead, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    expect(app.proxy.count('sendTransaction')).toBe(lostRead - 2);
    app.proxy.reset();
    const another = await startChainApp({ beside: app });
    try {
      await settleDueClaims(another.context(), 0);
      await expectClaimed();
    } finally {
      await another.stop();
    }
  });

  it('a claim that was touched a moment ago is still somebody’s: the job leaves it', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    await settleDueClaims(app.context());
    expect(await stateOf(bytes)).toMatchObject({ state: 'submitted' });
    app.advance(11);
    await settleDueClaims(app.context());
    app.resetClock();
    await expectClaimed();
  });

  it('every process that serves takes up what a crash left, without waiting for the queue', async () => {
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    await claim(app, buyer, [bytes]);
    app.proxy.reset();
    app.advance(11);
    const following = syncChains(app.runtime);
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
      settleDueClaims(app.context(), 0),
      settleDueClaims(app.context(), 0),
    ]);
    expect([answer.status, again.status]).toEqual([200, 200]);
    await expectClaimed();
  });
});
