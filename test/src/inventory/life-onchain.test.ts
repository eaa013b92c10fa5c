import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeForgottenListings } from '../../../src/inventory/close-listings.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { settleEndedEvents, settleEvents } from '../../../src/inventory/settle-events.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows } from '../../support/chain-app.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  onChain,
  putOnSale,
  signedBytes,
  transfer,
} from '../../support/ticket-transactions.ts';
import { fanOf, issueAll, issuedTicketOf, movesOf, newPhone, startProductionChain, ticketOf } from './chain-stage.ts';
import { apply, eventRow, newEvent, outcomes, ticketRow, ticketsSeen } from './stage.ts';

let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startProductionChain();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());
beforeEach(() => {
  app.proxy.reset();
  app.resetClock();
});

const issuedTicket = () => issuedTicketOf(app);
const runMoves = () => carryOutMoves(app.context());

describe('the company gives an issued ticket to somebody else', () => {
  it('moves the permit onchain first, and then the ticket', async () => {
    const { row, ticket, owner } = await issuedTicket();
    const to = newPhone();
    const given = { ...row, holder_phone: to };
    expect(await outcomes(app, [given])).toEqual(['updated']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: owner.phone });
    expect(await movesOf(app, row.reference)).toMatchObject([{ kind: 'transfer', state: 'open' }]);
    expect(await outcomes(app, [given])).toEqual(['unchanged']);
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual([
      'failed transfer_under_way holder_phone',
    ]);
    await runMoves();
    const { wallet_address } = await fanOf(app, to);
    expect(await onChain(app, ticket)).toMatchObject({ owner: wallet_address, state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: to });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done', reason: null }]);
    expect(await outcomes(app, [given])).toEqual(['unchanged']);
    const entries = await rows(
      app,
      `select action, actor from audit_entry where subject = $1 or subject = $2 order by id`,
      [
        (
          await rows<{ id: string }>(
            app,
            `select subject as id from audit_entry where action = 'ticket.transferred' order by id desc limit 1`,
          )
        )[0]?.id,
        ticket.permit,
      ],
    );
    expect(entries).toEqual([
      { action: 'ticket.transferred', actor: 'staff:test' },
      { action: 'ticket.moved', actor: 'system' },
    ]);
  });

  it('leaves it to whoever claimed it first, and says so', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    const buyerRow = ticketRow(row.event, row.ticket_type, `buyer-${row.reference}`, { holder_phone: newPhone() });
    await apply(app, [buyerRow]);
    const buyer = await fanOf(app, buyerRow.holder_phone);
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    await apply(app, [{ ...row, holder_phone: newPhone() }]);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address });
    expect(await movesOf(app, row.reference)).toMatchObject([
      { state: 'failed', reason: `The ticket went to the wallet ${buyer.wallet_address} first.` },
    ]);
    expect(
      await rows(app, `select details->>'kind' as kind from audit_entry where action = 'custody_move.failed'`),
    ).toEqual([{ kind: 'transfer' }]);
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual(['failed sold_on holder_phone']);
    const aware = { ...row, holder_phone: undefined, holder_fan_id: buyer.id };
    expect(await outcomes(app, [aware])).toEqual(['updated']);
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual(['updated']);
    await runMoves();
    expect(await onChain(app, ticket)).not.toMatchObject({ owner: buyer.wallet_address });
  });

  it('moves a permit that was issued to the holder before while the row came in', async () => {
    const { event, type, rows: before } = newEvent();
    const row = ticketRow(event, type, `crossed-${event}`, { holder_phone: newPhone() });
    await apply(app, [...before, row]);
    const to = newPhone();
    const first = await fanOf(app, row.holder_phone);
    expect(await outcomes(app, [{ ...row, holder_phone: to }])).toEqual(['updated']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: to });
    // an issue that began before names the first holder
    await app.runtime.pool.query(
      `update ticket set owner_id = (select id from fan where phone = $1 and mode = 'production') where reference = $2`,
      [row.holder_phone, row.reference],
    );
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([
      { state: 'open', reason: 'The permit is not issued yet.', tries: 0 },
    ]);
    await issueAll(app);
    const ticket = await ticketOf(app, row.reference);
    expect(await onChain(app, ticket)).toMatchObject({ owner: first.wallet_address });
    await runMoves();
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: to });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done' }]);
  });
});

describe('a ticket that is refunded or void', () => {
  it('is closed onchain where it is listed, and nothing more is signed for it', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    expect(await outcomes(app, [{ ...row, status: 'refunded' }])).toEqual(['updated']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ revoked: true, listing: true });
    expect(await ticketsSeen(app, await owner.tokens())).toEqual([]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ owner: owner.wallet_address, state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ listing: false });
    const bytes = await listing(app, market, ticket, owner.wallet_address);
    expect((await authorizeListing(app, owner, 'list', [bytes])).status).toBe(404);
  });

  it('is closed also by a listing that was signed before and lands after', async () => {
    const { row, ticket, owner } = await issuedTicket();
    const bytes = await listing(app, market, ticket, owner.wallet_address);
    const signed = signedBytes(await authorizeListing(app, owner, 'list', [bytes]));
    await apply(app, [{ ...row, status: 'void' }]);
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([
      {
        kind: 'close_listing',
        state: 'open',
        reason: 'A listing that was co-signed earlier may still appear onchain.',
      },
    ]);
    await land(app, signed);
    app.advance(31);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    app.advance(200);
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done' }]);
  });

  it('keeps its listing where it counts again before it is closed', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await apply(app, [{ ...row, status: 'void' }]);
    await apply(app, [{ ...row, status: 'valid' }]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed', reason: 'The ticket counts again.' }]);
    expect(await ticketsSeen(app, await owner.tokens())).toHaveLength(1);
  });

  it('can’t be claimed', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await apply(app, [
      { ...row, status: 'void' },
      ticketRow(row.event, row.ticket_type, `late-${row.reference}`, { holder_phone: newPhone() }),
    ]);
    const { owner: phone } = await ticketOf(app, `late-${row.reference}`);
    const buyer = await fanOf(app, phone ?? '');
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    expect((await claim(app, buyer, [bytes])).status).toBe(404);
  });

  it('is found by the job, too, where its listing is open without a move', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await app.runtime.pool.query('update permit set revoked_at = now() where tix_permit_id = $1', [ticket.permit]);
    await closeForgottenListings(app.context());
    await closeForgottenListings(app.context());
    expect(await movesOf(app, row.reference)).toMatchObject([{ kind: 'close_listing', state: 'open' }]);
    app.advance(200);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done' }]);
  });
});

describe('a cancelled event', () => {
  it('withdraws every permit, narrows grants and closes listings; reinstated, it gives back what was not refunded', async () => {
    const { event, type, row, ticket, owner } = await issuedTicket();
    const refunded = ticketRow(event, type, `refunded-${event}`, {
      holder_phone: row.holder_phone,
      status: 'refunded',
    });
    const other = ticketRow(event, type, `other-${event}`, { holder_phone: row.holder_phone });
    await apply(app, [refunded, other]);
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await app.runtime.pool.query(
      `update consent_grant set mode = 'selected', ticket_ids = array[$1::uuid]
       where fan_id = (select owner_id from ticket where id = $1)`,
      [ticket.id],
    );
    expect(await outcomes(app, [eventRow(event, { status: 'cancelled' })])).toEqual(['updated']);
    expect(
      (await authorizeListing(app, owner, 'cancel', [await listing(app, market, ticket, owner.wallet_address)])).status,
    ).not.toBe(200);
    await Promise.all([settleEvents(app.context()), settleEvents(app.context())]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    for (const reference of [row.reference, refunded.reference, other.reference]) {
      expect(await ticketOf(app, reference)).toMatchObject({ revoked: true, listing: false });
    }
    const [grant] = await rows(
      app,
      'select ticket_ids from consent_grant where fan_id = (select owner_id from ticket where id = $1)',
      [ticket.id],
    );
    expect(grant).toEqual({ ticket_ids: [] });
    await apply(app, [eventRow(event, { status: 'scheduled' })]);
    await settleEvents(app.context());
    expect(await ticketOf(app, row.reference)).toMatchObject({ revoked: false });
    expect(await ticketOf(app, other.reference)).toMatchObject({ revoked: false });
    expect(await ticketOf(app, refunded.reference)).toMatchObject({ revoked: true });
    expect(await rows(app, 'select 1 from event where permits_due_at is not null')).toEqual([]);
  });
});

describe('an event that is moved to the past, as any that is over', () => {
  const PAST = { starts_at: '2020-05-01T18:00:00Z', ends_at: '2020-05-01T22:00:00Z' };
  const settleEnded = () => settleEndedEvents(app.context());
  async function onSale() {
    const issued = await issuedTicket();
    await putOnSale(app, market, issued.ticket, issued.owner);
    await reconcile(app.context(), 'production');
    return issued;
  }

  it('has its listings closed onchain, by the job that goes through it once', async () => {
    const { event, row, ticket, owner } = await onSale();
    expect(await outcomes(app, [eventRow(event, PAST)])).toEqual(['updated']);
    await settleEnded();
    await settleEnded();
    expect(await movesOf(app, row.reference)).toMatchObject([
      { kind: 'close_listing', state: 'open', origin: 'ended event' },
    ]);
    app.advance(200);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ owner: owner.wallet_address, state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ listing: false, revoked: false });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done' }]);
  });

  it('lets its fan take a ticket off sale, under a grant of selected tickets too, and signs no new listing', async () => {
    const { event, row, ticket, owner } = await onSale();
    await app.runtime.pool.query(
      `update consent_grant set mode = 'selected', ticket_ids = array[$1::uuid]
       where fan_id = (select owner_id from ticket where id = $1)`,
      [ticket.id],
    );
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    expect(await ticketsSeen(app, await owner.tokens())).toEqual([]);
    const again = await listing(app, market, ticket, owner.wallet_address);
    expect((await authorizeListing(app, owner, 'list', [again])).status).toBe(404);
    const bytes = await cancellation(app, market, ticket, owner.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, owner, 'cancel', [bytes])));
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    app.advance(200);
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'done', reason: null }]);
  });

  it('keeps a listing where the event is put off before it is closed, and has it closed at the next end', async () => {
    const { event, row, ticket } = await onSale();
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    await apply(app, [eventRow(event)]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'listed' });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed', reason: 'The ticket counts again.' }]);
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    app.advance(200);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed' }, { state: 'done' }]);
  });
});

describe('D-206: a permit has one open move, whichever row orders it', () => {
  it('gives a ticket on before it is issued: the newest order counts, and a permit of the new holder is not touched', async () => {
    const { event, type, rows: before } = newEvent();
    const row = ticketRow(event, type, `given-on-${event}`, { holder_phone: newPhone() });
    await apply(app, [...before, row]);
    const to = newPhone();
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual(['updated']);
    expect(await outcomes(app, [{ ...row, holder_phone: to }])).toEqual(['updated']);
    expect(await movesOf(app, row.reference)).toMatchObject([
      { state: 'failed', reason: 'A newer order took its place.' },
      { state: 'open' },
    ]);
    await issueAll(app);
    app.proxy.reset();
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed' }, { state: 'done', reason: null }]);
    expect(app.proxy.count('sendTransaction')).toBe(0);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: to });
  });

  it('follows a permit that was issued to the first of several holders while they changed', async () => {
    const { row, ticket } = await issuedTicket();
    const seen = (at: string) =>
      rows(app, `update permit set issued_at = ${at} where tix_permit_id = $1`, [ticket.permit]);
    // its transaction has landed, and is not seen yet
    await seen('null');
    const last = newPhone();
    for (const holder_phone of [newPhone(), last]) {
      expect(await outcomes(app, [{ ...row, holder_phone }])).toEqual(['updated']);
    }
    await seen('now()');
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed' }, { state: 'done', reason: null }]);
    expect(await onChain(app, ticket)).toMatchObject({ owner: (await fanOf(app, last)).wallet_address });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: last });
  });

  it('takes the place of a closing that only awaits listings signed before', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await apply(app, [{ ...row, status: 'void' }]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await movesOf(app, row.reference)).toMatchObject([
      {
        kind: 'close_listing',
        state: 'open',
        reason: 'A listing that was co-signed earlier may still appear onchain.',
      },
    ]);
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone(), status: 'void' }])).toEqual(['updated']);
  });

  it('leaves a permit that was issued to the holder before, and claimed of them since', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    const buyerRow = ticketRow(row.event, row.ticket_type, `early-${row.reference}`, { holder_phone: newPhone() });
    await apply(app, [buyerRow]);
    const buyer = await fanOf(app, buyerRow.holder_phone);
    const bytes = await transfer(app, market, ticket, buyer.wallet_address);
    await apply(app, [{ ...row, holder_phone: newPhone() }]);
    // as it is ordered before the permit is issued
    await app.runtime.pool.query(`update custody_move set from_wallet = null where state = 'open'`);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ owner: buyer.wallet_address });
    expect(await movesOf(app, row.reference)).toMatchObject([
      { state: 'failed', reason: `The ticket went to the wallet ${buyer.wallet_address} first.` },
    ]);
  });

  it('is refused while another move may land, and takes the place of one that was not sent', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await apply(app, [{ ...row, status: 'void' }]);
    await app.runtime.pool.query(
      `update custody_move set signature = 'sent', blockhash = 'sent', sent_at = now() where state = 'open'`,
    );
    const to = newPhone();
    const given = { ...row, holder_phone: to, status: 'void' };
    expect(await outcomes(app, [given])).toEqual(['failed transfer_under_way holder_phone']);
    await app.runtime.pool.query(
      `update custody_move set signature = null, blockhash = null, sent_at = null where state = 'open'`,
    );
    expect(await outcomes(app, [given])).toEqual(['updated']);
    expect(await movesOf(app, row.reference)).toMatchObject([
      { kind: 'close_listing', state: 'failed', reason: 'A newer order took its place.' },
      { kind: 'transfer', state: 'open' },
    ]);
    await closeForgottenListings(app.context());
    await runMoves();
    expect(await movesOf(app, row.reference)).toMatchObject([{ state: 'failed' }, { kind: 'transfer', state: 'done' }]);
    expect(await onChain(app, ticket)).toMatchObject({ owner: (await fanOf(app, to)).wallet_address, state: 'held' });
  });

  it('orders no second move to close a listing that the transfer closes', async () => {
    const { row, ticket, owner } = await issuedTicket();
    await putOnSale(app, market, ticket, owner);
    await reconcile(app.context(), 'production');
    await apply(app, [{ ...row, holder_phone: newPhone(), status: 'refunded' }]);
    expect(await movesOf(app, row.reference)).toMatchObject([{ kind: 'transfer', state: 'open', origin: 'inventory' }]);
    await runMoves();
    expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ listing: false, revoked: true });
  });

  it('names who ordered it, what and why, in the audit log', async () => {
    const { row } = await issuedTicket();
    await apply(app, [{ ...row, holder_phone: newPhone() }]);
    const [entry] = await rows(
      app,
      `select actor, subject, details - 'move' - 'ticket' - 'fan' - 'from' - 'to' as details from audit_entry
       where action = 'custody_move.ordered' order by id desc limit 1`,
    );
    expect(entry).toEqual({
      actor: 'staff:test',
      subject: expect.stringMatching(/^perm_/),
      details: {
        kind: 'transfer',
        origin: 'inventory',
        reason: 'The company gave the ticket to another holder.',
      },
    });
  });
});
