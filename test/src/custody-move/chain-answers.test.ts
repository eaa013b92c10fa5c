import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { rows, startChainApp } from '../../support/chain-app.ts';
import { rotateBack, rotateTo } from '../../support/foreign-authority.ts';
import type { Fate, RpcReply, Rule } from '../../support/rpc-proxy.ts';
import { authorizeListing, land, listing, onChain, putOnSale, signedBytes } from '../../support/ticket-transactions.ts';
import { movesStage } from './moves-stage.ts';

/** What a move makes of the permit's account as the cluster shows it. */
const stage = movesStage(12);
const { order, read, carryOut } = stage;

function sends(): number {
  return stage.app.proxy.count('sendTransaction');
}

describe('a move waits, and nothing is signed', () => {
  it.each([
    ['is not on the cluster', null, /not on the cluster/],
    ['can’t be read', { data: ['AAAA', 'base64'] }, /can’t be read/],
  ])('while the permit %s', async (_, account, says) => {
    const move = await order();
    const bend = ({ result }: RpcReply): RpcReply => {
      const { value, ...rest } = result as { value: (object | null)[] };
      return { result: { ...rest, value: value.map((each) => account && { ...each, ...account }) } };
    };
    stage.app.proxy.setRule(({ method }) => (method === 'getMultipleAccounts' ? bend : 'pass'));
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringMatching(says) });
    expect(sends()).toBe(0);
    stage.app.proxy.reset();
    await carryOut(31);
    expect(await read(move)).toMatchObject({ state: 'done', reason: null });
  });
});

it('a move waits while the node is behind what the database knows of the permit', async () => {
  const { app, ticket } = stage;
  const move = await order();
  await rows(app, 'update permit set chain_slot = 1000000000 where tix_permit_id = $1', [ticket.permit]);
  await carryOut();
  expect(await read(move)).toMatchObject({ state: 'open' });
  expect(sends()).toBe(0);
  await rows(app, 'update permit set chain_slot = null where tix_permit_id = $1', [ticket.permit]);
  await carryOut(31);
  expect(await read(move)).toMatchObject({ state: 'done', reason: null });
});

it('a move waits where the destination can’t be looked at: only what was seen there ends it', async () => {
  const { app, outside } = stage;
  const move = await order();
  app.proxy.setRule(({ method, params }) =>
    method.startsWith('get') && JSON.stringify(params).includes(outside) ? 'away' : 'pass',
  );
  await carryOut();
  expect(await read(move)).toMatchObject({ state: 'open' });
  expect(sends()).toBe(0);
  app.proxy.reset();
  await carryOut(31);
  expect(await read(move)).toMatchObject({ state: 'done', reason: null });
});

it('a move that another process has taken meanwhile is not sent by this one', async () => {
  const { app } = stage;
  const move = await order();
  app.proxy.setRule(async ({ method }): Promise<Fate> => {
    if (method === 'getMultipleAccounts')
      await rows(app, `update custody_move set tries = tries + 1 where state = 'open'`);
    return 'pass';
  });
  await carryOut();
  expect(await read(move)).toMatchObject({ state: 'open', signature: null });
  expect(sends()).toBe(0);
});

it('a listing is not closed in the name of an authority that the program no longer has', async () => {
  const { app, market, ticket, owner } = stage;
  await putOnSale(app, market, ticket, owner);
  const move = await order();
  await rotateTo(app, market.wallet, Keypair.generate());
  try {
    await carryOut();
    expect(await read(move)).toMatchObject({
      state: 'open',
      reason: expect.stringContaining('another co-signing authority'),
    });
    expect(sends()).toBe(0);
  } finally {
    await rotateBack(app);
  }
  await carryOut(31);
  expect(await read(move)).toMatchObject({ state: 'done', reason: null });
});

describe('a transaction whose end this service did not see', () => {
  /** The node takes it and loses it, then breaks off. */
  async function loseTransaction() {
    stage.app.proxy.setRule(({ method }) => {
      if (method === 'sendTransaction') return { reply: { result: 'lost' } };
      return method === 'getSignatureStatuses' && sends() > 0 ? 'away' : 'pass';
    });
    const move = await order();
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
    stage.app.proxy.reset();
    return move;
  }

  it('is sent anew at once where it failed on the cluster', async () => {
    const move = await loseTransaction();
    let answers = 0;
    stage.app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && answers++ === 0
        ? ({ result }) => ({ result: { ...(result as object), value: [failedAt((result as Context).context.slot)] } })
        : 'pass',
    );
    await carryOut(10);
    expect(await read(move)).toMatchObject({ state: 'done', reason: null });
    expect(sends()).toBe(1);
  });

  it('may still land as long as the node that does not know it is behind the one that says its blockhash has expired', async () => {
    const move = await loseTransaction();
    const behind: Rule = ({ method }) => {
      if (method === 'isBlockhashValid') return ({ result }) => ({ result: { ...(result as object), value: false } });
      if (method !== 'getSignatureStatuses') return 'pass';
      return () => ({ result: { context: { slot: 1 }, value: [null] } });
    };
    // another gateway has not asked about this blockhash before
    const another = await startChainApp({ beside: stage.app });
    try {
      stage.app.proxy.setRule(behind);
      await carryOut(200, another);
      expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('may still land') });
      expect(sends()).toBe(0);
    } finally {
      await another.stop();
    }
  });
});

interface Context {
  context: { slot: number };
}

function failedAt(slot: number) {
  const err = { InstructionError: [0, { Custom: 1 }] };
  return { slot, confirmations: null, err, status: { Err: err }, confirmationStatus: 'confirmed' };
}

it('a listing that lands right after the closing of another is closed by a later try', async () => {
  const { app, market, ticket, owner } = stage;
  const signed: Buffer[] = [];
  for (const price of [1_000_000_000n, 2_000_000_000n]) {
    const bytes = await listing(app, market, ticket, owner.wallet_address, { price });
    signed.push(signedBytes(await authorizeListing(app, owner, 'list', [bytes])));
  }
  const [first, second] = signed as [Buffer, Buffer];
  await land(app, first);
  await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [ticket.permit]);
  // no longer awaited by us, though it lands all the same
  app.advance(200);
  const move = await order({ to: null });
  let hasLanded = false;
  app.proxy.setRule(async ({ method }): Promise<Fate> => {
    if (method === 'getMultipleAccounts' && sends() === 1 && !hasLanded) {
      hasLanded = true;
      await land(app, second);
    }
    return 'pass';
  });
  await carryOut();
  expect(hasLanded).toBe(true);
  expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
  expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('has not moved') });
  app.proxy.reset();
  // with the same blockhash it has the same bytes as the first closing, which count once: then the try after it
  const turn = async () => {
    await carryOut(31);
    return read(move);
  };
  await expect.poll(turn, { timeout: 20_000 }).toMatchObject({ state: 'done', reason: null });
  expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
});
