import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyRows } from '../../../src/inventory/apply-rows.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../src/inventory/end-sales.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows } from '../../support/chain-app.ts';
import { passAfter } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listing,
  type Marketplace,
  nextBlockhash,
  onChain,
  putOnSale,
  signedBytes,
  transfer,
} from '../../support/ticket-transactions.ts';
import { fanOf, issuedTicketOf, movesOf, newPhone, startProductionChain } from './chain-stage.ts';
import { apply, eventRow, outcomes, SOURCE, ticketRow, ticketsSeen, typeRow } from './stage.ts';

let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startProductionChain();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());
beforeEach(() => app.resetClock());

type Issued = Awaited<ReturnType<typeof issuedTicketOf>>;

const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const excluded = ({ event, type }: Issued) => typeRow(event, type, { resale: 'no' });
const until = ({ event }: Issued, time: string | null) => eventRow(event, { resale_until: time });

/** What the service does every second. */
async function work(): Promise<void> {
  await reconcile(app.context(), 'production');
  await endSales(app.context());
  await carryOutMoves(app.context());
}

async function onSale(): Promise<Issued> {
  const issued = await issuedTicketOf(app);
  await putOnSale(app, market, issued.ticket, issued.owner);
  await reconcile(app.context(), 'production');
  return issued;
}

const list = async ({ ticket, owner }: Issued) =>
  authorizeListing(app, owner, 'list', [await listing(app, market, ticket, owner.wallet_address)]);

describe('a ticket that may not be resold', () => {
  const WAYS: [what: string, change: (issued: Issued) => unknown][] = [
    ['its type is excluded', excluded],
    ['the time for it is over', (issued) => until(issued, soon(-1))],
  ];

  it.each(WAYS)('stays visible and is not listed: %s', async (_, change) => {
    const issued = await issuedTicketOf(app);
    expect(await outcomes(app, [change(issued)])).toEqual(['updated']);
    expect(await ticketsSeen(app, await issued.owner.tokens())).toHaveLength(1);
    const answer = await list(issued);
    expect(answer).toMatchObject({ status: 404, body: { message: 'transactions[0]: the ticket may not be resold.' } });
    const signed = `select from listing_signature s join permit p on p.id = s.permit_id where p.tix_permit_id = $1`;
    expect(await rows(app, signed, [issued.ticket.permit])).toEqual([]);
  });

  it.each(WAYS)('is taken off sale, and so is a listing that was co-signed just before: %s', async (_, change) => {
    const listed = await onSale();
    const signed = await issuedTicketOf(app);
    const late = signedBytes(await list(signed));
    await apply(app, [change(listed), change(signed)]);
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'held' });
    await land(app, late);
    await work();
    expect(await onChain(app, signed.ticket)).toMatchObject({ state: 'held' });
    const moves = await movesOf(app, listed.row.reference);
    expect(moves.map(({ kind }) => kind)).toEqual(['close_listing']);
  });

  it.each(WAYS)('can be cancelled by its app at any time: %s', async (_, change) => {
    const listed = await onSale();
    await apply(app, [change(listed)]);
    const bytes = await cancellation(app, market, listed.ticket, listed.owner.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, listed.owner, 'cancel', [bytes])));
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'held' });
  });

  it.each(WAYS)('is not claimed from a listing; a claim that was opened before is settled: %s', async (_, change) => {
    const [listed, opened] = [await onSale(), await onSale()];
    const phone = newPhone();
    await apply(app, [ticketRow(opened.event, opened.type, `${opened.row.reference}-2`, { holder_phone: phone })]);
    const buyer = await fanOf(app, phone);
    const claimOf = async ({ ticket }: Issued) =>
      claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)]);
    const bytes = await transfer(app, market, opened.ticket, buyer.wallet_address);
    app.proxy.setRule(
      passAfter('sendTransaction', async () => {
        await apply(app, [change(listed), change(opened)]);
        await endSales(app.context());
      }),
    );
    expect(await claim(app, buyer, [bytes])).toMatchObject({ status: 200 });
    app.proxy.reset();
    expect(await claimOf(listed)).toMatchObject({
      status: 404,
      body: { message: 'tickets[0].tx: the ticket or its listing is gone.' },
    });
    await work();
    expect(await onChain(app, opened.ticket)).toMatchObject({ owner: buyer.wallet_address });
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'held', owner: listed.owner.wallet_address });
  });

  it('is taken off sale when its time comes, once, and can be sold again where the time is put off', async () => {
    const listed = await onSale();
    await apply(app, [until(listed, soon(600))]);
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'listed' });
    app.advance(601);
    await work();
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'held' });
    expect(await movesOf(app, listed.row.reference)).toHaveLength(1);
    await apply(app, [until(listed, null)]);
    await nextBlockhash(app);
    await putOnSale(app, market, listed.ticket, listed.owner);
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'listed' });
    await apply(app, [until(listed, soon(600))]);
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'held' });
  });

  it('no listing that is signed while the rule changes is left on sale', async () => {
    const issued: Issued[] = [];
    for (let made = 0; made < 8; made += 1) issued.push(await issuedTicketOf(app));
    for (const { owner } of issued) await owner.tokens();
    const ready = await Promise.all(
      issued.map(({ ticket, owner }) => listing(app, market, ticket, owner.wallet_address)),
    );
    const answers = await Promise.all(
      issued.map(async ({ owner, ...of }, at) => {
        const [answer] = await Promise.all([
          authorizeListing(app, owner, 'list', [ready[at] ?? Buffer.alloc(0)]),
          apply(app, [at % 2 === 0 ? excluded({ owner, ...of }) : until({ owner, ...of }, soon(-1))]),
        ]);
        return answer;
      }),
    );
    await work();
    const signed = answers.filter(({ status }) => status === 200);
    for (const answer of signed) await land(app, signedBytes(answer));
    await work();
    await work();
    for (const { ticket } of issued) expect(await onChain(app, ticket)).toMatchObject({ state: 'held' });
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
  });
});

describe('rows', () => {
  it('say what may be resold; without them everything may, until the event ends', async () => {
    const { event, type } = await issuedTicketOf(app);
    const state = () =>
      rows(
        app,
        `select tt.resale, e.resale_until as until from event e join ticket_type tt on tt.event_id = e.id where e.reference = $1`,
        [event],
      );
    expect(await state()).toEqual([{ resale: true, until: null }]);
    const time = '2030-05-01T20:00:00Z';
    const both = [eventRow(event, { resale_until: time }), typeRow(event, type, { resale: 'No' })];
    expect(await outcomes(app, both)).toEqual(['updated', 'updated']);
    expect(await outcomes(app, both)).toEqual(['unchanged', 'unchanged']);
    expect(await outcomes(app, [eventRow(event), typeRow(event, type)])).toEqual(['unchanged', 'unchanged']);
    expect(await state()).toEqual([{ resale: false, until: '2030-05-01 20:00:00+00' }]);
    expect(
      await rows(app, `select details from audit_entry where action = 'resale.changed' order by id desc limit 2`, []),
    ).toEqual([
      { details: { before: { resale: true }, after: { resale: false } } },
      { details: { before: { resale_until: null }, after: { resale_until: '2030-05-01T20:00:00.000Z' } } },
    ]);
  });

  it('fail where they name a time after the end, or neither yes nor no', async () => {
    expect(
      await outcomes(app, [
        eventRow('late', { resale_until: '2030-05-01T22:00:01Z' }),
        eventRow('late', { resale_until: 'tomorrow' }),
        typeRow('late', 'type', { resale: 'maybe' }),
        typeRow('late', 'type', { resale: false }),
      ]),
    ).toEqual([
      'failed invalid_row resale_until',
      'failed invalid_row resale_until',
      'failed invalid_row resale',
      'failed invalid_row resale',
    ]);
  });

  it('of a person’s file that would take something off sale fail; where nothing is on sale they apply', async () => {
    const [listed, other] = [await onSale(), await issuedTicketOf(app)];
    const byPerson = async (given: readonly object[]) =>
      (await applyRows(app.context(), given, { ...SOURCE, keepsHolders: true })).map(({ outcome, reason }) => [
        outcome,
        reason,
      ]);
    const confirmed = [['failed', 'needs_confirmation']];
    expect(await byPerson([excluded(listed)])).toEqual(confirmed);
    expect(await byPerson([until(listed, soon(3_600))])).toEqual(confirmed);
    expect(await byPerson([excluded(other)])).toEqual([['updated', undefined]]);
    expect(await byPerson([until(other, soon(3_600))])).toEqual([['updated', undefined]]);
    await work();
    expect(await onChain(app, listed.ticket)).toMatchObject({ state: 'listed' });
  });
});
