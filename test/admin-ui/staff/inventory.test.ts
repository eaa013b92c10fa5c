import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Event } from '../../../src/entities/event.ts';
import { Listing } from '../../../src/entities/listing.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { apply, eventRow, PRODUCTION_PROGRAM_ID, ticketRow, typeRow } from '../../src/inventory/stage.ts';
import { choose, fillIn, openConsole, openView, take } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp({ env: { PRODUCTION_PROGRAM_ID } }), testBrowser()]);
await apply(app, [
  eventRow('opera', { name: 'Opera Gala', time_zone: 'Europe/Berlin' }),
  typeRow('opera', 'stalls', { name: 'Stalls' }),
  typeRow('opera', 'box', { name: 'Box' }),
  ...Array.from({ length: 30 }, (_, index) => ticketRow('opera', 'stalls', `T-${100 + index}`)),
  ticketRow('opera', 'box', 'B-1', { holder_phone: '+12025550177' }),
  ticketRow('opera', 'box', 'B-2', { status: 'refunded' }),
]);
const page = await openConsole(browser, app, 'admin', { name: 'Ada Admin' });

const dialog = () => page.getByRole('dialog');
const names = (of: Page = page) => of.getByRole('rowheader').allInnerTexts();
const event = () => app.context().em.findOneOrFail(Event, { reference: 'opera' });
const ticket = (reference: string) => app.context().em.findOneOrFail(Ticket, { reference });
const permitOf = async (reference: string) =>
  app.context().em.findOneOrFail(Permit, { ticket: (await ticket(reference)).id });
const newest = async (action: string) => {
  const [entry] = await app.context().em.find(AuditEntry, { action }, { orderBy: { id: 'desc' }, limit: 1 });
  return entry;
};

describe('events', () => {
  test('are listed for both modes, with their reference, state, start in their zone and how many tickets they have', async () => {
    await openView(page, app, '/events', 'Events');
    const row = page.getByRole('row', { name: /Opera Gala/ });
    await row.waitFor();
    const text = await row.innerText();
    for (const part of ['opera', 'Production', 'Scheduled', '20:00', 'Hall', '32']) expect(text).toContain(part);
    await choose(page, 'Mode', 'Sandbox');
    await page.getByRole('row', { name: /Opera Gala/ }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await names()).length).toBeGreaterThan(0);
    expect(new URL(page.url()).search).toBe('?mode=SANDBOX');
    await openView(page, app, '/events?search=opera&state=CANCELLED', 'Events');
    await page.getByText('No matches.').waitFor();
  });

  test('are added by a form, whose field says that a reference is taken', async () => {
    await openView(page, app, '/events', 'Events');
    await page.getByRole('button', { name: 'Add an event' }).click();
    await fillIn(dialog(), { Reference: 'opera', Name: 'Chamber Music' }, 'Add');
    await dialog().getByText('Another event has this reference.').waitFor();
    await fillIn(dialog(), { Reference: 'chamber' }, 'Add');
    await page.getByText('Chamber Music is added.').waitFor();
    await page.getByRole('rowheader', { name: 'Chamber Music' }).waitFor();
    const added = await app.context().em.findOneOrFail(Event, { reference: 'chamber' });
    expect(added).toMatchObject({ mode: 'production', name: 'Chamber Music' });
    expect((await event()).name).toBe('Opera Gala');
  });

  test('are moved and renamed; what the service refuses stands at the field', async () => {
    const { id, endsAt } = await event();
    await openView(page, app, `/events/${id}`, 'Opera Gala');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog().getByLabel('Starts').inputValue()).toBe('2030-05-01T20:00');
    await fillIn(dialog(), { Name: 'Opera\u0007Gala' }, 'Save');
    await dialog().getByText('name must have no control characters.').waitFor();
    await fillIn(dialog(), { Name: 'Opera Gala Night', Venue: '', Starts: '2030-05-01T19:30' }, 'Save');
    await page.getByRole('heading', { name: 'Opera Gala Night', level: 1 }).waitFor();

    const moved = await event();
    expect(moved).toMatchObject({ name: 'Opera Gala Night', venue: null, endsAt, timeZone: 'Europe/Berlin' });
    expect(moved.startsAt.toISOString()).toBe('2030-05-01T17:30:00.000Z');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('event.changed').first().waitFor();
  });

  test('have ticket types that are added and changed, each by a name of its own', async () => {
    const { id, name } = await event();
    await openView(page, app, `/events/${id}?tab=types`, name);
    await page.getByRole('button', { name: 'Edit Box' }).click();
    await fillIn(dialog(), { Name: 'Stalls' }, 'Save');
    await dialog().getByText('Another ticket type of the event has this name.').waitFor();
    await fillIn(dialog(), { Name: 'Royal box' }, 'Save');
    await page.getByRole('rowheader', { name: 'Royal box' }).waitFor();
    await page.getByRole('button', { name: 'Add a ticket type' }).click();
    await fillIn(dialog(), { Reference: 'box', Name: 'Gallery' }, 'Add');
    await dialog().getByText('Another ticket type of the event has this reference.').waitFor();
    await fillIn(dialog(), { Reference: 'gallery' }, 'Add');
    await page.getByRole('rowheader', { name: 'Gallery' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Gallery is added.').waitFor();
  });

  describe('resale', () => {
    const facts = () => page.getByRole('region', { name: 'Event', exact: true });
    const stageResale = async (reference: string) => {
      const name = `Resale of ${reference}`;
      await apply(app, [
        eventRow(reference, { name, time_zone: 'Europe/Berlin' }),
        typeRow(reference, 'any', { name: 'Any' }),
        ticketRow(reference, 'any', `${reference}-1`),
      ]);
      const { em, now } = app.context();
      const permit = await permitOf(`${reference}-1`);
      em.create(Listing, { permit, marketplace: 'M'.repeat(44), price: 1n, openedAt: now() });
      await em.flush();
      return { ...(await em.findOneOrFail(Event, { reference })), name };
    };

    test('ends at a time that the form sets in the zone of the event, for a reason where something is on sale; it says who set it', async () => {
      const { id, name } = await stageResale('until');
      await openView(page, app, `/events/${id}`, name);
      await facts().getByText('the event ends').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await fillIn(dialog(), { 'Resale until': '2030-05-02T00:01' }, 'Save');
      await dialog().getByText('Enter a time that is not after the end.').waitFor();
      await fillIn(dialog(), { 'Resale until': '2030-04-30T12:00' }, 'Save');
      await dialog().getByText('say why tickets are taken').waitFor();
      await fillIn(dialog(), { Reason: 'The promoter wants it.' }, 'Save');
      await facts().getByText('Tue, 30 Apr 2030, 12:00 CEST').waitFor();
      const { em } = app.context();
      const stored = async () => (await em.fork().findOneOrFail(Event, { id })).resaleUntil?.toISOString() ?? null;
      expect(await stored()).toBe('2030-04-30T10:00:00.000Z');
      await facts().getByRole('link', { name: 'Set by Ada Admin' }).click();
      await page.getByText('resale.changed', { exact: true }).waitFor();
      await page.getByText('The promoter wants it.').waitFor();

      await page.getByRole('button', { name: 'Edit' }).click();
      await fillIn(dialog(), { Venue: 'Arena' }, 'Save');
      await facts().getByText('Arena').waitFor();
      expect(await stored()).toBe('2030-04-30T10:00:00.000Z');
      await page.getByRole('button', { name: 'Edit' }).click();
      await fillIn(dialog(), { 'Resale until': '' }, 'Save');
      await facts().getByText('the event ends').waitFor();
      expect(await stored()).toBeNull();
    });

    test('is turned off for a type of tickets; the pages of its tickets and listings say that they can’t be resold', async () => {
      const { id, name } = await stageResale('never');
      await openView(page, app, `/events/${id}?tab=types`, name);
      const row = page.getByRole('row', { name: /Any/ });
      await row.getByText('Possible', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Edit Any' }).click();
      await dialog().getByRole('switch', { name: 'Tickets can be resold' }).uncheck();
      await fillIn(dialog(), { Reason: 'Personal tickets.' }, 'Save');
      await row.getByText('Not possible').waitFor();
      await row.getByRole('link', { name: 'Set by Ada Admin' }).waitFor();
      expect((await newest('resale.changed'))?.details).toMatchObject({
        reason: 'Personal tickets.',
        after: { resale: false },
      });

      const sold = await ticket('never-1');
      await openView(page, app, `/tickets/${sold.id}`, `${name}, Any`);
      await page.getByText('no ticket of its type can be resold').waitFor();
      const { em } = app.context();
      const { id: listing } = await em.findOneOrFail(Listing, { permit: { ticket: sold.id } });
      await openView(page, app, `/listings/${listing}`, `${name}, Any`);
      await page.getByText('no ticket of its type can be resold').waitFor();
    });
  });

  test('are cancelled with a reason, after a dialog that says how much it affects; and reinstated', async () => {
    await apply(app, [
      eventRow('doomed', { name: 'Doomed' }),
      typeRow('doomed', 'any'),
      ticketRow('doomed', 'any', 'D-1'),
      ticketRow('doomed', 'any', 'D-2'),
      ticketRow('doomed', 'any', 'D-3', { status: 'void' }),
    ]);
    const { em, now } = app.context();
    const permit = await em.findOneOrFail(Permit, { ticket: (await ticket('D-1')).id });
    em.create(Listing, { permit, marketplace: 'M'.repeat(44), price: 1n, openedAt: now() });
    await em.flush();
    const { id } = await em.findOneOrFail(Event, { reference: 'doomed' });
    await openView(page, app, `/events/${id}`, 'Doomed');
    await page.getByRole('button', { name: 'Cancel the event' }).click();
    const effects = dialog().getByRole('list', { name: 'What happens' });
    await effects.waitFor();
    expect(await effects.innerText()).toMatch(/Tickets \(2\).*\nListings \(1\).*\nGrants \(0\)/);
    await dialog().getByRole('button', { name: 'Cancel the event' }).click();
    await dialog().getByText('Enter a reason.').waitFor();
    await fillIn(dialog(), { Reason: 'The singer is ill.' }, 'Cancel the event');
    await page.getByRole('button', { name: 'Reinstate' }).waitFor();
    expect(await newest('event.cancelled')).toMatchObject({ subject: id, details: { reason: 'The singer is ill.' } });

    await take(page, 'Reinstate', 'Somebody else sings.');
    await page.getByRole('button', { name: 'Cancel the event' }).waitFor();
    expect((await app.context().em.findOneOrFail(Event, { id })).cancelledAt).toBeNull();
  });

  test('show when their accounts are closed, and then how much rent has come back and what the rest waits for', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const tickets = ['P-1', 'P-2', 'P-3', 'P-4'];
    await apply(app, [
      eventRow('past', { name: 'Last Season', starts_at: daysAgo(11), ends_at: daysAgo(10) }),
      typeRow('past', 'any'),
      ...tickets.map((reference) => ticketRow('past', 'any', reference)),
    ]);
    const { em } = app.context();
    const { id } = await em.findOneOrFail(Event, { reference: 'past' });
    await em.execute("update event set registered_at = '2026-01-01' where reference = 'past'");
    const facts = page.getByRole('region', { name: 'Event', exact: true });
    await openView(page, app, `/events/${id}`, 'Last Season');
    await facts.getByText(/^in (19|20) d.* or later$/).waitFor();
    await em.execute(`update event set ends_at = '${daysAgo(40)}' where reference = 'past'`);
    await openView(page, app, `/events/${id}`, 'Last Season');
    await facts.getByText('due', { exact: true }).waitFor();

    await em.execute("update event set closed_at = now(), returned = 508080 where reference = 'past'");
    const permits = await Promise.all(tickets.map(permitOf));
    const onSale = await permitOf('P-4');
    await em.nativeUpdate(Permit, { id: { $in: permits.map((permit) => permit.id) } }, { issuedAt: new Date() });
    await em.nativeUpdate(
      Permit,
      { id: { $in: permits.slice(0, 3).map((permit) => permit.id) } },
      { closedAt: new Date(), returned: 1_969_680n },
    );
    await em.execute(
      `update waiting_permit set closes = true, tries = 1, reason = 'it is on sale'
       where permit_id = (select id from permit where tix_permit_id = ?)`,
      [onSale.tixPermitId],
    );
    await openView(page, app, `/events/${id}`, 'Last Season');
    await facts.getByText('0.00641712 SOL · 3 of 4 permits closed').waitFor();
    await facts.getByText('1 waits: it is on sale').waitFor();
    expect(await facts.innerText()).not.toContain('Closes onchain');
    await openView(page, app, `/tickets/${(await ticket('P-1')).id}`, 'Last Season, Type any');
    const onchain = page.getByRole('region', { name: 'Onchain' });
    await onchain.getByText('Closed', { exact: true }).first().waitFor();
    await openView(page, app, `/tickets/${(await ticket('P-4')).id}`, 'Last Season, Type any');
    await onchain.getByText('it is on sale').waitFor();

    // what is closed can't take place any more
    await em.execute("update event set cancelled_at = now() where reference = 'past'");
    await openView(page, app, `/events/${id}`, 'Last Season');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('button', { name: 'Reinstate' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Edit' }).click();
    await fillIn(dialog(), { Ends: '2031-01-05T22:00' }, 'Save');
    await dialog().getByText('The event is closed onchain').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('tickets', () => {
  test('of an event are paged, and filtered by type, status and permit in the address', async () => {
    const { id, name } = await event();
    await openView(page, app, `/events/${id}`, name);
    await page.getByText('32 entries').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(async () => (await names()).length).toBe(7);
    await page.getByRole('link', { name: 'Search and filter them' }).click();
    await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor();
    await choose(page, 'Status', 'Refunded');
    await expect.poll(async () => (await names()).length).toBe(1);
    await page.getByText('B-2').waitFor();
    await openView(page, app, `/tickets?event=${id}&permit=REVOKED`, 'Tickets');
    await expect.poll(async () => (await names()).length).toBe(1);
    await openView(page, app, `/tickets?event=${id}&permit=WAITING`, 'Tickets');
    await page.getByText('31 entries').waitFor();
    await openView(page, app, '/tickets?search=T-101', 'Tickets');
    await page.getByRole('rowheader').getByRole('link').click();
    await page.getByRole('region', { name: 'Onchain' }).waitFor();
    expect(await page.getByRole('region', { name: 'Ticket' }).innerText()).toContain('T-101');
  });

  test('whose permit the cluster refused are a filter, with the reason and the next try, and so are the permits', async () => {
    const permit = await permitOf('T-102');
    const { em, now } = app.context();
    await em.execute(
      `update waiting_permit set tries = 3, reason = 'custom program error: 0x1770', retry_at = ? where permit_id = (select id from permit where tix_permit_id = ?)`,
      [new Date(now().getTime() + 600_000), permit.tixPermitId],
    );
    await openView(page, app, '/tickets?permit=SET_ASIDE', 'Tickets');
    await page.getByText('custom program error: 0x1770').waitFor();
    expect(await names()).toHaveLength(1);
    await openView(page, app, '/permits?state=SET_ASIDE&mode=PRODUCTION', 'Permits');
    await page.getByText('custom program error: 0x1770').waitFor();
    expect(await names()).toHaveLength(1);
    await page.getByRole('rowheader').getByRole('link').click();
    await page.getByRole('region', { name: 'Onchain' }).getByText('Set aside').waitFor();
  });

  test('are withdrawn for a reason without a word on the holder, and restored', async () => {
    const { id } = await ticket('B-1');
    await openView(page, app, `/tickets/${id}`, 'Opera Gala Night, Royal box');
    await page.getByText('+1 ••• ••• 0177').first().waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await dialog().getByLabel('Void').check();
    await dialog().getByRole('button', { name: 'Withdraw' }).click();
    await dialog().getByText('Enter a reason.').waitFor();
    // the dialog closes once everything on the page has been read again
    const banners = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query Stopped')) await banners.promise;
      await route.continue();
    });
    await fillIn(dialog(), { Reason: 'Printed twice.' }, 'Withdraw');
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    expect(await dialog().getByRole('heading').innerText()).toBe('Withdraw the ticket');
    expect(await dialog().getByText('Restore').count()).toBe(0);
    banners.resolve();
    await dialog().waitFor({ state: 'detached' });
    await page.unroute('**/graphql');
    expect((await ticket('B-1')).status).toBe('void');
    expect((await permitOf('B-1')).revokedAt).not.toBeNull();
    expect(await newest('ticket.withdrawn')).toMatchObject({
      subject: id,
      details: { status: 'void', reason: 'Printed twice.' },
    });

    await take(page, 'Restore', 'A mistake.');
    await page.getByRole('button', { name: 'Withdraw' }).waitFor();
    expect((await permitOf('B-1')).revokedAt).toBeNull();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Printed twice.').waitFor();
  });

  test('are given to another holder by number or ID; a bad one is refused at the field, and no draft keeps a number', async () => {
    const before = await ticket('T-103');
    await openView(page, app, `/tickets/${before.id}`, 'Opera Gala Night, Stalls');
    await page.getByRole('button', { name: 'Give to another holder' }).click();
    await fillIn(dialog(), { 'New holder': '0123', Reason: 'A present.' }, 'Give');
    await dialog().getByText('must be a phone number with + and the country code').waitFor();
    await fillIn(dialog(), { 'New holder': 'usr_01h455vb4pex5vsknk084sn02q' }, 'Give');
    await dialog().getByText('There is no fan usr_').waitFor();
    await dialog().getByLabel('New holder').fill('+12025550188');
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('2025550188');
    await dialog().getByRole('button', { name: 'Give' }).click();
    await page.getByText('The ticket has a new holder.').waitFor();
    await page.getByText('+1 ••• ••• 0188').first().waitFor();
    expect((await ticket('T-103')).owner?.id).not.toBe(before.owner?.id);
    expect(await newest('ticket.transferred')).toMatchObject({ subject: before.id, details: { reason: 'A present.' } });
  });

  test('of the sandbox can’t be changed here, and without the right nothing can', async () => {
    const [sandbox] = await app.context().em.find(Ticket, { reference: null }, { limit: 1 });
    await page.goto(`${app.config.adminUrl}/tickets/${sandbox?.id}`);
    await page.getByRole('region', { name: 'Onchain' }).waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
    const support = await openConsole(browser, app, 'support');
    await openView(support, app, `/tickets/${(await ticket('T-104')).id}`, 'Opera Gala Night, Stalls');
    const withdraw = support.getByRole('button', { name: /Withdraw/ });
    await withdraw.waitFor();
    expect(await withdraw.getAttribute('aria-disabled')).toBe('true');
    expect(await withdraw.innerText()).toContain('tickets:take');
    await support.context().close();
  });
});
