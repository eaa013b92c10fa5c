import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { ApiRequest } from '../../src/entities/api-request.ts';
import { Claim } from '../../src/entities/claim.ts';
import { Event } from '../../src/entities/event.ts';
import { Listing } from '../../src/entities/listing.ts';
import { Permit } from '../../src/entities/permit.ts';
import { Proposal } from '../../src/entities/proposal.ts';
import { TestUser } from '../../src/entities/test-user.ts';
import { Ticket } from '../../src/entities/ticket.ts';
import type { Id } from '../../src/identifier/type-id.ts';
import { addEndpoint } from '../../src/notification/add-endpoint.ts';
import { FRESH_SIGN_IN } from '../../src/staff/rights.ts';
import { eventRow, ticketRow, typeRow } from '../src/inventory/stage.ts';
import { findBarriers, openConsole, openView } from '../support/console.ts';
import { asNdjson, IMPORT_ENV, importBody, importToken } from '../support/import-calls.ts';
import { signIn } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';
import { testBrowser } from '../support/test-browser.ts';

let pages: string[];
let partnerId: string;

const [app, browser] = await Promise.all([testApp({ env: IMPORT_ENV }), testBrowser()]);
beforeAll(async () => {
  const { grant_id: grantId } = await signIn(app);
  const { em, now } = app.context();
  const [permit] = await em.find(Permit, {}, { limit: 1, orderBy: { id: 'asc' } });
  const [user] = await em.find(TestUser, {}, { limit: 1 });
  if (!permit || !user) throw new Error('the starter kit has permits and test users');
  partnerId = user.partner?.id ?? '';
  const at = { openedAt: now(), marketplace: 'M'.repeat(44) };
  const listing = em.create(Listing, { permit, price: 2_500_000_000n, ...at });
  const claim = em.create(Claim, {
    grant: grantId as never,
    permit,
    signature: 'C'.repeat(88),
    transaction: '00',
    recentBlockhash: 'b'.repeat(44),
    signerWallet: 'S'.repeat(44),
    destinationWallet: 'D'.repeat(44),
    state: 'pending',
    createdAt: now(),
    updatedAt: now(),
  });
  const proposal = em.create(Proposal, {
    kind: 'permit.move_out',
    subject: permit.id,
    details: {
      fanId: user.fan.id,
      destination: 'D'.repeat(44),
      statement: 'I hold the key.',
      signature: 'S'.repeat(88),
    },
    reason: 'The fan leaves.',
    proposedBy: 'staff:nobody',
    proposedAt: now(),
    expiresAt: new Date(now().getTime() + 3_600_000),
    state: 'proposed',
  });
  await em.flush();
  const rows = [
    eventRow('gala'),
    typeRow('gala', 'all'),
    ticketRow('gala', 'all', 'G-1'),
    ticketRow('none', 'all', 'G-2'),
  ];
  const { run } = await importBody(app, await importToken(app), asNdjson(rows));
  const event = await em.findOneOrFail(Event, { reference: 'gala' });
  const ticket = await em.findOneOrFail(Ticket, { reference: 'G-1' });
  await vi.waitFor(async () => expect(await app.context().em.count(ApiRequest, {})).toBeGreaterThan(0), 5_000);
  const [request] = await app.context().em.find(ApiRequest, {}, { limit: 1 });
  const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
  await addEndpoint(app.context(), app.kit.client_id as Id<'client'>, wish, 'system');
  pages = [
    ...['', 'timeline', `timeline?search=${grantId}`, `requests/${request?.id}`],
    ...['partners', `partners/${partnerId}`, 'clients', `clients/${app.kit.client_id}`, 'clients/new', 'reviews'],
    `clients/${app.kit.client_id}?tab=events`,
    ...['test-users', 'test-users?create=1', 'test-events', 'test-events?create=1', 'permits', 'permits?grant=1'],
    ...[`permits/${permit.id}`, `clients/${app.kit.client_id}/starter-kit`, `partners/${partnerId}/reset-sandbox`],
    ...['fans', `fans/${user.fan.id}`, 'grants', `grants/${grantId}`, 'listings', `listings/${listing.id}`],
    ...[
      'events',
      'events?add=1',
      `events/${event.id}`,
      `events/${event.id}?tab=types`,
      `events/${event.id}?tab=history`,
    ],
    ...['tickets', `tickets/${ticket.id}`, `tickets/${ticket.id}?tab=history`, 'imports', `imports/${run}`],
    ...['claims', `claims/${claim.id}`, 'verification', 'keys', 'kill-switches', 'kill-switches?stop=CO_SIGNING'],
    ...[
      'proposals',
      `proposals/${proposal.id}`,
      'audit',
      'staff',
      'tokens',
      'service-accounts',
      'sessions',
      'no/such/page',
    ],
  ];
});

const PHONE = 390;
const DESK = 1440;
const HEIGHT = 900;

type Found = Record<string, string[]>;

/** Looks in both colour schemes at a page as it is: at its colours only in the one, where it was seen in the other. */
async function seeLightAndDark(page: Page, name: string, found: Found): Promise<void> {
  const width = page.viewportSize()?.width;
  const first = width === PHONE ? 'light' : 'dark';
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    // what moves in or fades has come to rest
    await page.waitForTimeout(120);
    const look = colorScheme === first ? 'all' : 'colours';
    found[`${name}, ${width} px, ${colorScheme}`] = await findBarriers(page, look);
  }
}

/** Looks at every page of the console on both screens. @returns what is in the way, by page, screen and scheme */
async function lookAtPages(page: Page): Promise<Found> {
  const found: Found = {};
  for (const path of pages) {
    await page.goto(`${app.config.adminUrl}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const width of [PHONE, DESK]) {
      await page.setViewportSize({ width, height: HEIGHT });
      await seeLightAndDark(page, path, found);
    }
  }
  return found;
}

/** Looks at what opens over pages. @returns as `lookAtPages` */
async function lookAtDialogs(page: Page): Promise<Found> {
  const found: Found = {};
  const see = (name: string) => seeLightAndDark(page, name, found);
  await openView(page, app, '/partners', 'Partners');
  await page.getByRole('button', { name: /Ada Admin/ }).click();
  await page.getByRole('menu').waitFor();
  await see('the menu of the person');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog', { name: 'Search' }).getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await see('the search');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Register partner' }).click();
  await page.getByLabel('Name').fill(`Toasted ${crypto.randomUUID()}`);
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByText(/is registered/).waitFor();
  await see('a toast');
  await openView(page, app, '/test-users?create=1', 'Test users');
  await page.keyboard.press('Escape');
  await openView(page, app, '/events?search=gala', 'Events');
  await page.getByRole('rowheader').getByRole('link').click();
  await page.getByRole('button', { name: 'Cancel the event' }).click();
  await page.getByRole('list', { name: 'What happens' }).waitFor();
  await see('the cancelling of an event');
  await page.keyboard.press('Escape');
  await openView(page, app, '/tickets?search=G-1', 'Tickets');
  await page.getByRole('rowheader').getByRole('link').click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('dialog', { name: 'Withdraw the ticket' }).waitFor();
  await see('the withdrawal of a ticket');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Give to another holder' }).click();
  await page.getByRole('dialog', { name: 'Give the ticket to another holder' }).waitFor();
  await see('the giving of a ticket');
  await page.keyboard.press('Escape');
  await openView(page, app, '/audit', 'Audit log');
  await page.getByText('Details').first().click();
  await see('the details of an entry');
  app.advance(FRESH_SIGN_IN + 1);
  await openView(page, app, '/keys', 'Keys');
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog', { name: 'Confirm it’s you' }).waitFor();
  await see('a fresh sign-in');
  app.resetClock();
  return found;
}

const WITH_FAULTS = ([, faults]: [string, string[]]) => faults.length > 0;

test('WCAG 2.2: no page has a barrier that axe finds, on a phone and a desk screen, light or dark', {
  timeout: 300_000,
}, async () => {
  const page = await openConsole(browser, app, 'admin', { viewport: { width: DESK, height: HEIGHT } });
  const found = await lookAtPages(page);
  await page.context().close();

  expect(Object.keys(found).length).toBeGreaterThan(180);
  expect(Object.entries(found).filter(WITH_FAULTS)).toEqual([]);
});

test.each([
  { screen: 'a phone', width: PHONE },
  { screen: 'a desk screen', width: DESK },
])('WCAG 2.2: nor has what opens over pages, on $screen, light or dark', { timeout: 120_000 }, async ({ width }) => {
  const name = `Ada Admin ${width}`;
  const page = await openConsole(browser, app, 'admin', { viewport: { width, height: HEIGHT }, name });
  const found = await lookAtDialogs(page);
  await page.context().close();

  expect(Object.keys(found).length).toBeGreaterThan(15);
  expect(Object.entries(found).filter(WITH_FAULTS)).toEqual([]);
});

test('a toast can be closed by name', async () => {
  const page = await openConsole(browser, app, 'support');
  await openView(page, app, '/partners?register=1', 'Partners');
  await page.getByLabel('Name').fill('Closed by name');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const toast = page.getByText('Closed by name is registered.');
  await toast.waitFor();
  await page.getByRole('button', { name: 'Close message' }).click();
  await toast.waitFor({ state: 'detached' });
  await page.context().close();
});

test('the search is worked by keyboard alone: arrows name the active option, Enter follows it, Escape closes it', async () => {
  const page = await openConsole(browser, app, 'support');
  await openView(page, app, '/', 'Home');
  await page.keyboard.press('Control+K');
  const input = page.getByRole('combobox', { name: 'Search for anything' });
  await input.waitFor();
  expect(await input.getAttribute('aria-expanded')).toBe('true');
  const active = async () => {
    const id = (await input.getAttribute('aria-activedescendant')) ?? '';
    const option = page.locator(`[id="${id}"][role="option"][aria-selected="true"]`);
    return (await option.count()) === 1 ? option.innerText() : undefined;
  };
  await expect.poll(active).toContain('Home');
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).toContain('Timeline');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect.poll(active).toContain('Timeline');
  const list = await input.getAttribute('aria-controls');
  expect(await page.locator(`[id="${list}"]`).getAttribute('role')).toBe('listbox');
  await page.keyboard.press('Escape');
  await input.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+K');
  await input.fill('partners');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Partners', level: 1 }).waitFor();
  await page.context().close();
});
