import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../src/inventory/end-sales.ts';
import { takeOffSale, takeOwnOffSale } from '../../../src/inventory/take-off-sale.ts';
import { endExpiredGrants } from '../../../src/oauth/grant/end-expired-grants.ts';
import { revokeOwnApp, revokeOwnGrants } from '../../../src/oauth/grant/own-grants.ts';
import { turnActionOff, turnActionOn } from '../../../src/oauth/grant/switch-action.ts';
import { takeClientStep } from '../../../src/partners/client/take-step.ts';
import { liftKillSwitch, setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { type Id, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { chooseTickets } from '../../../src/sign-in/consent/choose-tickets.ts';
import { endAllAccess, endGrant } from '../../../src/sign-in/fan/end-access.ts';
import { listOwnTickets } from '../../../src/sign-in/portal/own-tickets.ts';
import { readHistory } from '../../../src/sign-in/portal/read-history.ts';
import { countSales } from '../../../src/tickets/listing/sales.ts';
import { reconcile } from '../../../src/tickets/ticket/reconcile.ts';
import {
  anotherUser,
  CHAIN_SCOPE,
  type ChainApp,
  moreTickets,
  rows,
  startChainApp,
  type TestTicket,
  type User,
} from '../../support/chain-app.ts';
import { changeClient, makeClient } from '../../support/make-client.ts';
import { exchange, type FanChoice, obtainCode, postForm, refresh } from '../../support/partner.ts';
import {
  authorizeListing,
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

const STAFF = 'staff:stf_test';
const LISTINGS = 'fan:listings:write';
let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startChainApp();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());
beforeEach(() => app.resetClock());

/** A new fan whose tickets an app of its own has put on sale, and one more that is not. */
async function onSale(count = 1) {
  const fan = await anotherUser(app);
  const tickets = await moreTickets(app, fan, { count });
  const [other] = await moreTickets(app, fan);
  const [ticket] = tickets;
  if (!ticket || !other) throw new Error('tickets were made');
  const clientId = await makeClient(app);
  const seller = await sellerOf(fan, clientId);
  for (const each of tickets) await putOnSale(app, market, each, seller);
  await reconcile(app.context(), 'sandbox');
  return { fan, fanId: fan.id as Id<'usr'>, ticket, other, tickets, clientId, ...seller };
}
type OnSale = Awaited<ReturnType<typeof onSale>>;

/** The fan, signed in to an app. */
async function sellerOf(fan: User, clientId: Id<'client'>, choice: FanChoice = {}) {
  const obtained = await obtainCode(app, { clientId, scope: CHAIN_SCOPE, phone: fan.phone, code: fan.code, ...choice });
  const tokens = await exchange(app, obtained);
  return { ...fan, obtained, grantId: tokens.grant_id, tokens: async () => tokens };
}

/** What the service does every second. */
async function work(): Promise<void> {
  await endSales(app.context());
  await carryOutMoves(app.context());
}

const stateOf = async (ticket: Pick<TestTicket, 'permit'>) => (await onChain(app, ticket)).state;
const salesOf = async ({ fanId }: Pick<OnSale, 'fanId'>) =>
  (await listOwnTickets(app.context(), fanId)).flatMap(({ sale }) => (sale ? [sale] : []));
/** The audit entries of orders to close the listing of a ticket. */
const ordersOf = ({ id }: Pick<TestTicket, 'id'>) =>
  rows<{ actor: string; reason: string; origin: string }>(
    app,
    `select actor, details ->> 'reason' as reason, details ->> 'origin' as origin from audit_entry
     where action = 'custody_move.ordered' and details ->> 'ticket' = $1 order by id`,
    [id],
  );

describe('a ticket is taken off sale with the access that put it there', () => {
  const ENDS: [what: string, reason: RegExp, end: (sale: OnSale) => Promise<unknown>][] = [
    ['the fan ends the app', /fan ended/, ({ fanId, clientId }) => revokeOwnApp(app.context(), fanId, clientId)],
    ['the fan ends all apps', /fan ended/, ({ fanId }) => revokeOwnGrants(app.context(), fanId)],
    [
      'the fan turns the action off',
      /no longer lets the app put tickets/,
      ({ fanId, grantId }) => turnActionOff(app.context(), fanId, { grantIds: [grantId], action: LISTINGS }),
    ],
    [
      'the fan turns the action off, and on again before it is closed',
      /no longer lets the app put tickets/,
      async ({ fanId, grantId }) => {
        await turnActionOff(app.context(), fanId, { grantIds: [grantId], action: LISTINGS });
        await turnActionOn(app.context(), fanId, { grantIds: [grantId], action: LISTINGS });
      },
    ],
    [
      'the fan takes the ticket out of the choice',
      /no longer lets the app use the ticket/,
      ({ fanId, grantId, other }) =>
        chooseTickets(app.context(), fanId, [grantId], { mode: 'selected', ticketIds: [other.id] }),
    ],
    [
      'staff end the grant',
      /Staff ended/,
      ({ grantId }) => endGrant(app.context(), { grantId, reason: 'asked' }, STAFF),
    ],
    [
      'staff end all access of the fan',
      /Staff ended/,
      ({ fanId }) => endAllAccess(app.context(), { fanId, reason: 'asked' }, STAFF),
    ],
    [
      'the app gives its access up',
      /gave up/,
      async (sale) => {
        const { refresh_token: token } = await sale.tokens();
        await postForm(app, '/oauth2/revoke', { client_id: sale.clientId, token });
      },
    ],
    ['a code is used twice', /code was used twice/, ({ obtained }) => exchange(app, obtained)],
    [
      'a refresh token is used twice',
      /refresh token was used twice/,
      async ({ clientId, tokens }) => {
        const { refresh_token: first } = await tokens();
        const { refresh_token: second } = await refresh(app, first, { client_id: clientId });
        await refresh(app, second, { client_id: clientId });
        await refresh(app, first, { client_id: clientId });
      },
    ],
    [
      'staff stop the app',
      /stopped the app/,
      ({ clientId }) =>
        setKillSwitch(app.context(), { kind: 'client', clientId }, 'leaked keys', STAFF, { endsSales: true }),
    ],
    [
      'staff stop the fan',
      /stopped the fan/,
      ({ fanId }) => setKillSwitch(app.context(), { kind: 'fan', fanId }, 'stolen phone', STAFF, { endsSales: true }),
    ],
    [
      'staff suspend the app',
      /suspended the app/,
      async ({ clientId }) => {
        await changeClient(app, clientId, { mode: 'production', status: 'enabled' });
        await takeClientStep(app.context(), 'suspend', { clientId, reason: 'asked', endsSales: true }, STAFF);
      },
    ],
  ];

  it.each(ENDS)('where %s', async (_, reason, end) => {
    const sale = await onSale();
    expect(await salesOf(sale)).toMatchObject([
      { app: { clientId: sale.clientId }, price: '1000000000', isEnding: false },
    ]);
    await end(sale);
    await work();
    expect(await stateOf(sale.ticket)).toBe('held');
    expect(await salesOf(sale)).toEqual([]);
    expect(await ordersOf(sale.ticket)).toEqual([
      { actor: 'system', origin: sale.grantId, reason: expect.stringMatching(reason) },
    ]);
    await work();
    expect(await ordersOf(sale.ticket)).toHaveLength(1);
  });
});

describe('a ticket stays on sale', () => {
  const KEEPS: [what: string, end: (sale: OnSale) => Promise<unknown>][] = [
    [
      'where the fan ends the app and leaves the sales',
      ({ fanId, clientId }) => revokeOwnApp(app.context(), fanId, clientId, { keepsSales: true }),
    ],
    [
      'where the fan turns the action off and leaves the sales',
      ({ fanId, grantId }) =>
        turnActionOff(app.context(), fanId, { grantIds: [grantId], action: LISTINGS, keepsSales: true }),
    ],
    [
      'where the fan takes it out of the choice and leaves it on sale',
      ({ fanId, grantId, other }) =>
        chooseTickets(
          app.context(),
          fanId,
          [grantId],
          { mode: 'selected', ticketIds: [other.id] },
          { keepsSales: true },
        ),
    ],
    [
      'where the fan turns another action off',
      ({ fanId, grantId }) => turnActionOff(app.context(), fanId, { grantIds: [grantId], action: 'fan:tickets:read' }),
    ],
    [
      'where the fan chooses it alone',
      ({ fanId, grantId, ticket }) =>
        chooseTickets(app.context(), fanId, [grantId], { mode: 'selected', ticketIds: [ticket.id] }),
    ],
    [
      'where staff stop the app and leave its sales',
      ({ clientId }) => setKillSwitch(app.context(), { kind: 'client', clientId }, 'asked', STAFF),
    ],
    [
      'where the access has expired',
      async ({ grantId }) => {
        await app.runtime.pool.query('delete from refresh_token_family where grant_id = $1', [
          uuidOf('grant', grantId),
        ]);
        app.advance(7 * 86_400);
        await endExpiredGrants(app.context());
        expect(
          await rows(app, 'select revoked_reason from consent_grant where id = $1', [uuidOf('grant', grantId)]),
        ).toEqual([{ revoked_reason: 'expired' }]);
      },
    ],
  ];

  it.each(KEEPS)('%s', async (_, end) => {
    const sale = await onSale();
    await end(sale);
    await work();
    expect(await stateOf(sale.ticket)).toBe('listed');
    app.resetClock();
    expect(await salesOf(sale)).toMatchObject([{ app: { clientId: sale.clientId }, isEnding: false }]);
  });

  it('where another app of the fan has put it there', async () => {
    const sale = await onSale();
    const other = await makeClient(app, { name: 'Other App' });
    await sellerOf(sale.fan, other);
    await revokeOwnApp(app.context(), sale.fanId, other);
    await work();
    expect(await stateOf(sale.ticket)).toBe('listed');
  });

  it('where an app with access has put it there since the other one has ended', async () => {
    const sale = await onSale();
    await revokeOwnApp(app.context(), sale.fanId, sale.clientId);
    await work();
    const again = await sellerOf(sale.fan, await makeClient(app, { name: 'Second App' }));
    await putOnSale(app, market, sale.ticket, again, 2_000_000_000n);
    await reconcile(app.context(), 'sandbox');
    app.advance(60);
    await work();
    expect(await stateOf(sale.ticket)).toBe('listed');
    expect(await ordersOf(sale.ticket)).toHaveLength(1);
  });
});

it('a listing that was co-signed before the access ended is closed as soon as it appears', async () => {
  const fan = await anotherUser(app);
  const [ticket] = await moreTickets(app, fan);
  if (!ticket) throw new Error('a ticket was made');
  const seller = await sellerOf(fan, await makeClient(app));
  const bytes = signedBytes(
    await authorizeListing(app, seller, 'list', [await listing(app, market, ticket, fan.wallet_address)]),
  );
  await revokeOwnGrants(app.context(), fan.id as Id<'usr'>);
  await work();
  expect(await stateOf(ticket)).toBe('held');
  await land(app, bytes);
  await reconcile(app.context(), 'sandbox');
  await work();
  expect(await stateOf(ticket)).toBe('held');
  expect(await ordersOf(ticket)).toHaveLength(1);
});

it('the fan reads for how much a ticket was put on sale, and how that ended', async () => {
  const factsOf = async ({ fanId }: OnSale) =>
    (await readHistory(app.context(), fanId)).entries.flatMap(({ clientName, fact }) =>
      fact.kind === 'listing_signed' || fact.kind === 'sale_ended' ? [{ clientName, ...fact }] : [],
    );
  const put = { kind: 'listing_signed', clientName: 'Side Door', action: 'list', price: '1000000000', landed: true };
  const over = { kind: 'sale_ended', clientName: 'Side Door', price: '1000000000' };
  const closed = await onSale();
  await revokeOwnApp(app.context(), closed.fanId, closed.clientId);
  await work();
  expect(await factsOf(closed)).toMatchObject([{ ...over, outcome: 'cancelled', cause: 'revoked_by_fan' }, put]);

  const buyer = await anotherUser(app);
  const [sold, late] = [await onSale(), await onSale()];
  for (const sale of [sold, late]) {
    const bytes = await transfer(app, market, sale.ticket, buyer.wallet_address);
    if (sale === late) {
      await revokeOwnApp(app.context(), sale.fanId, sale.clientId);
      await endSales(app.context());
    }
    await land(app, bytes);
    await carryOutMoves(app.context());
    await reconcile(app.context(), 'sandbox');
  }
  expect(await factsOf(sold)).toMatchObject([{ ...over, outcome: 'sold', cause: null }, put]);
  expect(await factsOf(late)).toMatchObject([{ ...over, outcome: 'sold', cause: 'revoked_by_fan' }, put]);
});

it('ended access is forgotten once nothing can appear any more', async () => {
  const sale = await onSale();
  await revokeOwnApp(app.context(), sale.fanId, sale.clientId);
  const left = () => rows(app, 'select cause from ended_access where grant_id = $1', [uuidOf('grant', sale.grantId)]);
  await work();
  expect(await left()).toEqual([{ cause: 'revoked_by_fan' }]);
  app.advance(200);
  await work();
  expect(await left()).toEqual([]);
});

it('a stop that ends grants and sales ends all of them once, and counts what is left', async () => {
  const sale = await onSale(3);
  const { clientId } = sale;
  const onSaleNow = async () => (await countSales(app.context(), [clientId])).get(clientId) ?? 0;
  expect(await onSaleNow()).toBe(3);
  const stop = () =>
    setKillSwitch(app.context(), { kind: 'client', clientId }, 'keys leaked', STAFF, {
      endsSales: true,
      endsGrants: true,
    });
  await stop();
  await stop();
  await Promise.all([work(), work()]);
  await work();
  expect(await onSaleNow()).toBe(0);
  expect(await Promise.all(sale.tickets.map(stateOf))).toEqual(['held', 'held', 'held']);
  for (const ticket of sale.tickets) expect(await ordersOf(ticket)).toHaveLength(1);
  const ended = await rows(
    app,
    `select actor, details from audit_entry where subject = $1 and action = 'grant.revoked'`,
    [sale.grantId],
  );
  expect(ended).toEqual([{ actor: STAFF, details: { reason: 'revoked_by_staff', note: 'keys leaked' } }]);
  const stops = await rows(app, `select details from audit_entry where subject = $1 and action = 'kill_switch.set'`, [
    clientId,
  ]);
  expect(stops).toEqual([{ details: { kind: 'client', reason: 'keys leaked', endsSales: true, endsGrants: true } }]);
  expect(await liftKillSwitch(app.context(), { kind: 'client', clientId }, 'new keys', STAFF)).toBe(true);
  await work();
  expect(await onSaleNow()).toBe(0);
});

it('only the sales of a client or fan, and only the grants of a client, end with a stop', async () => {
  const stop = (...[target, ends]: [Parameters<typeof setKillSwitch>[1], Parameters<typeof setKillSwitch>[4]]) =>
    setKillSwitch(app.context(), target, 'asked', STAFF, ends);
  await expect(stop({ kind: 'co_signing' }, { endsSales: true })).rejects.toThrow(
    'endsSales is for a client, fan or marketplace',
  );
  await expect(stop({ kind: 'fan', fanId: 'usr_x' }, { endsGrants: true })).rejects.toThrow(
    'endsGrants is for a client',
  );
});

describe('a fan, and staff with a reason, take one ticket off sale', () => {
  it('once, whichever app put it there, and leave the app its access', async () => {
    const sale = await onSale(2);
    const [first, second] = sale.tickets as [TestTicket, TestTicket];
    for (const _ of [1, 2]) await takeOwnOffSale(app.context(), sale.fanId, first.id);
    expect((await salesOf(sale)).map(({ isEnding }) => isEnding).sort()).toEqual([false, true]);
    await takeOffSale(app.context(), { ticketId: second.id, reason: 'asked by phone' }, STAFF);
    await work();
    expect(await Promise.all([first, second].map(stateOf))).toEqual(['held', 'held']);
    expect(await ordersOf(first)).toEqual([
      { actor: `fan:${sale.fanId}`, origin: 'portal', reason: 'The fan took the ticket off sale.' },
    ]);
    expect(await ordersOf(second)).toEqual([{ actor: STAFF, origin: 'console', reason: 'asked by phone' }]);
    await putOnSale(app, market, first, sale, 2_000_000_000n);
    await reconcile(app.context(), 'sandbox');
    await work();
    expect(await stateOf(first)).toBe('listed');
  });

  it('but not one that is not on sale, or another fan’s', async () => {
    const [sale, other] = [await onSale(), await onSale()];
    const own = (ticketId: string) => takeOwnOffSale(app.context(), sale.fanId, ticketId);
    await expect(own(other.ticket.id)).rejects.toThrow(`There is no ticket ${other.ticket.id}.`);
    await expect(own('tkt_x')).rejects.toThrow('There is no ticket tkt_x.');
    const [unlisted] = await moreTickets(app, sale.fan);
    await expect(own(unlisted?.id ?? '')).rejects.toThrow('The ticket is not on sale.');
    const unreasoned = takeOffSale(app.context(), { ticketId: sale.ticket.id, reason: '' }, STAFF);
    await expect(unreasoned).rejects.toThrow('reason');
    expect(await stateOf(other.ticket)).toBe('listed');
  });
});

it('a sale that meets the end of the access: exactly one happens, and nobody gets a 5xx', async () => {
  const buyer = await anotherUser(app);
  const outcomes = [];
  const sale = await onSale(50);
  const bytes = [];
  for (const ticket of sale.tickets) bytes.push(await transfer(app, market, ticket, buyer.wallet_address));
  await buyer.tokens();
  await revokeOwnGrants(app.context(), sale.fanId);
  const closing = work();
  for (const each of bytes) outcomes.push(await claim(app, buyer, [each]));
  await closing;
  for (let tries = 0; tries < 10; tries++) {
    app.advance(30);
    await work();
  }
  await reconcile(app.context(), 'sandbox');
  expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
  for (const [index, ticket] of sale.tickets.entries()) {
    const account = await onChain(app, ticket);
    expect(account.state).toBe('held');
    const isSold = account.owner === buyer.wallet_address;
    const [listed] = await rows(
      app,
      'select l.outcome from listing l join permit p on p.id = l.permit_id where p.tix_permit_id = $1',
      [ticket.permit],
    );
    expect(listed).toEqual({ outcome: isSold ? 'sold' : 'cancelled' });
    expect([index, outcomes[index]?.status === 200]).toEqual([index, isSold]);
  }
});
