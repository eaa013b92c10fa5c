import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { from } from '../../adapters/fan/claims-stage.ts';
import { rows, startChainApp } from '../../support/chain-app.ts';
import { type Fate, only, type Rule } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  build,
  claim,
  land,
  listing,
  onChain,
  putOnSale,
  signedBytes,
  transfer,
  transferInstruction,
} from '../../support/ticket-transactions.ts';
import { movesStage } from './moves-stage.ts';

/** D-187: permits that this service moves as their owner, and what may happen on the way. */
const stage = movesStage();
const { order, read, carryOut, ownerOf } = stage;
const DONE = { state: 'done', reason: null };

function sends(): number {
  return stage.app.proxy.count('sendTransaction');
}

async function actionsOf(permit: string): Promise<string[]> {
  const found = await rows<{ action: string }>(
    stage.app,
    `select a.action from audit_entry a where a.subject = $1 or a.details ->> 'move' in
       (select a2.details ->> 'move' from audit_entry a2 join permit p on p.tix_permit_id = $1
        join custody_move m on m.permit_id = p.id where a2.details ->> 'from' = m.from_wallet and a2.at >= m.created_at
          and a2.details ->> 'ticket' = $2)
     order by a.id`,
    [permit, stage.ticket.id],
  );
  return found.map(({ action }) => action);
}

describe('a move is carried out', () => {
  it('to a wallet that is not ours: the chain has it there, the ticket has no owner, and each step is audited', async () => {
    const move = await order();
    await carryOut();
    expect(await read(move)).toMatchObject(DONE);
    expect(await onChain(stage.app, stage.ticket)).toMatchObject({ owner: stage.outside, state: 'held' });
    expect(await ownerOf()).toBeNull();
    expect(sends()).toBe(1);
    expect(await actionsOf(stage.ticket.permit)).toEqual(['custody_move.ordered', 'ticket.moved', 'custody_move.done']);
  });

  it('to another fan, whose ticket it then is', async () => {
    const move = await order({ to: { fanId: stage.other.id } });
    await carryOut();
    expect(await read(move)).toMatchObject(DONE);
    expect(await ownerOf()).toBe(stage.other.wallet_address);
  });

  it('of a listed ticket in one transaction with the end of its listing', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    stage.app.proxy.reset();
    const move = await order();
    await carryOut();
    expect(await read(move)).toMatchObject(DONE);
    expect(await onChain(stage.app, stage.ticket)).toMatchObject({ owner: stage.outside, state: 'held' });
    expect(sends()).toBe(1);
  });

  it('that only closes a withdrawn ticket’s listing: the ticket stays where it is; without a listing nothing is sent', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    stage.app.proxy.reset();
    await expect(order({ to: null })).rejects.toThrow(/is valid/);
    await rows(stage.app, 'update permit set revoked_at = now() where tix_permit_id = $1', [stage.ticket.permit]);
    stage.app.advance(200);
    const move = await order({ to: null });
    await carryOut();
    expect(await read(move)).toMatchObject(DONE);
    expect(await onChain(stage.app, stage.ticket)).toMatchObject({ owner: stage.owner.wallet_address, state: 'held' });
    const again = await order({ to: null });
    await carryOut();
    expect(await read(again)).toMatchObject(DONE);
    expect(sends()).toBe(1);
  });

  it('and takes the ticket out of the fan’s selected grants', async () => {
    const [grant] = await rows<{ id: string }>(
      stage.app,
      `insert into consent_grant select (jsonb_populate_record(g, jsonb_build_object('id', gen_random_uuid(), 'mode', 'selected',
         'ticket_ids', array(select t.id from permit p join ticket t on t.id = p.ticket_id where p.tix_permit_id = $1)))).*
       from consent_grant g join fan f on f.id = g.fan_id where f.phone = $2 limit 1 returning id`,
      [stage.ticket.permit, stage.owner.phone],
    );
    if (!grant) throw new Error('the fan has no grant to copy');
    await order();
    await carryOut();
    expect(await rows(stage.app, 'select ticket_ids from consent_grant where id = $1', [grant.id])).toEqual([
      { ticket_ids: [] },
    ]);
  });
});

describe('somebody else is first', () => {
  it('a sale: the move fails with the new owner, and signs nothing', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    const move = await order();
    await land(stage.app, await transfer(stage.app, stage.market, stage.ticket, stage.other.wallet_address));
    stage.app.proxy.reset();
    await carryOut();
    expect(await read(move)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(stage.other.wallet_address),
    });
    expect(sends()).toBe(0);
    expect(await ownerOf()).toBe(stage.other.wallet_address);
  });

  it('a sale between the look at the chain and our transaction: the cluster refuses it, and the next try fails the move', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    const sale = await transfer(stage.app, stage.market, stage.ticket, stage.other.wallet_address);
    const move = await order();
    stage.app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'sendTransaction') await land(stage.app, sale);
      return 'pass';
    });
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('refused') });
    stage.app.proxy.reset();
    await carryOut(10);
    expect(await read(move)).toMatchObject({ state: 'failed' });
    expect(await ownerOf()).toBe(stage.other.wallet_address);
  });

  it('a claim under way: the move waits, and fails once the claim is confirmed', async () => {
    await putOnSale(stage.app, stage.market, stage.ticket, stage.owner);
    const bytes = await transfer(stage.app, stage.market, stage.ticket, stage.other.wallet_address);
    stage.app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    expect((await claim(stage.app, stage.other, [bytes])).status).toBe(503);
    stage.app.proxy.reset();
    const move = await order();
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', reason: 'A claim of the ticket is under way.' });
    expect(sends()).toBe(0);
    expect((await claim(stage.app, stage.other, [bytes])).status).toBe(200);
    await carryOut(10);
    expect(await read(move)).toMatchObject({ state: 'failed' });
  });
});

describe('what is interrupted', () => {
  it('between sending and settling is settled by the next process, which sends nothing', async () => {
    const move = await order();
    stage.app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && stage.app.proxy.count('sendTransaction') > 0 ? 'away' : 'pass',
    );
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
    stage.app.proxy.reset();
    const another = await startChainApp({ beside: stage.app });
    try {
      await carryOut(10, another);
    } finally {
      await another.stop();
    }
    expect(await read(move)).toMatchObject(DONE);
    expect(sends()).toBe(0);
    expect(await ownerOf()).toBeNull();
  });

  it('is not sent a second time where the new owner has given the ticket back meanwhile', async () => {
    const newOwner = await stage.app.network.funded();
    const move = await order({ to: { address: newOwner.publicKey.toBase58() } });
    stage.app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && stage.app.proxy.count('sendTransaction') > 0 ? 'away' : 'pass',
    );
    await carryOut();
    stage.app.proxy.reset();
    const instruction = transferInstruction(
      stage.app,
      stage.ticket,
      newOwner.publicKey.toBase58(),
      stage.owner.wallet_address,
    );
    await land(stage.app, await build(stage.app, [instruction], { payer: newOwner }));
    await carryOut(10);
    expect(await read(move)).toMatchObject(DONE);
    expect(sends()).toBe(0);
    expect(await ownerOf()).toBe(stage.owner.wallet_address);
  });

  it('waits while its transaction may still land, and is sent anew once that is impossible', async () => {
    const move = await order();
    let swallowed = 0;
    stage.app.proxy.setRule(({ method }) => {
      if (method === 'sendTransaction') swallowed += 1;
      if (method === 'sendTransaction') return { reply: { result: 'swallowed' } };
      return method === 'getSignatureStatuses' && swallowed > 0 ? 'away' : 'pass';
    });
    await carryOut();
    const first = (await read(move)).signature;
    expect(first).not.toBeNull();
    stage.app.proxy.reset();
    await carryOut(10);
    const waits = { state: 'open', signature: first, reason: expect.stringContaining('may still land') };
    expect(await read(move)).toMatchObject(waits);
    expect(sends()).toBe(0);
    const expired: Rule = ({ method }) =>
      method === 'isBlockhashValid' ? (reply) => ({ result: { ...(reply.result as object), value: false } }) : 'pass';
    stage.app.proxy.setRule(expired);
    // another gateway has not asked about this blockhash before
    const another = await startChainApp({ beside: stage.app });
    try {
      stage.app.proxy.setRule(expired);
      await carryOut(60, another);
      expect(await read(move)).toMatchObject(waits);
      await carryOut(120, another);
    } finally {
      await another.stop();
    }
    expect(await read(move)).toMatchObject(DONE);
    expect(sends()).toBe(1);
  });

  it('by an unreachable cluster waits with its reason', async () => {
    const move = await order();
    stage.app.proxy.setRule(only('away'));
    await carryOut();
    expect(await read(move)).toMatchObject({
      state: 'open',
      tries: 1,
      reason: expect.stringMatching(/unreachable|reach|available/),
    });
    stage.app.proxy.reset();
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', tries: 1 });
    await carryOut(6);
    expect(await read(move)).toMatchObject(DONE);
  });

  it('by a refusal of the cluster is tried again later', async () => {
    const move = await order();
    stage.app.proxy.setRule(
      only(
        {
          reply: {
            error: { code: -32002, message: 'Transaction simulation failed', data: { err: 'AccountNotFound' } },
          },
        },
        'sendTransaction',
      ),
    );
    await carryOut();
    expect(await read(move)).toMatchObject({
      state: 'open',
      signature: null,
      reason: expect.stringContaining('refused'),
    });
    stage.app.proxy.reset();
    await carryOut(6);
    expect(await read(move)).toMatchObject(DONE);
  });

  it('two processes at once send one transaction', async () => {
    const another = await startChainApp({ beside: stage.app });
    try {
      const moves = [await order()];
      await Promise.all([carryOut(), carryOut(0, another), carryOut(), carryOut(0, another)]);
      for (const move of moves) expect(await read(move)).toMatchObject(DONE);
      expect(sends()).toBe(1);
    } finally {
      await another.stop();
    }
  });
});

describe('an order is refused', () => {
  it.each([
    ['for the fan’s own wallet', () => stage.owner.wallet_address, /wallet of a fan/],
    ['for the wallet of another fan, given as an address', () => stage.other.wallet_address, /wallet of a fan/],
    ['for our payer', () => stage.app.chain.payer, /key of this service/],
    ['for our authority', () => stage.app.chain.authority, /key of this service/],
    ['for an account of the ticket program', () => stage.ticket.permit, /no key can exist/],
    ['for a text that is no address', () => 'not an address', /32 bytes in base58/],
    [
      'for an address with a digit too few',
      () => Keypair.generate().publicKey.toBase58().slice(0, 42),
      /32 bytes|no key/,
    ],
  ])('%s', async (_, address, says) => {
    await expect(order({ to: { address: address() } })).rejects.toThrow(says);
  });

  it.each([
    '11111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
  ])('or the move fails before anything is signed, for a program or a sysvar: %s', async (address) => {
    const told = await order({ to: { address } }).then(
      async (move) => {
        await carryOut();
        expect(await read(move)).toMatchObject({ state: 'failed' });
        return (await read(move)).reason;
      },
      (error: Error) => error.message,
    );
    expect(told).toMatch(/program/);
    expect(sends()).toBe(0);
  });

  it('while another move of the ticket is open; the same order again gives the same move', async () => {
    const move = await order();
    expect((await order()).id).toBe(move.id);
    await expect(order({ to: null })).rejects.toThrow(/Another move/);
    const both = await Promise.allSettled([order(), order()]);
    expect(both.map((each) => each.status === 'fulfilled' && each.value.id)).toEqual([move.id, move.id]);
  });

  it('never for being given several times at once: each gets the one move', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => order()))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it('for a ticket that is in no wallet of ours', async () => {
    await order();
    await carryOut();
    await expect(order({ to: { fanId: stage.owner.id } })).rejects.toThrow(/not ours/);
  });
});

it('a listing that is signed while the move waits is closed with it', async () => {
  const bytes = await listing(stage.app, stage.market, stage.ticket, stage.owner.wallet_address);
  const signed = signedBytes(await authorizeListing(stage.app, stage.owner, 'list', [bytes]));
  const move = await order();
  await land(stage.app, signed);
  await carryOut();
  expect(await read(move)).toMatchObject(DONE);
  expect(await onChain(stage.app, stage.ticket)).toMatchObject({ owner: stage.outside, state: 'held' });
});
