import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../packages/localnet/test/test-network.ts';
import { settleDueClaims } from '../../../src/claim/settle-due-claims.ts';
import { from } from '../../adapters/fan/claims-stage.ts';
import { type ChainApp, moreTickets, rows, type User } from '../../support/chain-app.ts';
import type { Fate } from '../../support/rpc-proxy.ts';
import { claim, signatureOf } from '../../support/ticket-transactions.ts';
import { settleStage } from './settle-stage.ts';

/** When the job looks at which claim. */
const troubled = settleStage(14);
const { stage, context, settle, twoWritten, trouble, counted, expectSettledAtLast, refuseToStore } = troubled;
const { next, stateOf, expectClaimed } = stage;
let app: ChainApp;
let buyer: User;
/** The claim that makes trouble. */
let bad: Buffer;
beforeEach(() => {
  ({ app, buyer } = stage);
  ({ bad } = troubled);
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
    expect(troubled.logged.filter(({ signature }) => signature === signatureOf(bad))).toMatchObject([
      { level: 40, step: 'permit', reason: 'this permit can not be stored' },
    ]);
    expect(troubled.logged).toHaveLength(1);
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
    expect(app.proxy.count('sendTransaction')).toBe(1);
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
  const first = settleDueClaims(context());
  await until(async () => app.proxy.count('getSignatureStatuses') === 1);
  await settleDueClaims(context());
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
  const settled = settle();
  try {
    await until(async () => (await stateOf(stage.bytes))?.state === 'confirmed');
    expect(await stateOf(bad)).toMatchObject({ state: 'submitted' });
  } finally {
    await client.query('rollback');
    client.release();
    await settled;
  }
  await expectClaimed();
  await expectSettledAtLast();
});
