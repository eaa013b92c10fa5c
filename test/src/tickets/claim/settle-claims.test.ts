import { describe, expect, vi } from 'vitest';
import { until } from '../../../../packages/localnet/test/test-network.ts';
import type { ChainGateway } from '../../../../src/chain/gateway/gateway.ts';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { moreTickets, rows, type TestTicket } from '../../../support/chain-app.ts';
import { answerAt, bendOne, type Fate, only, passAfter } from '../../../support/rpc-proxy.ts';
import { claim, signatureOf } from '../../../support/ticket-transactions.ts';
import { settleStage } from './settle-stage.ts';

/** One claim that can't be settled never holds up another. */
const stage = await settleStage();
const { app, seller, buyer, it, next, stateOf, expectClaimed, claimUnsent, expectAnswer, logged } = stage;
const { context, settle, twoWritten, troubleOf, counted, expectSetAside, expectSettledAtLast, refuseToStore } = stage;

/** Replies of a method that concern an address or signature are bent. */
function bend(method: string, of: string, fate: Fate): void {
  app.proxy.setRule(
    (call): Fate => (call.method === method && JSON.stringify(call.params).includes(of) ? fate : 'pass'),
  );
}

/** @returns sets the one before again */
async function setBlockhash(bad: Buffer, blockhash: string): Promise<() => Promise<unknown>> {
  const [row] = await rows<{ before: string }>(
    app,
    `update claim set recent_blockhash = $2 where signature = $1
     returning (select recent_blockhash from claim where signature = $1) as before`,
    [signatureOf(bad), blockhash],
  );
  return () => setBlockhash(bad, row?.before ?? '');
}

/** Makes trouble to a claim. @returns what ends it, where a good node alone does not */
type Trouble = (bad: Buffer, ticket: TestTicket) => unknown;
const TROUBLES: [trouble: string, step: string, reason: RegExp, make: Trouble][] = [
  [
    'its permit can not be stored',
    'permit',
    /can not be stored/,
    async (_, ticket) => {
      await refuseToStore(ticket);
      return () => rows(app, 'drop trigger refuse on permit');
    },
  ],
  [
    'its permit can not be read',
    'permit',
    /./,
    (_, { permit }) => app.proxy.setRule(bendOne('getMultipleAccounts', permit, { data: ['AAAA', 'base64'] })),
  ],
  [
    'no node comes to the slot where it is said to have landed',
    'permit',
    /-32016/,
    (bad) => app.proxy.setRule(bendOne('getSignatureStatuses', signatureOf(bad), { slot: 1_000_000_000 })),
  ],
  [
    'the node refuses to look its status up',
    'status',
    /-32602/,
    // an error also where others are asked about
    (bad) => bend('getSignatureStatuses', signatureOf(bad), { reply: { error: { code: -32602, message: 'Invalid' } } }),
  ],
  ['the node refuses to look its blockhash up', 'blockhash', /isBlockhashValid/, (bad) => setBlockhash(bad, 'x')],
  [
    'nor is it alone in asking: a node that answers about the others only',
    'blockhash',
    /./,
    (bad) => {
      bend('isBlockhashValid', 'y', 'away');
      return setBlockhash(bad, 'y');
    },
  ],
];

describe('a claim that can not be settled is set aside, and the other one is confirmed', () => {
  it.for(TROUBLES)('%s', async ([, step, reason, make], { badTicket, bytes, bad }) => {
    await twoWritten(bytes, bad);
    const end = await make(bad, badTicket);
    await expectSetAside([bytes, bad], step, reason);
    if (typeof end === 'function') await end();
    await expectSettledAtLast(bad);
  });

  it('its submission throws', async ({ bytes, bad }) => {
    await twoWritten(bytes, bad);
    const { gateway } = app.chain;
    const submit: ChainGateway['submit'] = async (transaction, notBefore) => {
      if (Buffer.from(transaction).equals(bad)) throw new Error('a fault of our own');
      return gateway.submit(transaction, notBefore);
    };
    const chains = { sandbox: { ...app.chain, gateway: { ...gateway, submit } } };
    const run = () => settleDueClaims({ ...context(), chains }, 0);
    await expectSetAside([bytes, bad], 'submission', /^a fault of our own$/, run);
    await expectSettledAtLast(bad);
  });
});

it('of one request, the others are confirmed: 503, and the same request again finds the rest', async ({
  badTicket,
  bytes,
  bad,
}) => {
  await refuseToStore(badTicket);
  const answer = await claim(app, buyer, [bytes, bad]);
  await expectAnswer(answer, 503, 'unavailable');
  await expectClaimed(bytes);
  expect(await troubleOf(bad)).toMatchObject({ attempts: 1 });
  await rows(app, 'drop trigger refuse on permit');
  expect((await claim(app, buyer, [bytes, bad])).status).toBe(200);
  expect(await troubleOf(bad)).toMatchObject({ set_aside: null });
});

describe('a claim that was set aside', () => {
  it('is tried again after growing pauses, logged once, and counted each time', async ({ badTicket, bytes, bad }) => {
    await twoWritten(bytes, bad);
    await refuseToStore(badTicket);
    const before = await counted('permit');
    await settle();
    for (const [index, pause] of [5, 10, 20, 40, 80, 160, 300, 300].entries()) {
      const row = await troubleOf(bad);
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

  it('does not count as a cluster that is away, and a cluster that is away sets no claim aside', async ({
    bytes,
    bad,
  }) => {
    await twoWritten(bytes, bad);
    const behind: Fate = { reply: { error: { code: -32005, message: 'Node is behind by 42 slots' } } };
    // one question, at most three times: claims are not asked after one by one
    for (const [fate, method, times] of [
      ['away', undefined, undefined],
      ['away', 'getSignatureStatuses', 3],
      ['away', 'getMultipleAccounts', 3],
      [behind, 'getSignatureStatuses', undefined],
    ] as const) {
      app.proxy.reset();
      app.proxy.setRule(only(fate, ...(method ? [method] : [])));
      await expect(settle()).rejects.toMatchObject({ code: 'unavailable' });
      if (times !== undefined) expect(app.proxy.count(method)).toBe(times);
      expect(await troubleOf(bad)).toMatchObject({ set_aside: null, attempts: 0 });
    }
  });
});

describe('more stuck claims than one run takes', () => {
  /** Open claims since long before the others, whose trouble never ends. */
  async function stuck(count: number): Promise<void> {
    const tickets = await moreTickets(app, seller, { count, issue: false });
    await rows(
      app,
      `insert into claim (id, signature, grant_id, permit_id, signer_wallet, destination_wallet, transaction, recent_blockhash,
         state, created_at, updated_at)
       select gen_random_uuid(), 'stuck ' || p.tix_permit_id, (select id from consent_grant limit 1), p.id, 'x', 'x', '00', 'x',
         'pending', now() - interval '1 hour', now() - interval '1 hour' from permit p where p.tix_permit_id = any($1)`,
      [tickets.map(({ permit }) => permit)],
    );
  }

  it('do not starve the rest, whether they fail or only wait', async ({ bytes, bad }) => {
    await stuck(105);
    await twoWritten(bytes, bad);
    await settle();
    await settle();
    await expectClaimed(bytes);
    // each is waited for: seen, but never confirmed
    await rows(
      app,
      `update claim set state = 'failed', next_attempt_at = null where state in ('pending', 'submitted')`,
    );
    await rows(app, `delete from claim where signature like 'stuck%'`);
    const [, waiting] = await next();
    await claimUnsent(waiting);
    await stuck(105);
    const seen = { slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' };
    app.proxy.setRule(({ method, params }): Fate => {
      if (method === 'isBlockhashValid' && params[0] === 'x') return answerAt(1, true);
      const [signatures] = params as [string[]];
      if (method !== 'getSignatureStatuses' || !signatures.some((signature) => signature.startsWith('stuck')))
        return 'pass';
      return answerAt(
        1,
        signatures.map((signature) => (signature.startsWith('stuck') ? seen : null)),
      );
    });
    // each turn is out of patience after one look
    let later = 0;
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => (later += 10_000));
    await settle();
    await settle();
    expect(app.proxy.count('sendTransaction')).toBe(1);
  });
});

it('processes that settle at once take different claims', async ({ bytes, bad }) => {
  await twoWritten(bytes, bad);
  app.advance(11);
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  app.proxy.setRule(passAfter('getSignatureStatuses', () => held));
  const first = settleDueClaims(context());
  await until(async () => app.proxy.count('getSignatureStatuses') === 1);
  await settleDueClaims(context());
  expect(app.proxy.count('getSignatureStatuses')).toBe(1);
  goOn();
  await first;
  await expectClaimed(bytes);
});

it('a claim that somebody holds is left to them, and the others go on', async ({ bytes, bad }) => {
  await twoWritten(bytes, bad);
  const client = await app.runtime.pool.connect();
  await client.query('begin');
  await client.query('select from claim where signature = $1 for update', [signatureOf(bad)]);
  const settled = settle();
  try {
    await until(async () => (await stateOf(bytes))?.state === 'confirmed');
    expect(await stateOf(bad)).toMatchObject({ state: 'submitted' });
  } finally {
    await client.query('rollback');
    client.release();
    await settled;
  }
  await expectClaimed(bytes);
  await expectSettledAtLast(bad);
});
