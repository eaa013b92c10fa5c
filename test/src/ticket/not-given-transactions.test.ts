import { register } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ChainApp, rows } from '../../support/chain-app.ts';
import { type Fate, only } from '../../support/rpc-proxy.ts';
import { reconcileStage } from './reconcile-stage.ts';

/** A landed transaction that the node can't give does not stop a mode. */
const stage = reconcileStage();
const { run, listings, list, cancel } = stage;
let app: ChainApp;
beforeEach(() => {
  ({ app } = stage);
});

async function cursor() {
  const [row] = await rows<{ last_signature: string; last_slot: string }>(
    app,
    `select last_signature, last_slot from chain_cluster where mode = 'sandbox'`,
  );
  return row;
}

async function notGiven(): Promise<number> {
  const metric = await register.getSingleMetric('reconcile_transactions_not_given_total')?.get();
  return metric?.values.find(({ labels }) => labels.mode === 'sandbox')?.value ?? Number.NaN;
}

describe('a transaction that the node can not give', () => {
  it.each<[string, Fate]>([
    ['null', { reply: { result: null } }],
    ['-32015, an unsupported version', { reply: { error: { code: -32015, message: 'Transaction version (1)' } } }],
    ['-32603, an internal error', { reply: { error: { code: -32603, message: 'Internal error' } } }],
    ['an unknown shape', { reply: { result: { version: 1 } } }],
  ])('%s: every permit is read instead, and the cursor moves on', async (_, fate) => {
    await list();
    const before = await notGiven();
    app.proxy.setRule(only(fate, 'getTransaction'));
    expect(await run()).toBe(1);
    expect(await listings()).toMatchObject([{ outcome: null }]);
    expect(await notGiven()).toBe(before + 1);
    app.proxy.calls.length = 0;
    expect(await run()).toBe(0);
    expect(app.proxy.calls.map(({ method }) => method)).toEqual(['getSignaturesForAddress']);
  });

  it.each<[string, Fate]>([
    ['does not answer', 'away'],
    ['answers without JSON-RPC', { status: 500 }],
  ])('where the node %s, the run ends and the next one begins at the same place', async (_, fate) => {
    const before = await cursor();
    await list();
    app.proxy.setRule(only(fate, 'getTransaction'));
    await expect(run()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await cursor()).toEqual(before);
    expect(await listings()).toEqual([]);
    app.proxy.reset();
    expect(await run()).toBe(1);
    await cancel();
    await run();
  });

  it('a history that is not complete: every permit is read, no transaction is asked for', async () => {
    await list();
    app.proxy.setRule(only(({ result }) => ({ result: [...(result as unknown[]), 'odd'] }), 'getSignaturesForAddress'));
    expect(await run()).toBe(1);
    expect(app.proxy.count('getTransaction')).toBe(0);
    expect(await listings()).toMatchObject([{ outcome: null }]);
  });

  it('the cursor never moves back, whichever process ends last', async () => {
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await list();
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method !== 'getMultipleAccounts') return 'pass';
      started.resolve();
      await goOn.promise;
      return 'pass';
    });
    const slow = run();
    await started.promise;
    const further = { last_signature: 'further', last_slot: '4503599627370496' };
    await moveCursorTo(further);
    goOn.resolve();
    await slow;
    expect(await cursor()).toEqual(further);
    await moveCursorTo({ last_signature: null, last_slot: null });
  });

  async function moveCursorTo(to: { last_signature: string | null; last_slot: string | null }): Promise<void> {
    await rows(app, `update chain_cluster set last_signature = $1, last_slot = $2 where mode = 'sandbox'`, [
      to.last_signature,
      to.last_slot,
    ]);
  }
});
