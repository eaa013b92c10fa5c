import { afterAll, beforeAll, expect, it } from 'vitest';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { idOf } from '../../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows } from '../../../support/chain-app.ts';
import {
  build,
  claim,
  fundedMarketplace,
  land,
  type Marketplace,
  putOnSale,
  transfer,
  transferInstruction,
} from '../../../support/ticket-transactions.ts';
import { fanOf, issueAll, issuedTicketOf, newPhone, startProductionChain } from '../chain-stage.ts';
import { apply, newEvent, ticketRow } from '../stage.ts';
import { followFrom, snapshotOf } from './feed-stage.ts';

let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startProductionChain();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());

const follow = () => followFrom(app.runtime.pool);
const PRICE = '1000000000';

/** A ticket that is issued and on sale, as the service has seen it. */
async function onSale() {
  const issued = await issuedTicketOf(app);
  await putOnSale(app, market, issued.ticket, issued.owner);
  await reconcile(app.context(), 'production');
  return issued;
}

/** A fan who has another ticket of the same type. */
async function otherFan({ event, row }: Awaited<ReturnType<typeof onSale>>) {
  const bought = ticketRow(event, row.ticket_type, `other-${row.reference}-${newPhone()}`, {
    holder_phone: newPhone(),
  });
  await apply(app, [bought]);
  return fanOf(app, bought.holder_phone);
}

it('a new ticket waits, is issued, refunded, and given to another holder', async () => {
  const { event, type, rows: before } = newEvent();
  const row = ticketRow(event, type, `line-${event}`, { holder_phone: newPhone() });
  const changes = await follow();
  await apply(app, [...before, row]);
  const { id } = await fanOf(app, row.holder_phone);
  const line = {
    ticket: row.reference,
    event,
    ticket_type: type,
    id: expect.stringMatching(/^tkt_/),
    holder: { fan_id: id, phone: row.holder_phone },
    label: null,
    status: 'valid',
    used_at: null,
    onchain: 'waiting',
    listing: null,
    sale: null,
    at: expect.any(Date),
  };
  expect(await changes()).toEqual([line]);
  await issueAll(app);
  expect(await changes()).toEqual([{ ...line, onchain: 'issued' }]);
  await apply(app, [{ ...row, status: 'refunded' }]);
  expect(await changes()).toEqual([{ ...line, onchain: 'issued', status: 'refunded' }]);
  const to = newPhone();
  await apply(app, [{ ...row, status: 'valid', holder_phone: to }]);
  await carryOutMoves(app.context());
  expect((await changes()).at(-1)).toMatchObject({ status: 'valid', holder: { phone: to }, sale: null });
});

it('a listing and its sale come with price, client and transfer, and the sale stays', async () => {
  const changes = await follow();
  const issued = await onSale();
  const { ticket, row } = issued;
  const listing = { marketplace: market.address, price: PRICE, at: expect.any(Date) };
  expect((await changes()).at(-1)).toMatchObject({ ticket: row.reference, listing, sale: null });
  const buyer = await otherFan(issued);
  await changes();
  const answer = await claim(app, buyer, [await transfer(app, market, ticket, buyer.wallet_address)]);
  const [claimed] = (answer.body as { tickets: { transfer_id: string }[] }).tickets;
  const [{ client } = { client: '' as never }] = await rows<{ client: never }>(
    app,
    'select g.client_id as client from claim c join consent_grant g on g.id = c.grant_id where c.signature = $1',
    [claimed?.transfer_id],
  );
  const sale = {
    at: expect.any(Date),
    price: PRICE,
    client_id: idOf('client', client),
    transfer_id: claimed?.transfer_id,
  };
  const holder = { fan_id: buyer.id, phone: buyer.phone };
  expect(await changes()).toMatchObject([{ ticket: row.reference, holder, listing: null, sale }]);
  await apply(app, [{ ...issued.row, holder_phone: undefined, status: 'void' }]);
  expect((await changes()).at(-1)).toMatchObject({ holder, status: 'void', sale });
});

it('a sale whose listing nobody here has seen has the price of its transfer', async () => {
  const issued = await issuedTicketOf(app);
  await putOnSale(app, market, issued.ticket, issued.owner, 7_000n);
  const buyer = await otherFan(issued);
  const changes = await follow();
  expect((await claim(app, buyer, [await transfer(app, market, issued.ticket, buyer.wallet_address)])).status).toBe(
    200,
  );
  expect(await changes()).toMatchObject([{ holder: { phone: buyer.phone }, sale: { price: '7000' } }]);
});

it('a sale that was not claimed here has a price, and no client', async () => {
  const issued = await onSale();
  const buyer = await otherFan(issued);
  const changes = await follow();
  await land(app, await transfer(app, market, issued.ticket, buyer.wallet_address));
  await reconcile(app.context(), 'production');
  const sale = { price: PRICE, client_id: null, transfer_id: null };
  expect(await changes()).toMatchObject([{ holder: { phone: buyer.phone }, sale }]);
});

it('the last of several sales counts, whoever submitted it', async () => {
  const issued = await onSale();
  const [first, second] = [await otherFan(issued), await otherFan(issued)];
  const changes = await follow();
  await claim(app, first, [await transfer(app, market, issued.ticket, first.wallet_address)]);
  await putOnSale(app, market, issued.ticket, first, 5_000n);
  await reconcile(app.context(), 'production');
  await land(app, await transfer(app, market, issued.ticket, second.wallet_address));
  await reconcile(app.context(), 'production');
  const sale = { price: '5000', client_id: null };
  expect((await changes()).at(-1)).toMatchObject({ holder: { phone: second.phone }, listing: null, sale });
});

it('a ticket on sale that the company gives to another holder was not sold', async () => {
  const { row } = await onSale();
  const changes = await follow();
  const to = newPhone();
  await apply(app, [{ ...row, holder_phone: to }]);
  await carryOutMoves(app.context());
  const [outcome] = await rows(app, 'select outcome from listing order by id desc limit 1');
  expect(outcome).toEqual({ outcome: 'sold' });
  expect((await changes()).at(-1)).toMatchObject({ holder: { phone: to }, listing: null, sale: null });
});

it('a holder whose wallet is not of this service is that wallet, and one who is again a fan is the fan', async () => {
  const issued = await onSale();
  const [stranger, other] = [await fundedMarketplace(app), await fundedMarketplace(app)];
  const changes = await follow();
  const pass = async (from: Marketplace, to: string) =>
    build(app, [transferInstruction(app, issued.ticket, from.address, to)], { payer: from.wallet });
  await land(app, await transfer(app, market, issued.ticket, stranger.address));
  await reconcile(app.context(), 'production');
  expect(await changes()).toMatchObject([{ holder: { wallet: stranger.address }, sale: { price: PRICE } }]);
  await land(app, await pass(stranger, other.address));
  await reconcile(app.context(), 'production');
  expect(await changes()).toMatchObject([{ holder: { wallet: other.address } }]);
  const { owner } = issued;
  expect((await claim(app, owner, [await pass(other, owner.wallet_address)])).status).toBe(200);
  const sale = { price: PRICE, client_id: null };
  expect(await changes()).toMatchObject([{ holder: { fan_id: owner.id }, sale }]);
});

it('the number of a holder is the one that the fan has now', async () => {
  const { owner, row } = await issuedTicketOf(app);
  const changes = await follow();
  const phone = newPhone();
  await app.runtime.pool.query('update fan set phone = $2 where phone = $1', [owner.phone, phone]);
  expect(await changes()).toMatchObject([{ ticket: row.reference, holder: { fan_id: owner.id, phone } }]);
});

it('a sale that a fork undoes is a later change like any other', async () => {
  const issued = await onSale();
  const buyer = await otherFan(issued);
  await claim(app, buyer, [await transfer(app, market, issued.ticket, buyer.wallet_address)]);
  const changes = await follow();
  // what recheckConfirmed and recheckFinal write where the cluster dropped the block
  await app.runtime.pool.query(
    `with c as (update claim set state = 'submitted', unfinal_slot = null where permit_id = (select id from permit where tix_permit_id = $1))
     update ticket set owner_id = (select fan_id from wallet where address = $2) where id = (select ticket_id from permit where tix_permit_id = $1)`,
    [issued.ticket.permit, issued.owner.wallet_address],
  );
  expect(await changes()).toMatchObject([{ holder: { phone: issued.owner.phone }, sale: null }]);
});

it('a snapshot has the same lines as the changes', async () => {
  const issued = await onSale();
  const changes = await follow();
  const buyer = await otherFan(issued);
  await claim(app, buyer, [await transfer(app, market, issued.ticket, buyer.wallet_address)]);
  const { lines } = await snapshotOf(app.runtime.pool);
  const bare = ({ at, ...line }: (typeof lines)[number]) => line;
  expect(lines.map(bare)).toEqual(expect.arrayContaining((await changes()).map(bare)));
});
