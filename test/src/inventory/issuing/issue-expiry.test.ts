import { PublicKey } from '@solana/web3.js';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../../packages/localnet/test/test-network.ts';
import { issueRun, issueTurn, putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { moreTickets, rows } from '../../../support/chain-app.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { onChain } from '../../../support/ticket-transactions.ts';
import { issued, issuesSince } from './issue-stage.ts';

/** A transaction that timed out is never issued twice. */
const BLOCKHASH_SLOTS = 150;
const app = await testChainApp();
afterEach(async () => {
  app.proxy.reset();
  await rows(app, "update issue_transaction set created_at = 'epoch'");
});

const blockhashesExpire = () => rpc(app.network.url, 'passSlots', [BLOCKHASH_SLOTS + 1]);
const turn = () => issueTurn(issueRun(app.context(), 'sandbox'));
const make = (count: number) => moreTickets(app, app.users[0], { count, issue: false });
const sentBy = () =>
  new Set(app.proxy.calls.filter(({ method }) => method === 'sendTransaction').map(({ params }) => String(params[0])));

/** The node says that it took a transaction, and forgets it. */
function swallow(): void {
  app.proxy.reset();
  app.proxy.setRule(({ method }) => (method === 'sendTransaction' ? { reply: { result: 'taken' } } : 'pass'));
}

describe('blockhashes that are over', () => {
  it('is sent again as it is while its blockhash is good; a new one is made once that is over, at finalized', async () => {
    const tickets = await make(3);
    const since = new Date();
    swallow();
    await turn();
    const [first] = await issuesSince(app, since);
    app.advance(3);
    await turn();
    expect(app.proxy.count('sendTransaction')).toBe(2);
    expect(sentBy().size).toBe(1);
    await blockhashesExpire();
    await expect
      .poll(
        async () => {
          await turn();
          return (await issuesSince(app, since)).map(({ state }) => state);
        },
        { timeout: 20_000, interval: 20 },
      )
      .toEqual(['dropped', 'open']);
    app.proxy.reset();
    app.advance(3);
    await putOnchain(app.context(), 'sandbox');
    const states = (await issuesSince(app, since)).map(({ signature, state }) => [
      signature === first?.signature,
      state,
    ]);
    expect(states[0]).toEqual([true, 'dropped']);
    expect(states.at(-1)).toEqual([false, 'final']);
    for (const { permit } of tickets) {
      expect(await app.connection.getSignaturesForAddress(new PublicKey(permit))).toHaveLength(1);
    }
    app.resetClock();
  });

  it('what landed is not made again, though the node says for long that it does not know it', async () => {
    const tickets = await make(3);
    const since = new Date();
    app.proxy.reset();
    const unknown = (reply: { result?: unknown }) => {
      const { context, value } = reply.result as { context: object; value: unknown[] };
      return { result: { context, value: value.map(() => null) } };
    };
    app.proxy.setRule(({ method }) => (method === 'getSignatureStatuses' ? unknown : 'pass'));
    await turn();
    await blockhashesExpire();
    await expect
      .poll(
        async () => {
          await turn();
          return (await issuesSince(app, since)).map(({ state }) => state);
        },
        { timeout: 20_000, interval: 20 },
      )
      .toEqual(['final']);
    expect(await issued(app, tickets)).toEqual([true, true, true]);
    expect(await onChain(app, tickets[0] ?? { permit: '' })).toMatchObject({ state: 'held' });
    expect(sentBy().size).toBe(1);
  });

  it('a node that lags does not make it be sent anew', async () => {
    await make(1);
    const since = new Date();
    swallow();
    await turn();
    app.proxy.setRule(({ method }) => {
      if (method === 'sendTransaction') return { reply: { result: 'taken' } };
      if (method !== 'getSignatureStatuses') return 'pass';
      return ({ result }) => ({ result: { ...(result as object), context: { slot: 1 } } });
    });
    await blockhashesExpire();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(await issuesSince(app, since)).toMatchObject([{ state: 'open' }]);
    app.proxy.reset();
    await putOnchain(app.context(), 'sandbox');
  });
});
