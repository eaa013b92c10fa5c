import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settleClaims } from '../../../src/claim/settle-claims.ts';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { type ChainApp, rows, type TestTicket, type User } from '../../support/chain-app.ts';
import { type Fate, only, type RpcReply } from '../../support/rpc-proxy.ts';
import {
  claim,
  land,
  type Marketplace,
  onChain,
  randomAddress,
  signatureOf,
  transfer,
} from '../../support/ticket-transactions.ts';
import { claimsStage, from } from './claims-stage.ts';

/** A claim fails for its blockhash only where the node knows that blockhash, and one that lands after all is confirmed. */
const stage = claimsStage();
const { stateOf, auditOf, holder, openClaims } = stage;
let app: ChainApp;
let market: Marketplace;
let seller: User;
let buyer: User;
let ticket: TestTicket;
let bytes: Buffer;
beforeEach(() => {
  ({ app, market, seller, buyer, ticket, bytes } = stage);
});
afterEach(() => app.resetClock());

const EXPIRED = 'its blockhash expired before it landed';

/** A claim that is written and not submitted; the service knows nothing of its blockhash. @returns the slot by which it was judged */
async function writtenClaim(): Promise<number> {
  app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
  await claim(app, buyer, [bytes]);
  app.proxy.reset();
  const [row] = await rows<{ slot: number }>(
    app,
    'update claim set recent_blockhash = $2 where signature = $1 returning judged_slot::int as slot',
    [signatureOf(bytes), randomAddress()],
  );
  if (!row) throw new Error('there is no claim');
  return row.slot;
}

/** A node at one slot, which knows neither the blockhash nor the transaction, and passes nothing on. */
function nodeAt(slot: number): void {
  const answers: Record<string, RpcReply> = {
    isBlockhashValid: { result: { context: { slot }, value: false } },
    getSignatureStatuses: { result: { context: { slot }, value: [null] } },
    sendTransaction: { result: signatureOf(bytes) },
  };
  app.proxy.setRule(({ method }): Fate => {
    const reply = answers[method];
    return reply === undefined ? 'pass' : { reply };
  });
}

async function failedClaim(): Promise<void> {
  await writtenClaim();
  await settleDueClaims(app.context(), 0);
  expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
}

/** Whether the job will look at the claim again. */
async function isLookedForLater(): Promise<boolean | undefined> {
  const [row] = await rows<{ later: boolean }>(
    app,
    'select next_attempt_at is not null as later from claim where signature = $1',
    [signatureOf(bytes)],
  );
  return row?.later;
}

async function expectTakenIn(): Promise<void> {
  expect(await stateOf(bytes)).toEqual({ state: 'confirmed', failure: null });
  expect(await auditOf(bytes)).toEqual(['claim.failed', 'claim.confirmed']);
  const [entry] = await rows<{ late: boolean }>(
    app,
    `select (details->>'after_failure')::boolean as late from audit_entry where subject = $1 and action = 'claim.confirmed'`,
    [signatureOf(bytes)],
  );
  expect(entry).toEqual({ late: true });
  expect(await isLookedForLater()).toBe(false);
  expect(await holder(ticket)).toBe(buyer.wallet_address);
  expect((await claim(app, buyer, [bytes])).status).toBe(200);
}

describe('a claim fails for its blockhash', () => {
  it('not by a node that is behind the slot where the blockhash was valid: it is handed over, and lands', async () => {
    const judged = await writtenClaim();
    nodeAt(judged - 1);
    await settleClaims(app.context(), 'sandbox', await openClaims(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'submitted', failure: null });
    expect(app.proxy.count('sendTransaction')).toBe(1);
    app.proxy.reset();
    await land(app, bytes);
    await settleDueClaims(app.context(), 0);
    await stage.expectClaimed();
  });

  it('by a node at that slot or later', async () => {
    nodeAt(await writtenClaim());
    await settleClaims(app.context(), 'sandbox', await openClaims(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    expect(app.proxy.count('sendTransaction')).toBe(0);
  });

  it('and then does not hold its permit: another transfer of it is claimed', async () => {
    await failedClaim();
    const payer = await app.network.funded();
    const another = await transfer(app, market, ticket, buyer.wallet_address, {
      payer,
      signers: [payer, market.wallet],
    });
    expect((await claim(app, buyer, [another])).status).toBe(200);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
  });
});

describe('preflight', () => {
  it('is asked of a node that has come to the slot by which the claim was judged', async () => {
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    const [sent] = app.proxy.calls.filter(({ method }) => method === 'sendTransaction');
    const [row] = await rows<{ slot: number }>(app, 'select judged_slot::int as slot from claim where signature = $1', [
      signatureOf(bytes),
    ]);
    expect(sent?.params[1]).toMatchObject({ minContextSlot: row?.slot });
  });

  it('of a node that has not come there is no refusal: the claim stays open, and is handed over again', async () => {
    const behind: Fate = { reply: { error: { code: -32016, message: 'Minimum context slot has not been reached' } } };
    let refused = 0;
    app.proxy.setRule(({ method }): Fate => {
      if (method !== 'sendTransaction' || refused > 0) return 'pass';
      refused += 1;
      return behind;
    });
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    expect(app.proxy.count('sendTransaction')).toBe(2);
    await stage.expectClaimed();
  });
});

describe('a failed claim that lands after all is confirmed', () => {
  it('by the job, a few seconds later', async () => {
    await failedClaim();
    await land(app, bytes);
    app.advance(5);
    await settleDueClaims(app.context(), 0);
    await expectTakenIn();
  });

  it('by the same request, sent again', async () => {
    await failedClaim();
    await land(app, bytes);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await expectTakenIn();
  });

  it('where a node’s preflight refused it', async () => {
    const refusal = { code: -32002, message: 'Transaction simulation failed', data: { err: 'AccountNotFound' } };
    app.proxy.setRule(only({ reply: { error: refusal } }, 'sendTransaction'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    app.proxy.reset();
    // the service itself does not hand it over again
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await land(app, bytes);
    app.advance(5);
    await settleDueClaims(app.context(), 0);
    await expectTakenIn();
  });

  it('but not while it is only processed', async () => {
    await failedClaim();
    await land(app, bytes);
    app.proxy.setRule(
      only((reply) => {
        const result = reply.result as { value: object[] };
        return {
          result: { ...result, value: result.value.map((one) => ({ ...one, confirmationStatus: 'processed' })) },
        };
      }, 'getSignatureStatuses'),
    );
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
  });

  it('and not where the permit is not the buyer’s', async () => {
    await failedClaim();
    const { slot } = await onChain(app, ticket);
    const value = [{ slot, confirmations: null, err: null, confirmationStatus: 'confirmed' }];
    app.proxy.setRule(only({ reply: { result: { context: { slot }, value } } }, 'getSignatureStatuses'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    expect(await holder(ticket)).toBe(seller.wallet_address);
    expect(await isLookedForLater()).toBe(true);
  });

  it('and is not set aside where its status can not be read', async () => {
    await failedClaim();
    const refusal = { code: -32602, message: 'Invalid param' };
    app.proxy.setRule(only({ reply: { error: refusal } }, 'getSignatureStatuses'));
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    const [row] = await rows(app, 'select set_aside, attempts from claim where signature = $1', [signatureOf(bytes)]);
    expect(row).toEqual({ set_aside: null, attempts: 0 });
  });
});

describe('how long a failed claim is looked at', () => {
  /** Whether the job asks after the claim now. */
  async function isLookedAt(): Promise<boolean> {
    app.proxy.reset();
    await settleDueClaims(app.context(), 0);
    return app.proxy.calls.some(
      ({ method, params }) => method === 'getSignatureStatuses' && JSON.stringify(params).includes(signatureOf(bytes)),
    );
  }

  it('after growing pauses, and not for ever', async () => {
    await failedClaim();
    const pauses = [5, 10, 20, 40, 80, 160, 300, 300, 300, 300];
    for (const [index, pause] of pauses.entries()) {
      app.advance(pause - 1);
      expect(await isLookedAt(), `look ${index}, too early`).toBe(false);
      app.advance(1);
      expect(await isLookedAt(), `look ${index}`).toBe(true);
    }
    app.advance(600);
    expect(await isLookedAt()).toBe(false);
    app.proxy.reset();
    expect((await claim(app, buyer, [bytes])).status).toBe(400);
    expect(app.proxy.count('getSignatureStatuses')).toBe(0);
  });

  it('not at all where the cluster has decided: it can never land any more', async () => {
    await writtenClaim();
    const decided = { slot: 1, confirmations: null, err: 'AccountInUse', confirmationStatus: 'confirmed' };
    app.proxy.setRule(only({ reply: { result: { context: { slot: 1 }, value: [decided] } } }, 'getSignatureStatuses'));
    await settleDueClaims(app.context(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: 'AccountInUse' });
    app.advance(10);
    expect(await isLookedAt()).toBe(false);
  });

  it('no longer once the cluster has decided', async () => {
    await failedClaim();
    app.advance(5);
    const decided = { slot: 1, confirmations: null, err: 'AccountInUse', confirmationStatus: 'confirmed' };
    app.proxy.setRule(only({ reply: { result: { context: { slot: 1 }, value: [decided] } } }, 'getSignatureStatuses'));
    await settleDueClaims(app.context(), 0);
    expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: EXPIRED });
    app.advance(600);
    expect(await isLookedAt()).toBe(false);
  });
});

it('what a node says may hold a NUL and be long: the claim fails all the same', async () => {
  const message = `bad\0${'x'.repeat(2_000)}`;
  app.proxy.setRule(only({ reply: { error: { code: -32003, message } } }, 'sendTransaction'));
  expect((await claim(app, buyer, [bytes])).status).toBe(400);
  expect(await stateOf(bytes)).toEqual({ state: 'failed', failure: `bad${'x'.repeat(497)}` });
});
