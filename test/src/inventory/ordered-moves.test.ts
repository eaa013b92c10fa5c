import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeForgottenListings } from '../../../src/inventory/close-listings.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows } from '../../support/chain-app.ts';
import {
  claim,
  fundedMarketplace,
  type Marketplace,
  onChain,
  putOnSale,
  transfer,
} from '../../support/ticket-transactions.ts';
import { fanOf, issueAll, issuedTicketOf, movesOf, newPhone, startProductionChain, ticketOf } from './chain-stage.ts';
import { apply, newEvent, outcomes, ticketRow } from './stage.ts';

/** D-206: a permit has one open move, whichever row orders it. */
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

describe('a move that the company orders', () => {
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
