import { randomBytes } from 'node:crypto';
import { eventAddress, permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { addressOf } from '@fan-api/solana-wire/base58';
import { ACCOUNT_DISCRIMINATORS } from '@fan-api/ticket-program/description';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeInstruction } from '../../../src/chain/instruction/instructions.ts';
import { runOwnTransaction } from '../../../src/chain/wallet/own-transaction.ts';
import { closeForgottenListings } from '../../../src/inventory/close-listings.ts';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { putOnchain } from '../../../src/inventory/issuing/issue-turn.ts';
import { settleEndedEvents, settleEvents } from '../../../src/inventory/settle-events.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import { type ChainApp, rows, type TestTicket } from '../../support/chain-app.ts';
import { encodeAccount } from '../../support/encode-account.ts';
import type { RpcReply } from '../../support/rpc-proxy.ts';
import {
  authorizeListing,
  cancellation,
  claim,
  fundedMarketplace,
  land,
  listInstruction,
  listing,
  type Marketplace,
  onChain,
  putOnSale,
  randomAddress,
  signedBytes,
  transfer,
  transferInstruction,
} from '../../support/ticket-transactions.ts';
import { fanOf, issueAll, issuedTicketOf, movesOf, newPhone, startProductionChain, ticketOf } from './chain-stage.ts';
import { apply, eventRow, newEvent, outcomes, ticketRow, ticketsSeen, typeRow } from './stage.ts';

let app: ChainApp;
let other: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startProductionChain();
  other = await startProductionChain({ beside: app });
  market = await fundedMarketplace(app);
});
afterAll(async () => {
  await other.stop();
  await app.stop();
});
beforeEach(() => {
  app.proxy.reset();
  app.resetClock();
});

const CLOSED_SO_FAR = {
  kind: 'close_listing',
  state: 'open',
  reason: 'A listing that was co-signed earlier may still appear onchain.',
};

const issuedTicket = () => issuedTicketOf(app);
async function onSale() {
  const issued = await issuedTicket();
  await putOnSale(app, market, issued.ticket, issued.owner);
  await reconcile(app.context(), 'production');
  return issued;
}

/** A new fan, and a sale of the ticket to that fan, who has no more than another ticket of its type. */
async function saleOf({ row, ticket }: Awaited<ReturnType<typeof issuedTicket>>) {
  const bought = ticketRow(row.event, row.ticket_type, `bought-${row.reference}`, { holder_phone: newPhone() });
  await apply(app, [bought]);
  const buyer = await fanOf(app, bought.holder_phone);
  return { buyer, bytes: await transfer(app, market, ticket, buyer.wallet_address) };
}

/** The grants of the ticket's owner are of this ticket alone. */
const selectOnly = ({ id }: TestTicket) =>
  app.runtime.pool.query(
    `update consent_grant set mode = 'selected', ticket_ids = array[$1::uuid]
     where fan_id = (select owner_id from ticket where id = $1)`,
    [id],
  );

/** The job, some time later. */
async function runMoves(secondsLater = 0): Promise<void> {
  if (secondsLater > 0) app.advance(secondsLater);
  await carryOutMoves(app.context());
}

const expectMoves = async ({ reference }: { reference: string }, ...moves: object[]) =>
  expect(await movesOf(app, reference)).toMatchObject(moves);
const expectState = async (ticket: Pick<TestTicket, 'permit'>, state: object) =>
  expect(await onChain(app, ticket)).toMatchObject(state);
/** The holder of a ticket is to be another one. */
const orderTo = (row: object, holder_phone = newPhone()) => apply(app, [{ ...row, holder_phone }]);

it('an issued ticket that the company gives to somebody else: its permit moves onchain first, and then the ticket', async () => {
  const { row, ticket, owner } = await issuedTicket();
  const to = newPhone();
  const given = { ...row, holder_phone: to };
  expect(await outcomes(app, [given])).toEqual(['updated']);
  expect(await ticketOf(app, row.reference)).toMatchObject({ owner: owner.phone });
  await expectMoves(row, { kind: 'transfer', state: 'open' });
  expect(await outcomes(app, [given])).toEqual(['unchanged']);
  expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual([
    'failed transfer_under_way holder_phone',
  ]);
  await runMoves();
  const { wallet_address } = await fanOf(app, to);
  await expectState(ticket, { owner: wallet_address, state: 'held' });
  expect(await ticketOf(app, row.reference)).toMatchObject({ owner: to });
  await expectMoves(row, { state: 'done', reason: null });
  expect(await outcomes(app, [given])).toEqual(['unchanged']);
  const entries = await rows(
    app,
    `select action, actor, details from (select * from audit_entry
       where subject = $1 or action in ('ticket.transferred', 'custody_move.ordered') order by id desc limit 3) newest order by action`,
    [ticket.permit],
  );
  const reason = 'The company gave the ticket to another holder.';
  const ordered = { kind: 'transfer', origin: 'inventory', reason };
  expect(entries).toMatchObject([
    { action: 'custody_move.ordered', actor: 'staff:test', details: ordered },
    { action: 'ticket.moved', actor: 'system' },
    { action: 'ticket.transferred', actor: 'staff:test' },
  ]);
});

describe('a ticket that is refunded or void', () => {
  it('is closed onchain where it is listed, and nothing more is signed for it', async () => {
    const { row, ticket, owner } = await onSale();
    expect(await outcomes(app, [{ ...row, status: 'refunded' }])).toEqual(['updated']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ revoked: true, listing: true });
    expect(await ticketsSeen(app, await owner.tokens())).toEqual([]);
    await runMoves();
    await expectState(ticket, { owner: owner.wallet_address, state: 'held' });
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
    await expectMoves(row, CLOSED_SO_FAR);
    await land(app, signed);
    await runMoves(31);
    await expectState(ticket, { state: 'held' });
    await runMoves(200);
    await expectMoves(row, { state: 'done' });
  });

  it('is found by the job, too, where its listing is open without a move', async () => {
    const { row, ticket } = await onSale();
    await app.runtime.pool.query('update permit set revoked_at = now() where tix_permit_id = $1', [ticket.permit]);
    await closeForgottenListings(app.context());
    await closeForgottenListings(app.context());
    await expectMoves(row, { kind: 'close_listing', state: 'open' });
    await runMoves(200);
    await expectState(ticket, { state: 'held' });
    await expectMoves(row, { state: 'done' });
  });
});

it('a cancelled event withdraws every permit, narrows grants and closes listings; reinstated, it gives back what was not refunded', async () => {
  const { event, type, row, ticket, owner } = await issuedTicket();
  const { holder_phone } = row;
  const refunded = ticketRow(event, type, `refunded-${event}`, { holder_phone, status: 'refunded' });
  const other = ticketRow(event, type, `other-${event}`, { holder_phone });
  await apply(app, [refunded, other]);
  await putOnSale(app, market, ticket, owner);
  await reconcile(app.context(), 'production');
  await selectOnly(ticket);
  expect(await outcomes(app, [eventRow(event, { status: 'cancelled' })])).toEqual(['updated']);
  expect(
    (await authorizeListing(app, owner, 'cancel', [await listing(app, market, ticket, owner.wallet_address)])).status,
  ).not.toBe(200);
  await Promise.all([settleEvents(app.context()), settleEvents(app.context())]);
  await runMoves();
  await expectState(ticket, { state: 'held' });
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

describe('an event that is moved to the past, as any that is over', () => {
  const PAST = { starts_at: '2020-05-01T18:00:00Z', ends_at: '2020-05-01T22:00:00Z' };
  const settleEnded = () => settleEndedEvents(app.context());

  it('lets its fan take a ticket off sale, under a grant of selected tickets too, and signs no new listing', async () => {
    const { event, row, ticket, owner } = await onSale();
    await selectOnly(ticket);
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    expect(await ticketsSeen(app, await owner.tokens())).toEqual([]);
    const again = await listing(app, market, ticket, owner.wallet_address);
    expect((await authorizeListing(app, owner, 'list', [again])).status).toBe(404);
    const bytes = await cancellation(app, market, ticket, owner.wallet_address);
    await land(app, signedBytes(await authorizeListing(app, owner, 'cancel', [bytes])));
    await expectState(ticket, { state: 'held' });
    await runMoves(200);
    await expectMoves(row, { state: 'done', reason: null });
  });

  it('keeps a listing where the event is put off before it is closed, and has it closed at the next end, by the job that goes through it once', async () => {
    const { event, row, ticket, owner } = await onSale();
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    await apply(app, [eventRow(event)]);
    await runMoves();
    await expectState(ticket, { state: 'listed' });
    await expectMoves(row, { state: 'failed', reason: 'The ticket counts again.' });
    await apply(app, [eventRow(event, PAST)]);
    await settleEnded();
    await settleEnded();
    await runMoves(200);
    await expectState(ticket, { owner: owner.wallet_address, state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ listing: false, revoked: false });
    await expectMoves(row, { state: 'failed' }, { kind: 'close_listing', state: 'done', origin: 'ended event' });
  });
});

describe('D-187: a permit has one open move, whichever row orders it', () => {
  it('gives a ticket on before it is issued: the newest order counts, and a permit of the new holder is not touched', async () => {
    const { event, type, rows: before } = newEvent();
    const row = ticketRow(event, type, `given-on-${event}`, { holder_phone: newPhone() });
    await apply(app, [...before, row]);
    const to = newPhone();
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone() }])).toEqual(['updated']);
    expect(await outcomes(app, [{ ...row, holder_phone: to }])).toEqual(['updated']);
    await expectMoves(row, { state: 'failed', reason: 'A newer order took its place.' }, { state: 'open' });
    await issueAll(app);
    app.proxy.reset();
    await runMoves();
    await expectMoves(row, { state: 'failed' }, { state: 'done', reason: null });
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
    await runMoves();
    await expectMoves(row, { state: 'failed' }, { state: 'open', reason: 'The permit is not issued yet.', tries: 0 });
    await seen('now()');
    await runMoves();
    await expectMoves(row, { state: 'failed' }, { state: 'done', reason: null });
    await expectState(ticket, { owner: (await fanOf(app, last)).wallet_address });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: last });
  });

  it('takes the place of a closing that only awaits listings signed before', async () => {
    const { row, ticket } = await onSale();
    await apply(app, [{ ...row, status: 'void' }]);
    await runMoves();
    await expectState(ticket, { state: 'held' });
    await expectMoves(row, CLOSED_SO_FAR);
    expect(await outcomes(app, [{ ...row, holder_phone: newPhone(), status: 'void' }])).toEqual(['updated']);
  });

  it('leaves a permit that was issued to the holder before, and claimed of them since', async () => {
    const issued = await onSale();
    const { row, ticket } = issued;
    const { buyer, bytes } = await saleOf(issued);
    await orderTo(row);
    // as it is ordered before the permit is issued
    await app.runtime.pool.query(`update custody_move set from_wallet = null where state = 'open'`);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await runMoves();
    await expectState(ticket, { owner: buyer.wallet_address });
    await expectMoves(row, { state: 'failed', reason: `The ticket went to the wallet ${buyer.wallet_address} first.` });
  });

  it('is refused while another move may land, and takes the place of one that was not sent', async () => {
    const { row, ticket } = await onSale();
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
    await expectMoves(
      row,
      { kind: 'close_listing', state: 'failed', reason: 'A newer order took its place.' },
      { kind: 'transfer', state: 'open' },
    );
    await closeForgottenListings(app.context());
    await runMoves();
    await expectMoves(row, { state: 'failed' }, { kind: 'transfer', state: 'done' });
    await expectState(ticket, { owner: (await fanOf(app, to)).wallet_address, state: 'held' });
  });

  it('a refund to the seller fails while a listing of the buyer is being closed', async () => {
    const issued = await onSale();
    const { row, ticket } = issued;
    const { buyer, bytes } = await saleOf(issued);
    expect((await claim(app, buyer, [bytes])).status).toBe(200);
    await putOnSale(app, market, ticket, buyer);
    await reconcile(app.context(), 'production');
    const { holder_phone: _, ...nobody } = row;
    expect(await outcomes(app, [{ ...nobody, status: 'used' }])).toEqual(['updated']);
    await app.runtime.pool.query(
      `update custody_move set signature = 'sent', blockhash = 'sent', sent_at = now() where state = 'open'`,
    );
    await expectMoves(row, { kind: 'close_listing', state: 'open' });
    expect(await outcomes(app, [{ ...row, status: 'refunded' }])).toEqual(['failed sold_on holder_phone']);
  });

  it('a refund applies to the fan to whom the ticket is moving', async () => {
    const { row } = await issuedTicket();
    const given = { ...row, holder_phone: newPhone() };
    await apply(app, [given]);
    await expectMoves(row, { kind: 'transfer', state: 'open' });
    expect(await outcomes(app, [{ ...given, status: 'refunded' }])).toEqual(['updated']);
  });

  it('orders no second move to close a listing that the transfer closes', async () => {
    const { row, ticket } = await onSale();
    await apply(app, [{ ...row, holder_phone: newPhone(), status: 'refunded' }]);
    await expectMoves(row, { kind: 'transfer', state: 'open', origin: 'inventory' });
    await runMoves();
    await expectState(ticket, { state: 'held' });
    expect(await ticketOf(app, row.reference)).toMatchObject({ listing: false, revoked: true });
  });
});

/** A fan of production with a wallet. */
async function newHolder() {
  const phone = newPhone();
  await registerFan(app.context(), 'production', phone);
  return fanOf(app, phone);
}

/** Runs an instruction that the authority signs, or that `signer` signs as well. */
const run = (instruction: Instruction, ...signer: string[]) =>
  runOwnTransaction(app.chain, app.runtime.signer, [instruction], [app.chain.authority, ...signer]);
type Instruction = Parameters<typeof runOwnTransaction>[2][number];

/** Registers an event under an ID of its own, as another system with our program does. @returns the address of its account */
async function registeredElsewhere(): Promise<string> {
  const { programId, authority, payer } = app.chain;
  const event_id = randomBytes(32);
  const event = eventAddress(programId, event_id).address;
  await run(
    encodeInstruction(
      programId,
      'register_event_v1',
      { event, authority, organiser: authority, payer },
      { event_id, closable_from: 0n },
    ),
  );
  return event;
}

/** Issues a permit under an ID of its own. @returns the address of its account */
async function issuedElsewhere(event: string, owner: string, ticket_id: Uint8Array = randomBytes(32)): Promise<string> {
  const { programId, authority, payer } = app.chain;
  const permit = permitAddress(programId, event, ticket_id).address;
  await run(encodeInstruction(programId, 'issue_permit_v1', { event, permit, authority, payer }, { ticket_id, owner }));
  return permit;
}

/** An adopted event with a type, and the row of a ticket that adopts a permit of it. */
async function standing({ wallet }: { wallet?: string } = {}) {
  const holder = await newHolder();
  const tixEventId = await registeredElsewhere();
  const { event, type } = newEvent();
  const before = [eventRow(event, { tix_event_id: tixEventId }), typeRow(event, type)];
  expect(await outcomes(app, before)).toEqual(['created', 'created']);
  const ticketId = randomBytes(32);
  const permit = await issuedElsewhere(tixEventId, wallet ?? holder.wallet_address, ticketId);
  const row = ticketRow(event, type, `ticket-${event}`, { holder_phone: holder.phone, tix_permit_id: permit });
  const ticket = { id: '', permit, tixEventId, tixTicketId: addressOf(ticketId) };
  return { holder, event, type, before, tixEventId, row, permit, ticket };
}

/** Has `getMultipleAccounts` say something else of the only account that is asked for. */
function bendAccount(bend: (account: { owner: string; data: [string, string] } | null) => unknown): void {
  app.proxy.setRule(({ method, params }) => {
    if (method !== 'getMultipleAccounts' || (params[0] as unknown[]).length !== 1) return 'pass';
    return (reply: RpcReply) => {
      const result = reply.result as { context: unknown; value: [null] };
      return { result: { ...result, value: [bend(result.value[0])] } };
    };
  });
}

describe('an event or a permit that stands on the cluster already', () => {
  it('is adopted for the holder in whose wallet it is, and never issued again', async () => {
    const { row, before, permit, ticket, holder, tixEventId } = await standing();
    expect(await outcomes(app, [row])).toEqual(['created']);
    const [stored] = await rows(
      app,
      `select e.tix_event_id, e.registered_at is not null as registered, t.tix_ticket_id, p.tix_permit_id,
         p.issued_at is not null as issued, p.chain_slot is not null as read,
         exists (select from waiting_permit w where w.permit_id = p.id) as waits,
         exists (select from unread_permit u where u.permit_id = p.id) as unread
       from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
         join permit p on p.ticket_id = t.id where t.reference = $1`,
      [row.reference],
    );
    expect(stored).toEqual({
      tix_event_id: tixEventId,
      registered: true,
      tix_ticket_id: ticket.tixTicketId,
      tix_permit_id: permit,
      issued: true,
      read: true,
      waits: false,
      unread: false,
    });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: holder.phone, listing: false });
    expect(await outcomes(app, [...before, row])).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('can be adopted in one batch with its event, and others of that event are issued by us', async () => {
    const holder = await newHolder();
    const tixEventId = await registeredElsewhere();
    const permit = await issuedElsewhere(tixEventId, holder.wallet_address);
    const { event, type } = newEvent();
    const adopting = ticketRow(event, type, `adopting-${event}`, { holder_phone: holder.phone, tix_permit_id: permit });
    const ours = ticketRow(event, type, `ours-${event}`, { holder_phone: holder.phone });
    const batch = [adopting, ours, typeRow(event, type), eventRow(event, { tix_event_id: tixEventId })];
    expect(await outcomes(app, batch)).toEqual(Array(4).fill('created'));
    await putOnchain(app.context(), 'production');
    const issued = await ticketOf(app, ours.reference);
    await expectState(issued, { owner: holder.wallet_address });
  });

  it('has its listing', async () => {
    const { row, ticket, holder } = await standing();
    await run(listInstruction(app, ticket, holder.wallet_address, market.address), holder.wallet_address);
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: holder.phone, listing: true });
  });

  it('moves onchain where a later row of the batch names another holder', async () => {
    const { row, ticket } = await standing();
    const next = await newHolder();
    expect(await outcomes(app, [row, { ...row, holder_phone: next.phone }])).toEqual(['created', 'updated']);
    await expectMoves(row, { kind: 'transfer', state: 'open' });
    await runMoves();
    await expectState(ticket, { owner: next.wallet_address });
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: next.phone });
  });
});

describe('an account that stands on the cluster already is not adopted', () => {
  it('where the row is not for the holder in whose wallet it is', async () => {
    const fan = await newHolder();
    const ofFan = await standing({ wallet: fan.wallet_address });
    expect(await outcomes(app, [ofFan.row])).toEqual(['failed held_by_another tix_permit_id']);
    const stranger = await standing({ wallet: randomAddress() });
    expect(await outcomes(app, [stranger.row])).toEqual(['failed held_elsewhere tix_permit_id']);
    const nobodyYet = { ...stranger.row, holder_phone: '+12025559999' };
    expect(await outcomes(app, [nobodyYet])).toEqual(['failed held_elsewhere tix_permit_id']);
    expect(await rows(app, `select from fan where phone = '+12025559999'`)).toEqual([]);
    const ofSandbox = await standing({ wallet: app.users[0].wallet_address });
    expect(await outcomes(app, [ofSandbox.row])).toEqual(['failed held_elsewhere tix_permit_id']);
  });

  it('where there is no such account, or one of another kind', async () => {
    const { row, event, type, tixEventId, permit } = await standing();
    const bad: [changes: object, outcome: string][] = [
      [{ tix_permit_id: 'here' }, 'failed invalid_row tix_permit_id'],
      [{ tix_permit_id: randomAddress() }, 'failed no_account tix_permit_id'],
      [{ tix_permit_id: tixEventId }, 'failed wrong_account tix_permit_id'],
      [{ tix_permit_id: app.chain.programId }, 'failed wrong_account tix_permit_id'],
    ];
    const batch = bad.map(([changes], index) => ({ ...row, reference: `${event}-bad-${index}`, ...changes }));
    const good = ticketRow(event, type, `${event}-good`);
    expect(await outcomes(app, [...batch, good, row])).toEqual([...bad.map(([, said]) => said), 'created', 'created']);
    const events: [address: string, outcome: string][] = [
      [randomAddress(), 'failed no_account tix_event_id'],
      [permit, 'failed wrong_account tix_event_id'],
      ['here', 'failed invalid_row tix_event_id'],
    ];
    const eventRows = events.map(([tix_event_id], index) => eventRow(`${event}-bad-${index}`, { tix_event_id }));
    expect(await outcomes(app, eventRows)).toEqual(events.map(([, said]) => said));
  });

  it('where the account is forged', async () => {
    const { row, event, permit, holder, ticket } = await standing();
    const dataOf = (data: Buffer) => ({ data: [data.toString('base64'), 'base64'] });
    // all is well, but for its address, which is not that of the ticket's permit
    const held = { state: 0, marketplace: '1'.repeat(32), price: 0n, listing: 0n, bump: 255 };
    const values = { ticket_id: randomBytes(32), owner: holder.wallet_address, ...held };
    const forged = encodeAccount('Permit', { ...values, event: ticket.tixEventId });
    const discriminated = Buffer.concat([ACCOUNT_DISCRIMINATORS.Event, forged.subarray(8)]);
    for (const bent of [{ owner: randomAddress() }, ...[discriminated, Buffer.alloc(150, 1), forged].map(dataOf)]) {
      bendAccount((account) => account && { ...account, ...bent });
      expect(await outcomes(app, [row])).toEqual(['failed wrong_account tix_permit_id']);
    }
    const organiser = randomAddress();
    const forgedEvent = encodeAccount('Event', {
      event_id: randomBytes(32),
      organiser,
      closable_from: 0n,
      bump: 255,
    });
    bendAccount((account) => account && { ...account, ...dataOf(forgedEvent) });
    const adopting = eventRow(`${event}-forged`, { tix_event_id: await registeredElsewhere() });
    expect(await outcomes(app, [adopting])).toEqual(['failed wrong_account tix_event_id']);
    app.proxy.reset();
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await rows(app, 'select from permit where tix_permit_id = $1', [permit])).toHaveLength(1);
  });

  it('where it is of another event', async () => {
    const { row } = await standing();
    const { event, type } = await standing();
    expect(await outcomes(app, [{ ...row, event, ticket_type: type }])).toEqual(['failed wrong_event tix_permit_id']);
  });

  it('where something else has it, or the row’s own thing has another', async () => {
    const { row, event, type, tixEventId, holder } = await standing();
    const second = { ...row, reference: `${row.reference}-second` };
    expect(await outcomes(app, [row, second])).toEqual(['created', 'failed account_taken tix_permit_id']);
    expect(await outcomes(app, [second])).toEqual(['failed account_taken tix_permit_id']);
    const permit = await issuedElsewhere(tixEventId, holder.wallet_address);
    expect(await outcomes(app, [{ ...row, tix_permit_id: permit }])).toEqual(['failed another_account tix_permit_id']);
    const plain = ticketRow(event, type, `${row.reference}-plain`, { holder_phone: holder.phone });
    const said = ['created', 'failed another_account tix_permit_id'];
    expect(await outcomes(app, [plain, { ...plain, tix_permit_id: permit }])).toEqual(said);
    const elsewhere = await registeredElsewhere();
    const events: [reference: string, address: string, outcome: string][] = [
      [`${event}-second`, tixEventId, 'failed account_taken tix_event_id'],
      [event, elsewhere, 'failed another_account tix_event_id'],
      [`${event}-third`, elsewhere, 'created'],
      [`${event}-fourth`, elsewhere, 'failed account_taken tix_event_id'],
    ];
    const eventRows = events.map(([reference, tix_event_id]) => eventRow(reference, { tix_event_id }));
    expect(await outcomes(app, eventRows)).toEqual(events.map(([, , outcome]) => outcome));
  });
});

describe('while rows adopt accounts, and the cluster', () => {
  it('is away, only rows that adopt fail, and they may come again', async () => {
    const { row, event, type } = await standing();
    app.proxy.setRule(() => ({ status: 500 }));
    const plain = ticketRow(event, type, `${event}-plain`);
    const adopting = eventRow(`${event}-away`, { tix_event_id: randomAddress() });
    expect(await outcomes(app, [row, plain, adopting])).toEqual([
      'failed cluster_away tix_permit_id',
      'created',
      'failed cluster_away tix_event_id',
    ]);
    app.proxy.reset();
    expect(await outcomes(app, [row])).toEqual(['created']);
  });

  it('goes away before the permit is read once more, reconciling reads it', async () => {
    const { row, permit } = await standing();
    app.proxy.setRule(({ method, params }) => {
      const { commitment } = (params[1] ?? {}) as { commitment?: string };
      return method === 'getMultipleAccounts' && commitment === 'confirmed' ? { status: 500 } : 'pass';
    });
    expect(await outcomes(app, [row])).toEqual(['created']);
    app.proxy.reset();
    const unread = () =>
      rows(app, `select from unread_permit u join permit p on p.id = u.permit_id where p.tix_permit_id = $1`, [permit]);
    expect(await unread()).toHaveLength(1);
    app.advance(5);
    await reconcile(app.context(), 'production');
    app.resetClock();
    expect(await unread()).toHaveLength(0);
  });

  it('moves the permit between the reading and the commit, the ticket is whose the chain says', async () => {
    const { row, ticket, holder } = await standing();
    const buyer = await newHolder();
    let moved = false;
    app.proxy.setRule(({ method }) => {
      if (method !== 'getMultipleAccounts' || moved) return 'pass';
      moved = true;
      // the answer is from before, and it moves before the answer is here
      return async (reply: RpcReply) => {
        app.proxy.reset();
        const { wallet_address: from } = holder;
        const transfer = transferInstruction(app, ticket, from, buyer.wallet_address);
        await runOwnTransaction(app.chain, app.runtime.signer, [transfer], [from]);
        await reconcile(app.context(), 'production');
        return reply;
      };
    });
    expect(await outcomes(app, [row])).toEqual(['created']);
    expect(await ticketOf(app, row.reference)).toMatchObject({ owner: buyer.phone });
  });
});

it('two processes that adopt the same permits at once give each to one ticket', async () => {
  const { row, tixEventId, holder } = await standing();
  const makes = Array.from({ length: 5 }, () => issuedElsewhere(tixEventId, holder.wallet_address));
  const permits = await Promise.all(makes);
  const adopting = (part: number) =>
    permits.map((tix_permit_id, index) => ({ ...row, reference: `${row.reference}-${part}-${index}`, tix_permit_id }));
  const told = await Promise.all(
    [0, 1, 2, 3].map((part) => outcomes(part % 2 ? app : other, part > 1 ? adopting(part).reverse() : adopting(part))),
  );
  const taken = Array(15).fill('failed account_taken tix_permit_id');
  expect(told.flat().sort()).toEqual([...Array(5).fill('created'), ...taken]);
});

it('rows ask the cluster for nothing where none adopts', async () => {
  const { row, event, type } = await standing();
  await apply(app, [row]);
  app.proxy.reset();
  const plain = ticketRow(event, type, `${event}-plain`);
  expect(await outcomes(app, [plain, row])).toEqual(['created', 'unchanged']);
  expect(app.proxy.calls).toEqual([]);
});
