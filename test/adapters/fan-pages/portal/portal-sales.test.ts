import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../../src/inventory/end-sales.ts';
import { revokeOwnGrants } from '../../../../src/oauth/grant/own-grants.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { reconcile } from '../../../../src/tickets/ticket/reconcile.ts';
import {
  anotherUser,
  CHAIN_SCOPE,
  moreTickets,
  oneTicket,
  type TestTicket,
  type User,
} from '../../../support/chain-app.ts';
import { barriersFrom, TWO_SIDES } from '../../../support/find-barriers.ts';
import { makeClient } from '../../../support/make-client.ts';
import { signIn } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { fundedMarketplace, land, onChain, putOnSale, transfer } from '../../../support/ticket-transactions.ts';
import { enterCode, enterPhone, newPage } from '../login/ui/fan.ts';

const APP = 'Resale Harbour';
const SELL = 'Put your tickets up for sale';
const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);
const market = await fundedMarketplace(app);
beforeEach(() => app.resetClock());

/** A new fan with two apps, the first of which has put tickets of one event on sale; a ticket of another event is not. */
async function onSale(count = 1) {
  const fan = await anotherUser(app);
  const tickets = await moreTickets(app, fan, { count });
  // without seats they are told apart by their number
  await app.context().em.nativeUpdate(Ticket, { owner: fan.id as Id<'usr'> }, { label: null });
  await oneTicket(app, fan, { endsAt: new Date(Date.now() + 40 * 86_400_000) });
  const [clientId, other] = [await makeClient(app, { name: APP }), await makeClient(app, { name: 'Side Door' })];
  const signInTo = (client: string) =>
    signIn(app, { clientId: client, scope: CHAIN_SCOPE, phone: fan.phone, code: fan.code });
  await signInTo(other);
  const tokens = await signInTo(clientId);
  const sell = async (ticket: TestTicket) => {
    await putOnSale(app, market, ticket, { ...fan, tokens: async () => tokens }, 1_500_000_000n);
    await reconcile(app.context(), 'sandbox');
  };
  for (const ticket of tickets) await sell(ticket);
  const [ticket] = tickets;
  if (!ticket) throw new Error('a ticket was made');
  return { fan, fanId: fan.id as Id<'usr'>, ticket, tickets, sell };
}

/** What the service does every second. */
async function work(): Promise<void> {
  await endSales(app.context());
  await carryOutMoves(app.context());
}

const stateOf = async (ticket: TestTicket) => (await onChain(app, ticket)).state;

async function portalOf(fan: User): Promise<Page> {
  const page = await newPage(browser, { isMobile: false });
  await page.goto(`${app.config.loginUrl}/apps`);
  await enterPhone(page, fan.phone);
  await enterCode(page, fan.code);
  await page.getByRole('heading', { name: 'Apps with access to your tickets' }).waitFor();
  await page.getByRole('region', { name: 'History' }).waitFor();
  return page;
}

const own = (page: Page) => page.getByRole('region', { name: 'Your tickets' });
const sales = (page: Page) => page.getByRole('region', { name: 'On sale now' });
const dialogOf = (page: Page) => page.getByRole('dialog');
const card = (page: Page, name = APP) => page.getByRole('article', { name });
const press = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name }).click();
const notice = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

it('what is on sale is shown with event, date, type, app, price and time, also to a fan without any app left', async () => {
  const { fan, fanId } = await onSale(2);
  await revokeOwnGrants(app.context(), fanId, { keepsSales: true });
  await work();
  const page = await portalOf(fan);
  await page.getByRole('heading', { name: 'No app has access' }).waitFor();
  const lines = await sales(page).getByRole('listitem').allInnerTexts();
  expect(lines).toHaveLength(2);
  expect(lines[1]?.split('\n').filter(Boolean)).toEqual([
    'Northern Lights Festival',
    expect.stringMatching(/^\w{3}, .* CET · Day pass · Ticket 2 of 2$/),
    expect.stringMatching(/^For 1\.5 SOL through Resale Harbour, since \w{3} \d.*[AP]M$/),
    'Take off sale',
  ]);
  await own(page).getByRole('heading', { name: '3 tickets' }).waitFor();
  await own(page).getByText('· Day pass × 2').waitFor();
  await own(page).getByText('· Standing').waitFor();
});

it('ten events are shown, the rest folded, and nothing to a fan without tickets', async () => {
  const fan = await anotherUser(app);
  const page = await portalOf(fan);
  expect(await own(page).count()).toBe(0);
  for (let day = 1; day <= 11; day += 1) {
    const startsAt = new Date(Date.now() + day * 86_400_000);
    await giveTicket(app, { id: fan.id as Id<'usr'> }, { mode: 'sandbox', eventName: `Night ${day}`, startsAt });
  }
  await page.reload();
  await own(page).getByText('Night 10').waitFor();
  expect(await sales(page).count()).toBe(0);
  expect(await own(page).getByText('Night 11').isVisible()).toBe(false);
  await own(page).getByText('1 more event').click();
  expect(await own(page).getByText('Night 11').isVisible()).toBe(true);
});

it('a ticket is taken off sale after asking, and is shown as ending until it is off', async () => {
  const { fan, ticket } = await onSale();
  const page = await portalOf(fan);
  let looks = 0;
  page.on('request', (request) => {
    if (request.url().includes('tickets.list')) looks += 1;
  });
  await press(sales(page), /^Take off sale/);
  await dialogOf(page).getByText('Northern Lights Festival · Day pass will no longer be for sale.').waitFor();
  await press(dialogOf(page), 'Cancel');
  await press(sales(page), /^Take off sale/);
  await press(dialogOf(page), 'Take off sale');
  const ending = sales(page).getByRole('button', { name: /^Being taken off sale…: Northern Lights/ });
  await ending.waitFor();
  expect(await ending.getAttribute('aria-disabled')).toBe('true');
  // after a change, and by itself
  await expect.poll(() => looks).toBeGreaterThan(1);
  expect(await stateOf(ticket)).toBe('listed');
  await ending.waitFor();
  await work();
  await notice(page, 'No longer on sale: Northern Lights Festival · Day pass.');
  expect(await stateOf(ticket)).toBe('held');
  await page.getByText('You took your ticket off sale').waitFor();
  expect(await sales(page).count()).toBe(0);
  const before = looks;
  await page.waitForTimeout(2_500);
  expect(looks).toBe(before);
});

it('the fan reads that a ticket was sold before it could be taken off sale', async () => {
  const { fan, ticket } = await onSale();
  const buyer = await anotherUser(app);
  const page = await portalOf(fan);
  await press(sales(page), /^Take off sale/);
  await land(app, await transfer(app, market, ticket, buyer.wallet_address));
  await reconcile(app.context(), 'sandbox');
  await press(dialogOf(page), 'Take off sale');
  await notice(page, 'No longer on sale');
  await page.getByText('Your ticket was sold for 1.5 SOL').waitFor();
  expect(await sales(page).count()).toBe(0);
});

describe.each([
  ['ends the app', (page: Page) => press(card(page), /^End access/)],
  ['ends all apps', (page: Page) => press(page, 'End all access')],
  ['turns the action off', (page: Page) => press(card(page), `Turn off: ${SELL}`)],
  [
    'takes the ticket out of the choice',
    async (page: Page) => {
      await press(card(page), /^Change tickets/);
      await card(page).getByRole('radio', { name: 'Only selected tickets' }).check();
      await card(page).getByRole('group', { name: 'Soon over' }).getByRole('checkbox').check();
      await press(card(page), 'Save');
    },
  ],
])('where the fan %s', (_, takeAway) => {
  const confirm = (page: Page) => dialogOf(page).getByRole('button').last().click();

  it('the dialog names the tickets that are taken off sale with it', async () => {
    const { fan, tickets } = await onSale(2);
    const page = await portalOf(fan);
    await takeAway(page);
    await dialogOf(page).getByText('These 2 tickets are taken off sale too:').waitFor();
    await dialogOf(page).getByText('· Day pass × 2').waitFor();
    expect(await dialogOf(page).getByRole('checkbox').isChecked()).toBe(false);
    expect(await barriersFrom(page, { sides: TWO_SIDES, within: dialogOf(page) })).toEqual([]);
    await confirm(page);
    await expect
      .poll(() =>
        sales(page)
          .getByRole('button', { name: /^Being taken off sale…/ })
          .count(),
      )
      .toBe(2);
    await work();
    await expect.poll(() => sales(page).count()).toBe(0);
    expect(await Promise.all(tickets.map(stateOf))).toEqual(['held', 'held']);
  });

  it('and they stay on sale where the fan leaves them', async () => {
    const { fan, ticket } = await onSale();
    const page = await portalOf(fan);
    await takeAway(page);
    await dialogOf(page).getByRole('checkbox', { name: 'Leave it on sale' }).check();
    await dialogOf(page).getByText('This ticket stays on sale:').waitFor();
    await confirm(page);
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await work();
    await page.reload();
    await sales(page)
      .getByRole('button', { name: /^Take off sale/ })
      .waitFor();
    expect(await stateOf(ticket)).toBe('listed');
  });
});

it('a change that concerns no sale does not ask about sales', async () => {
  const { fan } = await onSale();
  const page = await portalOf(fan);
  await press(card(page), 'Turn off: See your tickets');
  await notice(page, 'Turned off for Resale Harbour: See your tickets.');
  await press(card(page, 'Side Door'), `Turn off: ${SELL}`);
  await notice(page, 'Turned off for Side Door');
  expect(await page.getByText('“Undo” does not').count()).toBe(0);
  await press(card(page), /^Change tickets/);
  await card(page).getByRole('radio', { name: 'Only selected tickets' }).check();
  await card(page).getByRole('group', { name: 'Northern Lights Festival' }).getByRole('checkbox').check();
  await press(card(page), 'Save');
  await notice(page, 'Tickets for Resale Harbour saved.');
  await press(card(page, 'Side Door'), /^End access/);
  await dialogOf(page).getByText('Side Door loses access').waitFor();
  expect(await dialogOf(page).getByRole('checkbox').count()).toBe(0);
  expect(await dialogOf(page).getByText('sale').count()).toBe(0);
});

it('a ticket that was put on sale since the page was loaded is named too', async () => {
  const { fan, sell } = await onSale();
  const page = await portalOf(fan);
  await sell(await oneTicket(app, fan));
  await press(card(page), /^End access/);
  await dialogOf(page).getByText('These 2 tickets are taken off sale too:').waitFor();
});

it('“Undo” brings the access back and not the sale, and the page says so', async () => {
  const { fan, ticket } = await onSale();
  const page = await portalOf(fan);
  await press(card(page), `Turn off: ${SELL}`);
  await press(dialogOf(page), 'Turn off');
  await notice(page, 'The ticket is being taken off sale. “Undo” does not put it up for sale again.');
  await press(page, 'Undo');
  await notice(page, `Turned on for Resale Harbour: ${SELL}.`);
  await work();
  await expect.poll(() => sales(page).count()).toBe(0);
  expect(await stateOf(ticket)).toBe('held');
  await card(page)
    .getByRole('button', { name: `Turn off: ${SELL}` })
    .waitFor();
});

it('WCAG 2.2: axe finds no barrier in what is on sale, the question and the wait, light and dark', async () => {
  const { fan } = await onSale(2);
  const page = await portalOf(fan);
  const found: string[] = [];
  const look = async (state: string, within: Locator) => {
    const barriers = await barriersFrom(page, { sides: TWO_SIDES, within });
    found.push(...barriers.map((barrier) => `${state}: ${barrier}`));
  };
  await look('on sale', sales(page));
  await press(sales(page), /^Take off sale.*Ticket 1 of 2$/);
  await look('question', dialogOf(page));
  await press(dialogOf(page), 'Take off sale');
  await look('being taken off', sales(page).getByRole('button', { name: /^Being taken off sale…/ }));
  await press(card(page), /^End access/);
  await dialogOf(page).getByRole('checkbox').check();
  await look('left on sale', dialogOf(page));
  expect(found).toEqual([]);
});
