import { Keypair } from '@solana/web3.js';
import { afterEach, describe, expect } from 'vitest';
import { CustodyMove } from '../../../../src/entities/custody-move.ts';
import { KillSwitch } from '../../../../src/entities/kill-switch.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { type GivingUp, giveUpMove } from '../../../../src/inventory/custody-move/give-up-move.ts';
import { type MoveOrder, orderMove } from '../../../../src/inventory/custody-move/order-move.ts';
import { type KillSwitchTarget, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { decided, from } from '../../../adapters/partner-api/fan/claims-stage.ts';
import { type ChainApp, rows, startChainApp, type TestTicket } from '../../../support/chain-app.ts';
import { chainStage } from '../../../support/chain-stage.ts';
import { rotateBack, rotateTo } from '../../../support/foreign-authority.ts';
import { type Fate, only, type Rule } from '../../../support/rpc-proxy.ts';
import {
  authorizeListing,
  build,
  claim,
  land,
  listing,
  onChain,
  putOnSale,
  randomAddress,
  signedBytes,
  transfer,
  transferInstruction,
} from '../../../support/ticket-transactions.ts';

/** D-187: permits that this service moves as their owner, and what may happen on the way. */
const { app, market, seller, buyer, holder, ...stage } = await chainStage();
afterEach(async () => {
  await rows(app, `update custody_move set state = 'failed' where state = 'open'`);
  await app.context().em.nativeDelete(KillSwitch, {});
});

/** Orders a move of the test's ticket of the seller, by default to `outside`, a wallet that is nobody's here. */
type Order = (choice?: Partial<MoveOrder>) => Promise<CustodyMove>;

const it = stage.it
  .extend('outside', () => randomAddress())
  .extend('order', ({ heldTicket, outside }): Order => {
    return async (choice) => {
      const context = app.context();
      const { id } = await context.em.findOneOrFail(Permit, { tixPermitId: heldTicket.permit });
      const usual = { origin: 'a test', reason: 'The fan leaves.', actor: 'staff:test' };
      return context.em.transactional((em) =>
        orderMove({ ...context, em }, { permitId: id, to: { address: outside }, ...usual, ...choice }),
      );
    };
  });

async function read({ id }: Pick<CustodyMove, 'id'>) {
  const { state, reason, tries, signature } = await app.context().em.findOneOrFail(CustodyMove, { id });
  return { state, reason: reason ?? null, tries, signature: signature ?? null };
}

/** The job of a process, some time later. */
async function carryOut(secondsLater = 0, by: ChainApp = app): Promise<void> {
  by.advance(secondsLater);
  await carryOutMoves(by.context());
}

const sends = () => app.proxy.count('sendTransaction');

async function expectDone(move: CustodyMove): Promise<void> {
  expect(await read(move)).toMatchObject({ state: 'done', reason: null });
}

/** It waits, and this process sent nothing. */
async function expectWaits(move: CustodyMove, reason?: string | RegExp): Promise<void> {
  const { reason: told, ...row } = await read(move);
  expect(row).toMatchObject({ state: 'open' });
  if (reason !== undefined) expect(told).toMatch(reason);
  expect(sends()).toBe(0);
}

/** Orders a move and sends it; the cluster breaks off before its end is seen. @param isLost the node keeps it to itself */
async function sentUnseen(order: () => Promise<CustodyMove>, isLost: boolean): Promise<CustodyMove> {
  const move = await order();
  app.proxy.setRule(({ method }) => {
    if (method === 'sendTransaction' && isLost) return { reply: { result: 'lost' } };
    return method === 'getSignatureStatuses' && sends() > 0 ? 'away' : 'pass';
  });
  await carryOut();
  expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
  app.proxy.reset();
  return move;
}

/** Another process: one whose gateway has asked about nothing before. */
async function elsewhere(run: (another: ChainApp) => Promise<void>): Promise<void> {
  const another = await startChainApp({ beside: app });
  await run(another).finally(() => another.stop());
}

async function actionsOf({ id, permit }: TestTicket): Promise<string[]> {
  const found = await rows<{ action: string }>(
    app,
    `select a.action from audit_entry a where a.subject = $1 or a.details ->> 'move' in
       (select a2.details ->> 'move' from audit_entry a2 join permit p on p.tix_permit_id = $1
        join custody_move m on m.permit_id = p.id where a2.details ->> 'from' = m.from_wallet and a2.at >= m.created_at
          and a2.details ->> 'ticket' = $2)
     order by a.id`,
    [permit, id],
  );
  return found.map(({ action }) => action);
}

describe('a move is carried out', () => {
  it('to a wallet that is not ours: the chain has it there, the ticket has no owner, and each step is audited', async ({
    heldTicket,
    outside,
    order,
  }) => {
    const move = await order();
    await carryOut();
    await expectDone(move);
    expect(await onChain(app, heldTicket)).toMatchObject({ owner: outside, state: 'held' });
    expect(await holder(heldTicket)).toBeUndefined();
    expect(sends()).toBe(1);
    expect(await actionsOf(heldTicket)).toEqual(['custody_move.ordered', 'ticket.moved', 'custody_move.done']);
  });

  it('of a listed ticket in one transaction with the end of its listing', async ({ heldTicket, outside, order }) => {
    await putOnSale(app, market, heldTicket, seller);
    app.proxy.reset();
    const move = await order();
    await carryOut();
    await expectDone(move);
    expect(await onChain(app, heldTicket)).toMatchObject({ owner: outside, state: 'held' });
    expect(sends()).toBe(1);
  });

  it('that only closes a withdrawn ticket’s listing: the ticket stays where it is; without a listing nothing is sent', async ({
    heldTicket,
    order,
  }) => {
    await putOnSale(app, market, heldTicket, seller);
    app.proxy.reset();
    await expect(order({ to: null })).rejects.toThrow(/is valid/);
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [heldTicket.permit]);
    app.advance(200);
    const move = await order({ to: null });
    await carryOut();
    await expectDone(move);
    expect(await onChain(app, heldTicket)).toMatchObject({ owner: seller.wallet_address, state: 'held' });
    const again = await order({ to: null });
    await carryOut();
    await expectDone(again);
    expect(sends()).toBe(1);
  });
});

describe('somebody else is first', () => {
  it('a sale: the move fails with the new owner, and signs nothing', async ({ heldTicket, order }) => {
    await putOnSale(app, market, heldTicket, seller);
    const move = await order();
    await land(app, await transfer(app, market, heldTicket, buyer.wallet_address));
    app.proxy.reset();
    await carryOut();
    expect(await read(move)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(buyer.wallet_address),
    });
    expect(sends()).toBe(0);
    expect(await holder(heldTicket)).toBe(buyer.wallet_address);
  });

  it('a sale between the look at the chain and our transaction: the cluster refuses it, and the next try fails the move', async ({
    heldTicket,
    order,
  }) => {
    await putOnSale(app, market, heldTicket, seller);
    const sale = await transfer(app, market, heldTicket, buyer.wallet_address);
    const move = await order();
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'sendTransaction') await land(app, sale);
      return 'pass';
    });
    await carryOut();
    expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('refused') });
    app.proxy.reset();
    await carryOut(10);
    expect(await read(move)).toMatchObject({ state: 'failed' });
    expect(await holder(heldTicket)).toBe(buyer.wallet_address);
  });

  it('a claim under way: the move waits, and fails once the claim is confirmed', async ({ heldTicket, order }) => {
    await putOnSale(app, market, heldTicket, seller);
    const bytes = await transfer(app, market, heldTicket, buyer.wallet_address);
    app.proxy.setRule(from(2, 'getSignatureStatuses', 'away'));
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    app.proxy.reset();
    const move = await order();
    await carryOut();
    await expectWaits(move, 'A claim of the ticket is under way.');
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await carryOut(10);
    expect(await read(move)).toMatchObject({ state: 'failed' });
  });
});

const EXPIRED: Rule = ({ method }) =>
  method === 'isBlockhashValid' ? ({ result }) => ({ result: { ...(result as object), value: false } }) : 'pass';

describe('what is interrupted', () => {
  it('between sending and settling is settled by the next process, which sends nothing', async ({
    heldTicket,
    order,
  }) => {
    const move = await sentUnseen(order, false);
    await elsewhere((another) => carryOut(10, another));
    await expectDone(move);
    expect(sends()).toBe(0);
    expect(await holder(heldTicket)).toBeUndefined();
  });

  it('is not sent a second time where the new owner has given the ticket back meanwhile', async ({
    heldTicket,
    order,
  }) => {
    const newOwner = await app.network.funded();
    const move = await sentUnseen(() => order({ to: { address: newOwner.publicKey.toBase58() } }), false);
    const instruction = transferInstruction(app, heldTicket, newOwner.publicKey.toBase58(), seller.wallet_address);
    await land(app, await build(app, [instruction], { payer: newOwner }));
    await carryOut(10);
    await expectDone(move);
    expect(sends()).toBe(0);
    expect(await holder(heldTicket)).toBe(seller.wallet_address);
  });

  it('waits while its transaction may still land, and is sent anew once that is impossible', async ({ order }) => {
    const move = await sentUnseen(order, true);
    const { signature } = await read(move);
    await carryOut(10);
    await expectWaits(move, /may still land/);
    await elsewhere(async (another) => {
      app.proxy.setRule(EXPIRED);
      await carryOut(60, another);
      await expectWaits(move, /may still land/);
      expect((await read(move)).signature).toBe(signature);
      await carryOut(120, another);
    });
    await expectDone(move);
    expect(sends()).toBe(1);
  });

  const error = { code: -32002, message: 'Transaction simulation failed', data: { err: 'AccountNotFound' } };
  it.for<[string, Rule, RegExp]>([
    ['an unreachable cluster', only('away'), /unreachable|reach|available/],
    ['a refusal of the cluster', only({ reply: { error } }, 'sendTransaction'), /refused/],
  ])('by %s waits with its reason, and is tried again later', async ([_, rule, reason], { order }) => {
    const move = await order();
    app.proxy.setRule(rule);
    await carryOut();
    const waits = { state: 'open', tries: 1, signature: null, reason: expect.stringMatching(reason) };
    expect(await read(move)).toEqual(waits);
    app.proxy.reset();
    await carryOut();
    expect(await read(move)).toEqual(waits);
    await carryOut(6);
    await expectDone(move);
  });

  it('by a kill is taken up once its time is over; two processes at once send one transaction', async ({ order }) => {
    const move = await order();
    await rows(app, `update custody_move set retry_at = now() + interval '90 seconds' where state = 'open'`);
    await carryOut();
    await expectWaits(move);
    app.advance(91);
    await elsewhere(async (another) => {
      another.advance(91);
      await Promise.all([carryOut(), carryOut(0, another), carryOut(), carryOut(0, another)]);
    });
    await expectDone(move);
    expect(sends()).toBe(1);
  });
});

describe('an order is refused', () => {
  it.for<[string, (ticket: TestTicket) => string, RegExp]>([
    ['for the fan’s own wallet', () => seller.wallet_address, /wallet of a fan/],
    ['for the wallet of another fan, given as an address', () => buyer.wallet_address, /wallet of a fan/],
    ['for our payer', () => app.chain.payer, /key of this service/],
    ['for our authority', () => app.chain.authority, /key of this service/],
    ['for an account of the ticket program', (ticket) => ticket.permit, /no key can exist/],
    ['for a text that is no address', () => 'not an address', /32 bytes in base58/],
    [
      'for an address with a digit too few',
      () => Keypair.generate().publicKey.toBase58().slice(0, 42),
      /32 bytes|no key/,
    ],
  ])('%s', async ([_, address, says], { heldTicket, order }) => {
    await expect(order({ to: { address: address(heldTicket) } })).rejects.toThrow(says);
  });

  it.for([
    '11111111111111111111111111111111',
    'ComputeBudget111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'Vote111111111111111111111111111111111111111',
  ])('or the move fails before anything is signed, for a program or a sysvar: %s', async (address, { order }) => {
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

  it('while another move of the ticket is open; the same order again gives the same move', async ({ order }) => {
    const move = await order();
    expect((await order()).id).toBe(move.id);
    await expect(order({ to: null })).rejects.toThrow(/Another move/);
  });

  it('never where it is given several times at once: each gets the one move', async ({ order }) => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => order()))).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
  });

  it('for a ticket that is in no wallet of ours', async ({ order }) => {
    await order();
    await carryOut();
    await expect(order({ to: { fanId: seller.id } })).rejects.toThrow(/not ours/);
  });
});

const onAccounts = (account: object | null): Rule =>
  only(({ result }) => {
    const { value, ...rest } = result as { value: (object | null)[] };
    return { result: { ...rest, value: value.map((each) => account && { ...each, ...account }) } };
  }, 'getMultipleAccounts');

/** As if the database knew the permit at that slot. */
const setChainSlot = ({ permit }: TestTicket, slot: number | null) =>
  rows(app, 'update permit set chain_slot = $2 where tix_permit_id = $1', [permit, slot]);

it.for<[string, begin: (ticket: TestTicket, outside: string) => unknown, reason?: RegExp]>([
  ['the permit is not on the cluster', () => app.proxy.setRule(onAccounts(null)), /not on the cluster/],
  ['the permit can’t be read', () => app.proxy.setRule(onAccounts({ data: ['AAAA', 'base64'] })), /can’t be read/],
  ['the node is behind what the database knows of the permit', (ticket) => setChainSlot(ticket, 1_000_000_000)],
  [
    'the destination can’t be looked at: only what was seen there ends it',
    (_, outside) =>
      app.proxy.setRule(({ method, params }) =>
        method.startsWith('get') && JSON.stringify(params).includes(outside) ? 'away' : 'pass',
      ),
  ],
])('a move waits, and nothing is signed, while %s', async ([_, begin, reason], { heldTicket, outside, order }) => {
  const move = await order();
  await begin(heldTicket, outside);
  await carryOut();
  await expectWaits(move, reason);
  app.proxy.reset();
  await setChainSlot(heldTicket, null);
  await carryOut(31);
  await expectDone(move);
});

it('a move that another process has taken meanwhile is not sent by this one', async ({ order }) => {
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

it('a listing is not closed in the name of an authority that the program no longer has', async ({
  heldTicket,
  order,
}) => {
  await putOnSale(app, market, heldTicket, seller);
  const move = await order();
  await rotateTo(app, market.wallet, Keypair.generate());
  try {
    await carryOut();
    await expectWaits(move, /another co-signing authority/);
  } finally {
    await rotateBack(app);
  }
  await carryOut(31);
  await expectDone(move);
});

describe('a transaction whose end this service did not see', () => {
  it('is sent anew at once where it failed on the cluster', async ({ order }) => {
    const move = await sentUnseen(order, true);
    const failed = decided({ InstructionError: [0, { Custom: 1 }] }, await app.connection.getSlot());
    app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && app.proxy.count(method) === 1 ? failed : 'pass',
    );
    await carryOut(10);
    await expectDone(move);
    expect(sends()).toBe(1);
  });

  it('may still land as long as the node that does not know it is behind the one that says its blockhash has expired', async ({
    order,
  }) => {
    const move = await sentUnseen(order, true);
    const behind: Rule = ({ method }) => {
      if (method === 'isBlockhashValid') return ({ result }) => ({ result: { ...(result as object), value: false } });
      if (method !== 'getSignatureStatuses') return 'pass';
      return () => ({ result: { context: { slot: 1 }, value: [null] } });
    };
    await elsewhere(async (another) => {
      app.proxy.setRule(behind);
      await carryOut(200, another);
      await expectWaits(move, /may still land/);
    });
  });
});

it('a listing that lands right after the closing of another is closed by a later try', async ({
  heldTicket,
  order,
}) => {
  const signed: Buffer[] = [];
  for (const price of [1_000_000_000n, 2_000_000_000n]) {
    const bytes = await listing(app, market, heldTicket, seller.wallet_address, { price });
    signed.push(signedBytes(await authorizeListing(app, seller, 'list', [bytes])));
  }
  const [first, second] = signed as [Buffer, Buffer];
  await land(app, first);
  await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [heldTicket.permit]);
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
  expect(await onChain(app, heldTicket)).toMatchObject({ state: 'listed' });
  expect(await read(move)).toMatchObject({ state: 'open', reason: expect.stringContaining('has not moved') });
  app.proxy.reset();
  // with the same blockhash it has the same bytes as the first closing, which count once: then the try after it
  const turn = async () => {
    await carryOut(31);
    return read(move);
  };
  await expect.poll(turn, { timeout: 20_000 }).toMatchObject({ state: 'done', reason: null });
  expect(await onChain(app, heldTicket)).toMatchObject({ state: 'held' });
});

const giveUp = ({ id }: { id: string }, choice: Partial<GivingUp> = {}, by = app) =>
  giveUpMove(by.context(), { moveId: id, reason: 'Nobody has that wallet any more.', ...choice }, 'staff:test');

const GIVEN_UP = { state: 'failed', reason: 'Given up: Nobody has that wallet any more.', signature: null };

function endsOf({ id }: { id: string }) {
  return rows<{ action: string; actor: string; reason: string | null }>(
    app,
    `select action, actor, details->>'reason' as reason from audit_entry
     where details->>'move' = $1 and action <> 'custody_move.ordered' order by id`,
    [id],
  );
}

describe('a transfer is given up', () => {
  it('where it waits: the ticket stays, staff are named with their reason, and it can be ordered anew', async ({
    heldTicket,
    order,
  }) => {
    await setKillSwitch(app.context(), { kind: 'fan', fanId: seller.id }, 'a test', 'staff:test');
    const move = await order();
    await carryOut();
    expect((await giveUp(move)).state).toBe('failed');
    expect(await read(move)).toMatchObject(GIVEN_UP);
    const [entry, ...others] = await endsOf(move);
    expect(entry).toEqual({ action: 'custody_move.failed', actor: 'staff:test', reason: GIVEN_UP.reason });
    expect(others).toEqual([]);
    expect(await holder(heldTicket)).toBe(seller.wallet_address);
    const again = await order({ to: { fanId: buyer.id } });
    expect(again.id).not.toBe(move.id);
    expect(await read(again)).toMatchObject({ state: 'open' });
  });

  it('only once its transaction can’t land any more', async ({ heldTicket, order }) => {
    const move = await sentUnseen(order, true);
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /may still land/ });
    expect(await read(move)).toMatchObject({ state: 'open', signature: expect.any(String) });
    await elsewhere(async (another) => {
      app.proxy.setRule(EXPIRED);
      another.advance(120);
      expect((await giveUp(move, {}, another)).state).toBe('failed');
    });
    expect(await read(move)).toMatchObject(GIVEN_UP);
    expect(await onChain(app, heldTicket)).toMatchObject({ owner: seller.wallet_address });
  });

  it('of which a process has just chosen to send the transaction: that one sends nothing', async ({ order }) => {
    const move = await order();
    let given: Promise<unknown> | undefined;
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'getLatestBlockhash' && given === undefined) {
        given = giveUp(move);
        await given;
      }
      return 'pass';
    });
    await carryOut();
    await given;
    expect(given).toBeDefined();
    expect(app.proxy.count('sendTransaction')).toBe(0);
    expect(await read(move)).toMatchObject(GIVEN_UP);
    expect(await endsOf(move)).toHaveLength(1);
  });
});

describe('what the chain says comes first', () => {
  it('a move that has landed is done', async ({ heldTicket, order }) => {
    const move = await sentUnseen(order, false);
    expect((await giveUp(move)).state).toBe('done');
    expect(await endsOf(move)).toEqual([{ action: 'custody_move.done', actor: 'system', reason: null }]);
    expect(await holder(heldTicket)).toBeUndefined();
  });

  it('one that a sale was before fails with the new owner', async ({ heldTicket, order }) => {
    await putOnSale(app, market, heldTicket, seller);
    const move = await order();
    await land(app, await transfer(app, market, heldTicket, buyer.wallet_address));
    expect((await giveUp(move)).state).toBe('failed');
    expect((await read(move)).reason).toContain(buyer.wallet_address);
  });

  it('and where it can’t be asked, nothing is given up', async ({ order }) => {
    const move = await order();
    app.proxy.setRule(only('away'));
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await read(move)).toMatchObject({ state: 'open' });
  });
});

describe('giving up is refused', () => {
  it('while a process takes the move', async ({ order }) => {
    const move = await order();
    app.proxy.setRule(async ({ method }): Promise<Fate> => {
      if (method === 'getMultipleAccounts') await rows(app, 'update custody_move set tries = tries + 1');
      return 'pass';
    });
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /just now/ });
    expect(await read(move)).toMatchObject({ state: 'open', reason: null });
  });

  it('for a move that has ended, one that ends a withdrawn ticket’s sale, and without a reason', async ({
    heldTicket,
    order,
  }) => {
    const move = await order();
    await giveUp(move);
    await expect(giveUp(move)).rejects.toMatchObject({ code: 'conflict', message: /ended already/ });
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = $1', [heldTicket.permit]);
    const closing = await order({ to: null });
    await expect(giveUp(closing)).rejects.toMatchObject({ code: 'conflict', message: /withdrawn ticket/ });
    await expect(giveUp(closing, { reason: ' ' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

it.for<[string, () => KillSwitchTarget]>([
  ['co-signing', () => ({ kind: 'co_signing' })],
  ['the fan', () => ({ kind: 'fan', fanId: seller.id })],
  ['the fan who would get it', () => ({ kind: 'fan', fanId: buyer.id })],
  ['the country of the fan’s number', () => ({ kind: 'sms_country', country: 'US' })],
  ['the country of the number of the fan who would get it', () => ({ kind: 'sms_country', country: 'GB' })],
])('staff stop a move by the kill switch on %s: nothing is signed', async ([_, target], { order }) => {
  await rows(app, `update fan set phone = '+447700900123' where phone = $1`, [buyer.phone]);
  try {
    const move = await order({ to: { fanId: buyer.id } });
    await setKillSwitch(app.context(), target(), 'a test', 'staff:test');
    await carryOut();
    await expectWaits(move, /Staff have stopped/);
  } finally {
    await rows(app, `update fan set phone = $1 where phone = '+447700900123'`, [buyer.phone]);
  }
});
