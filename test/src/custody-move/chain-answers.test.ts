import { describe, expect, it } from 'vitest';
import { rows } from '../../support/chain-app.ts';
import type { Fate, RpcReply } from '../../support/rpc-proxy.ts';
import { authorizeListing, land, listing, onChain, signedBytes } from '../../support/ticket-transactions.ts';
import { movesStage } from './moves-stage.ts';

/** What a move makes of the permit's account as the cluster shows it. */
const stage = movesStage(8);
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
