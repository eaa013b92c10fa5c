import { describe, expect, it } from 'vitest';
import { type GivingUp, giveUpMove } from '../../../src/custody-move/give-up-move.ts';
import { setKillSwitch } from '../../../src/kill-switch/kill-switch.ts';
import { rows, startChainApp } from '../../support/chain-app.ts';
import { type Fate, only, type Rule } from '../../support/rpc-proxy.ts';
import { land, onChain, putOnSale, transfer } from '../../support/ticket-transactions.ts';
import { movesStage } from './moves-stage.ts';

/** D-187: staff give up a transfer that has not happened and can't any more. */
const stage = movesStage();
const { order, read, carryOut, ownerOf } = stage;

const giveUp = ({ id }: { id: string }, choice: Partial<GivingUp> = {}, app = stage.app) =>
  giveUpMove(app.context(), { moveId: id, reason: 'Nobody has that wallet any more.', ...choice }, 'staff:test');

const GIVEN_UP = { state: 'failed', reason: 'Given up: Nobody has that wallet any more.', signature: null };

function endsOf({ id }: { id: string }) {
  return rows<{ action: string; actor: string; reason: string | null }>(
    stage.app,
    `select action, actor, details->>'reason' as reason from audit_entry
     where details->>'move' = $1 and action <> 'custody_move.ordered' order by id`,
    [id],
  );
}

/** Sent, and swallowed by the node: it may land until its blockhash is over. */
async function sentAndLost() {
  const move = await order();
  stage.app.proxy.setRule(({ method }) => {
    if (method === 'sendTransaction') return { reply: { result: 'swallowed' } };
    return method === 'getSignatureStatuses' && stage.app.proxy.count('sendTransaction') > 0 ? 'away' : 'pass';
  });
  await carryOut();
  stage.app.proxy.reset();
  return move;
}

describe('a transfer is given up', () => {
  it('where it waits: the ticket stays, staff are named with their reason, and it can be ordered anew', async () => {
    await setKillSwitch(stage.app.context(), { kind: 'fan', fanId: stage.owner.id }, 'a test', 'staff:test');
    const move = await order();
    await carryOut();
    expect((await giveUp(move)).state).toBe('failed');
    expect(await read(move)).toMatchObject(GIVEN_UP);
    const [entry, ...others] = await endsOf(move);
    expect(entry).toEqual({ action: 'custody_move.failed', actor: 'staff:test', reason: GIVEN_UP.reason });
    expect(others).toEqual([]);
    expect(await ownerOf()).toBe(stage.owner.wallet_address);
    const again = await order({ to: { fanId: stage.other.id } });
    expect(again.id).not.toBe(move.id);
    expect(await read(again)).toMatchObject({ state: 'open' });
  });

  it('only once its transaction can’t land any more', async () => {
    const move = await sentAndLost();
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /may still land/ });
    expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
    const expired: Rule = ({ method }) =>
      method === 'isBlockhashValid' ? (reply) => ({ result: { ...(reply.result as object), value: false } }) : 'pass';
    // another gateway has not asked about this blockhash before
    const another = await startChainApp({ beside: stage.app });
    try {
      stage.app.proxy.setRule(expired);
      another.advance(120);
      expect((await giveUp(move, {}, another)).state).toBe('failed');
    } finally {
      await another.stop();
    }
    expect(await read(move)).toMatchObject(GIVEN_UP);
    expect(await onChain(stage.app, stage.ticket)).toMatchObject({ owner: stage.owner.wallet_address });
  });

  it('of which a process has just chosen to send the transaction: that one sends nothing', async () => {
    const move = await order();
    let given: Promise<unknown> | undefined;
    stage.app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'getLatestBlockhash' && given === undefined) {
        given = giveUp(move);
        await given;
      }
      return 'pass';
    });
    await carryOut();
    await given;
    expect(given).toBeDefined();
    expect(stage.app.proxy.count('sendTransaction')).toBe(0);
    expect(await read(move)).toMatchObject(GIVEN_UP);
    expect(await endsOf(move)).toHaveLength(1);
  });
});

describe('what the chain says comes first', () => {
  it('a move that has landed is done', async () => {
    const move = await order();
    stage.app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && stage.app.proxy.count('sendTransaction') > 0 ? 'away' : 'pass',
    );
    await carryOut();
    stage.app.proxy.reset();
    expect((await giveUp(move)).state).toBe('done');
    expect(await endsOf(move)).toEqual([{ action: 'custody_move.done', actor: 'system', reason: null }]);
    expect(await ownerOf()).toBeNull();
  });

  it('one that a sale was before fails with the new owner', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    const move = await order();
    await land(stage.app, await transfer(stage.app, stage.market, stage.ticket, stage.other.wallet_address));
    expect((await giveUp(move)).state).toBe('failed');
    expect((await read(move)).reason).toContain(stage.other.wallet_address);
  });

  it('and where it can’t be asked, nothing is given up', async () => {
    const move = await order();
    stage.app.proxy.setRule(only('away'));
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read(move)).toMatchObject({ state: 'open' });
  });
});

describe('it is refused', () => {
  it('while a process takes the move', async () => {
    const move = await order();
    stage.app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'getMultipleAccounts') await rows(stage.app, 'update custody_move set tries = tries + 1');
      return 'pass';
    });
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /just now/ });
    expect(await read(move)).toMatchObject({ state: 'open', reason: null });
  });

  it('for a move that has ended, one that ends a withdrawn ticket’s sale, without a reason, and for an unknown one', async () => {
    const move = await order();
    await giveUp(move);
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /ended already/ });
    await rows(stage.app, 'update permit set revoked_at = now() where tix_permit_id = $1', [stage.ticket.permit]);
    const closing = await order({ to: null });
    await expect(giveUp(closing)).rejects.toMatchObject({ code: 'conflict', message: /withdrawn ticket/ });
    await expect(giveUp(closing, { reason: ' ' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(giveUp({ id: 'move_01kas0000000000000000000zz' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
