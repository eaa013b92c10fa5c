import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOutMoves } from '../../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../../src/inventory/end-sales.ts';
import { idOf, type Uuid } from '../../../src/platform/identifier/type-id.ts';
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
} from '../../support/chain-app.ts';
import { button, confirm, findBarriers, openConsole, openView, take } from '../../support/console.ts';
import { barriersFrom, TWO_SIDES } from '../../support/find-barriers.ts';
import { makeClient } from '../../support/make-client.ts';
import { signIn } from '../../support/partner.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { fundedMarketplace, type Marketplace, onChain, putOnSale } from '../../support/ticket-transactions.ts';

const browser = await testBrowser();
let app: ChainApp;
let market: Marketplace;
beforeAll(async () => {
  app = await startChainApp();
  market = await fundedMarketplace(app);
});
afterAll(() => app.stop());

/** A fan whose tickets a new app has put on sale. */
async function onSale(count = 1) {
  const fan = await anotherUser(app);
  const clientId = await makeClient(app, { name: `Seller ${fan.phone}` });
  const tokens = await signIn(app, { clientId, scope: CHAIN_SCOPE, phone: fan.phone, code: fan.code });
  const tickets = await moreTickets(app, fan, { count });
  for (const ticket of tickets) await putOnSale(app, market, ticket, { ...fan, tokens: async () => tokens });
  await reconcile(app.context(), 'sandbox');
  const [ticket] = tickets;
  if (!ticket) throw new Error('a ticket was made');
  const listingOf = async ({ permit }: TestTicket) => {
    const [listing] = await rows<{ id: Uuid }>(
      app,
      'select l.id from listing l join permit p on p.id = l.permit_id where p.tix_permit_id = $1',
      [permit],
    );
    if (!listing) throw new Error('the ticket was on sale');
    return idOf('lst', listing.id);
  };
  const salesLeft = async () => (await countSales(app.context(), [clientId])).get(clientId) ?? 0;
  return { fan, clientId, ticket, tickets, grantId: tokens.grant_id, listingOf, salesLeft };
}

async function work(): Promise<void> {
  await endSales(app.context());
  await carryOutMoves(app.context());
}

test('a client whose keys leaked is stopped, and taken off sale, with a count before and the progress after', async () => {
  const { clientId, fan, ticket, salesLeft } = await onSale(3);
  const page = await openConsole(browser, app);
  await openView(page, app, `/clients/${clientId}`, `Seller ${fan.phone}`);
  await button(page, 'Stop and take off sale').click();
  await page.getByText('It has 3 tickets on sale and 1 active grant. All of them end.').waitFor();
  expect(await barriersFrom(page, { within: page.getByRole('dialog'), sides: TWO_SIDES })).toEqual([]);
  await confirm(page, 'Stop and take off sale', 'The keys leaked.');
  const progress = page.getByRole('status').filter({ hasText: 'Being taken off sale' });
  await progress.getByText('Left: 3 tickets on sale and 1 active grant.').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await work();
  await progress.getByText('Left: 0 tickets on sale and 0 active grants.').waitFor();
  expect(await salesLeft()).toBe(0);
  expect((await onChain(app, ticket)).state).toBe('held');
});

test('a ticket is taken off sale on the pages of its holder, of itself and of its listing, with a reason', async () => {
  const sale = await onSale(3);
  const [first, second, third] = sale.tickets as [TestTicket, TestTicket, TestTicket];
  const page = await openConsole(browser, app, 'support');
  const title = 'Northern Lights Festival, Day pass';
  await openView(page, app, `/fans/${sale.fan.id}?tab=listings`, sale.fan.phone);
  await page.getByRole('button', { name: 'Take off sale' }).last().click();
  await confirm(page, 'Take off sale', 'The fan asked by phone.');
  await page.getByText('It is being taken off sale, or moved.').waitFor({ state: 'attached' });
  await openView(page, app, `/tickets/${second.id}`, title);
  await take(page, 'Take off sale', 'The fan asked by phone.');
  await openView(page, app, `/listings/${await sale.listingOf(third)}`, title);
  await page.getByRole('link', { name: `Seller ${sale.fan.phone}` }).waitFor();
  await take(page, 'Take off sale', 'The fan asked by phone.');
  await page.getByText('Being taken off sale', { exact: true }).waitFor();
  await work();
  expect(await sale.salesLeft()).toBe(0);
  expect((await onChain(app, first)).state).toBe('held');
  await page.getByText('Cancelled').waitFor();
  expect(await page.getByRole('button', { name: 'Take off sale' }).count()).toBe(0);
});

test.each([
  ['ticked', 0],
  ['unticked', 1],
] as const)('who ends a grant with the box %s leaves %i tickets on sale', async (box, left) => {
  const sale = await onSale();
  const page = await openConsole(browser, app, 'support');
  await openView(page, app, `/grants/${sale.grantId}`, `Seller ${sale.fan.phone}`);
  await button(page, 'Revoke').click();
  const ends = page.getByLabel('Take off sale what it put on sale');
  expect(await ends.isChecked()).toBe(true);
  if (box === 'unticked') await ends.uncheck();
  await confirm(page, 'Revoke', 'The fan asked us to.');
  await work();
  expect(await sale.salesLeft()).toBe(left);
});
