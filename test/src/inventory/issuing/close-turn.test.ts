import { PublicKey } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../../packages/localnet/test/test-network.ts';
import { isUnreadable } from '../../../../src/chain/gateway/read-accounts.ts';
import { CLOSE } from '../../../../src/chain/instruction/permit-batches.ts';
import { Event } from '../../../../src/entities/event.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { TicketType } from '../../../../src/entities/ticket.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { orderMove } from '../../../../src/inventory/custody-move/order-move.ts';
import { readClosing } from '../../../../src/inventory/event-figures.ts';
import { issueRun } from '../../../../src/inventory/issuing/issue-run.ts';
import { closeTurn, issueTurn, putOnchain } from '../../../../src/inventory/issuing/issue-turn.ts';
import { readCosts } from '../../../../src/inventory/issuing/read-costs.ts';
import { settleEvents } from '../../../../src/inventory/settle-events.ts';
import { idOf, type Uuid } from '../../../../src/platform/identifier/type-id.ts';
import { grantPermit } from '../../../../src/sandbox/test-permits.ts';
import { settleDueClaims } from '../../../../src/tickets/claim/settle-due-claims.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, moreTickets, rows, type TestTicket } from '../../../support/chain-app.ts';
import { expectMeasured } from '../../../support/expect-measured.ts';
import { callFan } from '../../../support/partner.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import {
  authorizeListing,
  build,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listInstruction,
  onChain,
  putOnSale,
  signedBytes,
  transfer,
} from '../../../support/ticket-transactions.ts';

/** Events that are over, and the rent that comes back from them. */
const app = await testChainApp();
const second = await testChainApp({ beside: app });
const market = await fundedMarketplace(app);
const [seller, buyer] = app.users;
const usual = { ...app.config.issuing };
const RENT = 1_969_680;
const TWO_HOURS = 7_200;

beforeEach(() => {
  for (const { config } of [app, second]) {
    Object.assign(config.issuing, usual, { closeAfter: 1, closableAfter: -TWO_HOURS });
  }
});
afterEach(async () => {
  // tests move the clock
  await rows(app, "update issue_transaction set created_at = 'epoch'");
  await rows(app, 'update issue_pace set at = now(), tokens = 1000');
  for (const each of [app, second]) each.resetClock();
  app.proxy.reset();
});

/** One turn of a process, after which the time of every pause is over. */
async function turn(by: ChainApp = app): Promise<void> {
  const run = issueRun(by.context(), 'sandbox');
  await issueTurn(run);
  await closeTurn(run);
  by.advance(21);
}
async function turns(count: number, by: ChainApp = app): Promise<void> {
  for (let at = 0; at < count; at++) await turn(by);
}
/** Takes turns until these permits are closed, and no others of them. */
function expectClosed(tickets: readonly TestTicket[], wanted = tickets, by: ChainApp = app): Promise<void> {
  const afterATurn = async () => {
    await turn(by);
    return closed(tickets);
  };
  const states = tickets.map((ticket) => wanted.includes(ticket));
  return expect.poll(afterATurn, { timeout: 20_000, interval: 10 }).toEqual(states);
}

/** Tickets of a new event, which is over. */
async function ticketsOfEnded(count: number, { issue = true } = {}): Promise<TestTicket[]> {
  const tickets = await ticketsOfNew(count, issue);
  await end(tickets);
  return tickets;
}
const ticketsOfNew = (count: number, issue = true) =>
  moreTickets(app, seller, { count, endsAt: new Date(Date.now() + 3_600_000), issue });
async function end([ticket]: readonly TestTicket[]): Promise<void> {
  const over = "starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours'";
  await rows(app, `update event set ${over} where tix_event_id = $1`, [ticket?.tixEventId]);
}

/** One more ticket of the same event, whose permit waits. */
async function oneTicketBeside([ticket]: readonly TestTicket[]): Promise<TestTicket> {
  const { em, ...context } = app.context();
  const event = await em.findOneOrFail(Event, { tixEventId: ticket?.tixEventId ?? '' });
  const ticketType = await em.findOneOrFail(TicketType, { event });
  const fan = await em.findOneOrFail(Fan, { id: seller.id as Fan['id'] });
  const partner = await em.findOneOrFail(Partner, { name: 'Front Row' });
  const made = grantPermit({ ...context, em }, { fan, partner, ticketType }, 'test');
  await em.flush();
  const { id, tixTicketId } = made.ticket;
  return { id, tixTicketId, tixEventId: event.tixEventId, permit: made.permit.tixPermitId };
}

async function closed(tickets: readonly TestTicket[]): Promise<boolean[]> {
  const found = await rows<{ permit: string; closed: boolean }>(
    app,
    'select tix_permit_id as permit, closed_at is not null as closed from permit where tix_permit_id = any($1)',
    [tickets.map(({ permit }) => permit)],
  );
  return tickets.map(({ permit }) => found.find((row) => row.permit === permit)?.closed ?? false);
}
async function eventOf([ticket]: readonly TestTicket[]) {
  const [event] = await rows<{ id: Uuid; closed: boolean; registered: boolean; close_at: Date | null }>(
    app,
    `select id, closed_at is not null as closed, registered_at is not null as registered, close_at
     from event where tix_event_id = $1`,
    [ticket?.tixEventId],
  );
  if (!event) throw new Error('no event');
  return event;
}
const isOnChain = async (tickets: readonly TestTicket[]) =>
  (await app.chain.gateway.permits(tickets.map(({ permit }) => permit))).map((reading) => reading !== undefined);
async function isMarked([ticket]: readonly TestTicket[]): Promise<boolean> {
  const [mark] = await app.chain.gateway.finalAccounts('ClosedEvent', [ticket?.tixEventId ?? '']);
  return mark !== undefined && !isUnreadable(mark);
}
/** The transactions that close permits, oldest first. */
const closings = () =>
  rows<{ signature: string; state: string; permits: number; rent: string; fee: string }>(
    app,
    `select signature, state, permits, rent::text, fee::text from issue_transaction
     where closes and created_at > 'epoch' order by created_at, permits desc`,
  );
const waiting = (tickets: readonly TestTicket[]) =>
  rows<{ tries: number; reason: string | null }>(
    app,
    `select w.tries, w.reason from waiting_permit w join permit p on p.id = w.permit_id
     where p.tix_permit_id = any($1) order by p.id`,
    [tickets.map(({ permit }) => permit)],
  );
const balance = () => app.connection.getBalance(new PublicKey(app.chain.payer));

it('the rent of an event that is over comes back: its event first, then its permits, as many in a transaction as fit; every lamport is in the books', async () => {
  const tickets = await ticketsOfEnded(2 * CLOSE.most + 1);
  await rows(app, 'delete from issue_day');
  const before = await balance();
  await turn();
  expect(await isMarked(tickets)).toBe(true);
  expect(await closed(tickets)).not.toContain(true);
  await expectClosed(tickets);
  expect(await isOnChain(tickets)).not.toContain(true);
  const issues = await closings();
  expect(issues.map(({ permits }) => permits).sort()).toEqual([1, CLOSE.most, CLOSE.most]);
  for (const { signature, permits, rent } of issues) {
    expect(Number(rent)).toBe(-permits * RENT);
    const transaction = await app.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const size = 1 + 2 * 64 + (transaction?.transaction.message.serialize().length ?? 0);
    expect(size).toBeLessThanOrEqual(1_232);
    await expectMeasured(app, signature);
    if (permits === CLOSE.most) expect(size + 48).toBeGreaterThan(1_232);
  }
  const [day] = await readCosts(app.context(), 'sandbox', 1);
  expect(day).toMatchObject({ events: 0, permits: 0, closedEvents: 1, closedPermits: tickets.length });
  expect(day?.closingFees).toBe(4n * 10_000n);
  expect((await balance()) - before).toBe(Number(day?.returned) - Number(day?.closingFees));
  const { id } = await eventOf(tickets);
  expect(await readClosing(app.context(), id)).toEqual({
    permits: tickets.length,
    closed: tickets.length,
    returned: day?.returned,
    waits: [],
  });
  expect(await waiting(tickets)).toEqual([]);
});

describe('a permit that cannot be closed stays, and holds up no other', () => {
  it('one on sale, until its listing is cancelled', async () => {
    const tickets = await ticketsOfNew(3);
    const [listed] = tickets;
    if (!listed) throw new Error('no ticket');
    await putOnSale(app, market, listed, seller);
    await end(tickets);
    // the chain alone knows of the listing
    const others = tickets.slice(1);
    await expectClosed(tickets, others);
    await turns(3);
    expect(await closed([listed])).toEqual([false]);
    expect(await waiting([listed])).toMatchObject([{ reason: 'it is on sale' }]);
    expect((await onChain(app, listed)).state).toBe('listed');
    const { id } = await eventOf(tickets);
    expect(await readClosing(app.context(), id)).toMatchObject({
      permits: 3,
      closed: 2,
      waits: [{ reason: 'it is on sale', permits: 1 }],
    });
    // a fan can always take a ticket off sale
    await reconcile(app.context(), 'sandbox');
    app.resetClock();
    const bytes = await cancellation(app, market, listed, seller.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, seller, 'cancel', [bytes])));
    app.advance(1_000);
    await turns(2);
    // until the database knows, too
    expect(await closed([listed])).toEqual([false]);
    await reconcile(app.context(), 'sandbox');
    app.advance(1_000);
    await expectClosed([listed]);
    expect(await readClosing(app.context(), id)).toMatchObject({ closed: 3, waits: [] });
  });

  it('one with an open claim, until that is settled', async () => {
    const tickets = await ticketsOfNew(2);
    const [claimed, other] = tickets;
    if (!claimed || !other) throw new Error('no tickets');
    await putOnSale(app, market, claimed, seller);
    const bytes = await transfer(app, market, claimed, buyer.wallet_address);
    app.proxy.reset();
    // the cluster goes away once it has the transaction
    app.proxy.setRule(({ method }) =>
      method === 'getSignatureStatuses' && app.proxy.count('sendTransaction') > 0 ? 'away' : 'pass',
    );
    expect((await claim(app, buyer, [bytes])).status).toBe(503);
    app.proxy.reset();
    expect(await onChain(app, claimed)).toMatchObject({ owner: buyer.wallet_address, state: 'held' });
    await end(tickets);
    await expectClosed(tickets, [other]);
    expect(await waiting([claimed])).toMatchObject([{ reason: 'a claim of it is under way' }]);
    app.advance(120);
    for (let settling = 0; settling < 3; settling++) await settleDueClaims(app.context());
    await reconcile(app.context(), 'sandbox');
    app.advance(1_000);
    await expectClosed([claimed]);
    const [settled] = await rows<{ state: string }>(app, 'select state from claim order by created_at desc limit 1');
    expect(settled?.state).toBe('confirmed');
  });

  it('and so does an event that names a time far away, or that the database does not store', async () => {
    app.config.issuing.closableAfter = 1e18;
    const never = await ticketsOfEnded(1);
    app.config.issuing.closableAfter = -TWO_HOURS;
    const bad = await ticketsOfEnded(1);
    const tickets = await ticketsOfEnded(1);
    const { id } = await eventOf(bad);
    await rows(
      app,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused for a test'; end $$`,
    );
    await rows(
      app,
      `create trigger refuse before update of closed_at on event for each row when (new.id = '${id}') execute function refuse()`,
    );
    await expectClosed([...never, ...bad, ...tickets], tickets);
    await rows(app, 'drop trigger refuse on event');
    app.advance(300);
    await expectClosed([...never, ...bad], bad);
    expect(await isMarked(never)).toBe(false);
  });
});

const PUT_OFF = "update event set ends_at = now() + interval '1 day' where tix_event_id = $1";

describe('nothing is closed', () => {
  it('of an event that was moved later', async () => {
    const tickets = await ticketsOfEnded(1);
    await rows(app, PUT_OFF, [tickets[0]?.tixEventId]);
    await turns(4);
    expect(await isMarked(tickets)).toBe(false);
    expect(await eventOf(tickets)).toMatchObject({ closed: false, close_at: null });
  });

  it('of an event that was moved later while its closing was under way, once that transaction can no longer land', async () => {
    const tickets = await ticketsOfEnded(1);
    app.proxy.setRule(({ method }) => (method === 'sendTransaction' ? 'away' : 'pass'));
    await turn();
    await rows(app, PUT_OFF, [tickets[0]?.tixEventId]);
    await turn();
    const sent = () => rows(app, 'select close_sent_at is not null as sent from event where id = $1', [eventId]);
    const { id: eventId } = await eventOf(tickets);
    expect(await sent()).toEqual([{ sent: true }]);
    app.proxy.reset();
    app.advance(180);
    await turns(3);
    expect(await sent()).toEqual([{ sent: false }]);
    expect(await isMarked(tickets)).toBe(false);
    expect(await eventOf(tickets)).toMatchObject({ closed: false, close_at: null });
    expect(await isOnChain(tickets)).toEqual([true]);
  });

  it('before the time that the event was registered with, and the next look is then', async () => {
    app.config.issuing.closableAfter = 86_400;
    const tickets = await ticketsOfEnded(1);
    app.proxy.reset();
    await turns(3);
    expect(await isMarked(tickets)).toBe(false);
    const { close_at: closeAt } = await eventOf(tickets);
    expect(new Date(closeAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 86_400_000);
    expect(app.proxy.count('sendTransaction')).toBe(0);
  });

  it('where EVENT_CLOSE_AFTER is 0', async () => {
    app.config.issuing.closeAfter = 0;
    const tickets = await ticketsOfEnded(2);
    await turns(3);
    expect(await isMarked(tickets)).toBe(false);
    expect(await isOnChain(tickets)).toEqual([true, true]);
  });

  it('while the program pays another payer', async () => {
    const tickets = await ticketsOfEnded(1);
    const run = issueRun(app.context(), 'sandbox');
    const other = { ...run, chain: { ...run.chain, payer: buyer.wallet_address } };
    await app.connection.requestAirdrop(new PublicKey(buyer.wallet_address), 10_000_000);
    app.proxy.reset();
    await closeTurn(other);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await turns(2);
    app.advance(21);
    app.proxy.reset();
    await closeTurn(other);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    await expectClosed(tickets);
  });

  it('above the budget of the day, in which permits that are issued count', async () => {
    const tickets = await ticketsOfEnded(2 * CLOSE.most);
    await rows(app, 'delete from issue_day');
    app.config.issuing.dailyBudget = 25_000;
    await turns(6);
    // the event and one transaction
    expect((await closed(tickets)).filter(Boolean)).toHaveLength(CLOSE.most);
    app.advance(86_400);
    await expectClosed(tickets);
  });
});

it('permits that wait for a budget that is too small for rent do not hold up those that bring it', async () => {
  const tickets = await ticketsOfEnded(2);
  const [waits] = await moreTickets(app, seller, { count: 1, issue: false });
  if (!waits) throw new Error('no ticket');
  await rows(app, 'delete from issue_day');
  app.config.issuing.dailyBudget = 1_000_000;
  await expectClosed(tickets);
  expect(await isOnChain([waits])).toEqual([false]);
  app.config.issuing.dailyBudget = usual.dailyBudget;
  await putOnchain(app.context(), 'sandbox');
  expect(await isOnChain([waits])).toEqual([true]);
});

describe('whatever happens on the way, each permit is closed once', () => {
  it('two processes at once close each event and permit once', async () => {
    const before = await balance();
    const tickets = [...(await ticketsOfEnded(40)), ...(await ticketsOfEnded(3)), ...(await ticketsOfEnded(1))];
    const spent = before - (await balance());
    await rows(app, 'delete from issue_day');
    const both = async () => {
      await Promise.all([turn(), turn(second), turn(), turn(second)]);
      return closed(tickets);
    };
    await expect.poll(both, { timeout: 20_000, interval: 10 }).not.toContain(false);
    const [day] = await readCosts(app.context(), 'sandbox', 1);
    expect(day).toMatchObject({ closedEvents: 3, closedPermits: 44 });
    expect(await closings()).toEqual((await closings()).map((each) => ({ ...each, state: 'final' })));
    expect((await balance()) - before + spent).toBe(Number(day?.returned) - Number(day?.closingFees));
    for (const { permit } of tickets.slice(0, 3)) {
      const writes = await app.connection.getSignaturesForAddress(new PublicKey(permit));
      expect(writes.filter(({ err }) => err === null)).toHaveLength(2);
    }
  });

  it('one that never landed is made again once its blockhash is over, and its cost is given back', async () => {
    const tickets = await ticketsOfEnded(2);
    await turn();
    await rows(app, 'delete from issue_day');
    app.proxy.setRule(({ method }) => (method === 'sendTransaction' ? { reply: { result: 'taken' } } : 'pass'));
    await turn();
    await rpc(app.network.url, 'passSlots', [151]);
    app.proxy.reset();
    await expectClosed(tickets);
    expect((await closings()).map(({ state }) => state)).toEqual(['dropped', 'final']);
    const [day] = await readCosts(app.context(), 'sandbox', 1);
    expect(day).toMatchObject({ closedPermits: 2, closingFees: 20_000n });
  });

  it('accounts that are gone count as closed, and permits that were never issued', async () => {
    const tickets = await ticketsOfNew(3);
    const [gone, revoked] = tickets;
    if (!gone || !revoked) throw new Error('no tickets');
    const never = await oneTicketBeside(tickets);
    await rows(app, 'update permit set revoked_at = now() where tix_permit_id = any($1)', [
      [revoked.permit, never.permit],
    ]);
    await putOnchain(app.context(), 'sandbox');
    expect(await isOnChain([...tickets, never])).toEqual([true, true, true, false]);
    await end(tickets);
    await turns(2);
    // as after a transaction whose record is lost
    await rows(app, 'delete from issue_transaction where closes');
    await rows(app, 'update waiting_permit set signature = null where closes');
    await expectClosed([...tickets, never]);
    expect(await closings()).toEqual([]);
  });

  it('a permit that was never issued is not issued any more, nor its event registered again', async () => {
    const tickets = await ticketsOfEnded(1);
    await expectClosed(tickets);
    const late = await oneTicketBeside(tickets);
    app.proxy.reset();
    await putOnchain(app.context(), 'sandbox');
    await turns(2);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    expect(await waiting([late])).toEqual([]);
    expect(await eventOf(tickets)).toMatchObject({ closed: true, registered: true });
    expect(await isMarked(tickets)).toBe(true);
  });

  it('an event that was moved later after its account was closed is closed, with its permits and those that wait', async () => {
    const tickets = await ticketsOfEnded(1);
    await turn();
    expect(await isMarked(tickets)).toBe(true);
    await rows(app, PUT_OFF, [tickets[0]?.tixEventId]);
    const late = await oneTicketBeside(tickets);
    await expectClosed([...tickets, late]);
    expect(await eventOf(tickets)).toMatchObject({ closed: true });
    expect(await waiting([late])).toEqual([]);
    expect(await isOnChain([...tickets, late])).toEqual([false, false]);
    const { access_token } = await seller.tokens();
    const seen = await callFan(app, '/tickets', access_token);
    expect(JSON.stringify(seen.body)).not.toContain(tickets[0]?.permit);
  });

  it('a move that was ordered while the permit was being closed ends with it', async () => {
    const [ticket] = await ticketsOfEnded(1);
    if (!ticket) throw new Error('a ticket was made');
    await turn();
    const [permit] = await rows<{ id: Uuid }>(app, 'select id from permit where tix_permit_id = $1', [ticket.permit]);
    await rows(
      app,
      `insert into custody_move (id, mode, permit_id, kind, from_wallet, from_fan_id, origin, retry_at, created_at)
       select gen_random_uuid(), 'sandbox', $1, 'close_listing', w.address, w.fan_id, 'a test', 'epoch', now()
       from wallet w where w.address = $2`,
      [permit?.id, seller.wallet_address],
    );
    await expect
      .poll(async () => {
        await turn();
        await carryOutMoves(app.context());
        return rows(app, 'select state, reason from custody_move where permit_id = $1', [permit?.id]);
      })
      .toEqual([{ state: 'done', reason: null }]);
  });

  it('an event whose closing was sent before EVENT_CLOSE_AFTER became 0 is closed', async () => {
    const tickets = await ticketsOfEnded(1);
    await turn();
    app.config.issuing.closeAfter = 0;
    await turns(3);
    expect(await eventOf(tickets)).toMatchObject({ closed: true });
  });

  it('an event waits for a transaction that issues its permits', async () => {
    const tickets = await ticketsOfNew(1);
    const late = await oneTicketBeside(tickets);
    await issueTurn(issueRun(app.context(), 'sandbox'));
    await end(tickets);
    const marks = async () => {
      const run = issueRun(app.context(), 'sandbox');
      await closeTurn(run);
      app.advance(21);
      return isMarked(tickets);
    };
    await expect.poll(marks, { timeout: 10_000, interval: 10 }).toBe(true);
    await marks();
    expect(await eventOf(tickets)).toMatchObject({ closed: false });
    await expectClosed([...tickets, late]);
    expect(await isOnChain([late])).toEqual([false]);
  });

  it('reconciling does not miss the accounts, and says nothing of them', async () => {
    const tickets = await ticketsOfEnded(2);
    await reconcile(app.context(), 'sandbox');
    await turns(2);
    expect(await isOnChain(tickets)).toEqual([false, false]);
    const unread = () =>
      rows(
        app,
        'select u.reason from unread_permit u join permit p on p.id = u.permit_id where tix_permit_id = any($1)',
        [tickets.map(({ permit }) => permit)],
      );
    await reconcile(app.context(), 'sandbox');
    expect(await unread()).toEqual([]);
    await expectClosed(tickets);
    // as after a node that could not give the history
    await rows(app, "update chain_cluster set last_signature = null, last_slot = null where mode = 'sandbox'");
    await reconcile(app.context(), 'sandbox');
    expect(await unread()).toEqual([]);
  });

  it('a closed permit is refused as one of a past event is, and is moved no more', async () => {
    const tickets = await ticketsOfEnded(1);
    const [ticket] = tickets;
    if (!ticket) throw new Error('no ticket');
    const answers = async () => {
      const list = await build(app, [listInstruction(app, ticket, seller.wallet_address, market.address)], {
        payer: market.wallet,
      });
      const cancel = await cancellation(app, market, ticket, seller.wallet_address);
      const bytes = await transfer(app, market, ticket, buyer.wallet_address);
      return [
        await authorizeListing(app, seller, 'list', [list]),
        await authorizeListing(app, seller, 'cancel', [cancel]),
        await claim(app, buyer, [bytes]),
      ].map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
    };
    const before = await answers();
    await expectClosed(tickets);
    app.resetClock();
    const after = await answers();
    expect(after).toEqual([before[0], '404 {"message":"transactions[0]: the ticket was not found."}', before[2]]);
    expect(after[0]).toMatch(/^404 /);
    expect(after[2]).toMatch(/^404 /);
    const [{ id } = { id: '' as Uuid }] = await rows<{ id: Uuid }>(
      app,
      'select id from permit where tix_permit_id = $1',
      [ticket.permit],
    );
    const work = app.context();
    const order = { permitId: idOf('perm', id), to: { fanId: buyer.id }, origin: 'a test', reason: '-', actor: 'test' };
    const move = work.em.transactional((em) => orderMove({ ...work, em }, order));
    await expect(move).rejects.toThrow('The event is closed onchain, and its permits are too.');
  });

  it('a cancelled event is closed as others are', async () => {
    const tickets = await ticketsOfNew(2);
    await rows(app, 'update event set cancelled_at = now(), permits_due_at = now() where tix_event_id = $1', [
      tickets[0]?.tixEventId,
    ]);
    await settleEvents(app.context());
    await turns(3);
    expect(await isMarked(tickets)).toBe(false);
    await end(tickets);
    await expectClosed(tickets);
  });
});
