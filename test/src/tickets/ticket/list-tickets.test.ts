import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Permit } from '../../../../src/entities/permit.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { callFan, type FanChoice, signIn } from '../../../support/partner.ts';
import { enableProductionClient, giveTicket, UNEXPECTED_PROVIDER } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { signInProduction } from '../../inventory/stage.ts';

/** Spec §2, field by field. */
const Ticket = z.strictObject({
  id: z.string().regex(/^tkt_[0-9a-z]{26}$/),
  svc_event_id: z.string().regex(/^evt_[0-9a-z]{26}$/),
  tix_event_id: z.string().min(1),
  tix_ticket_id: z.string().min(1),
  ticket_type_id: z.string().regex(/^typ_[0-9a-z]{26}$/),
  event_name: z.string(),
  ticket_type_name: z.string(),
  purchase_date: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});
const FetchTicketsResponse = z.strictObject({ user_id: z.string(), tickets: z.array(Ticket) });

const PHONE = '+12025550142';

const app = await testApp();
app.runtime.verification = UNEXPECTED_PROVIDER;
afterEach(() => app.resetClock());

/** The tickets that a sandbox fan's partner sees; a fresh sign-in, as tokens live for a minute. */
async function list(query = '', choice: FanChoice = {}) {
  const { access_token: token } = await signIn(app, choice);
  const { status, body } = await callFan(app, `/tickets${query}`, token);
  expect(status).toBe(200);
  return FetchTicketsResponse.parse(body).tickets;
}

/** A production fan with a signed-in partner: what it sees. */
async function listInProduction(phone: string, ofPartner?: Awaited<ReturnType<typeof enableProductionClient>>) {
  const tokens = await signInProduction(app, phone, ofPartner);
  const { body } = await callFan(app, '/tickets', tokens.access_token);
  return { tokens, ...FetchTicketsResponse.parse(body) };
}

describe('spec §4.1: GET /tickets', () => {
  it('answers FetchTicketsResponse with exactly the fields of spec §2', async () => {
    const tokens = await signIn(app);
    const { status, headers, body } = await callFan(app, '/tickets', tokens.access_token);
    expect(status).toBe(200);
    expect(FetchTicketsResponse.parse(body).user_id).toBe(app.kit.test_users[0]?.id);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('link')).toBeNull();
  });

  it('lists by event start, then by id, whatever the order of purchase', async () => {
    const fan = testUser(app, 1);
    const start = new Date(app.context().now().getTime() + 60 * 86_400_000);
    const later = await giveTicket(app, fan, { mode: 'sandbox', startsAt: new Date(start.getTime() + 1) });
    const first = await giveTicket(app, fan, { mode: 'sandbox', startsAt: start });
    const second = await giveTicket(app, fan, { mode: 'sandbox', startsAt: start });
    const ids = (await list('', fan)).map((ticket) => ticket.id);
    const expected = [...[first, second].map(({ ticket }) => ticket.id).sort(), later.ticket.id];
    expect(ids.filter((id) => expected.includes(knownId('tkt', id)))).toEqual(expected);
    expect(ids.indexOf(later.ticket.id)).toBe(3);
  });

  it('future: an event counts until it has ended, and not a moment longer', async () => {
    const fan = testUser(app, 1);
    const now = app.context().now().getTime();
    const { ticket } = await giveTicket(app, fan, {
      mode: 'sandbox',
      startsAt: new Date(now - 3_600_000),
      endsAt: new Date(now + 3_600_000),
    });
    const listed = async () => (await list('', fan)).some(({ id }) => id === ticket.id);
    expect(await listed()).toBe(true);
    app.advance(3_590);
    expect(await listed()).toBe(true);
    app.advance(20);
    expect(await listed()).toBe(false);
  });

  it('event_id filters by the service identifier and by the onchain identifier alike', async () => {
    const all = await list();
    const one = all[0];
    if (!one) throw new Error('the starter kit has tickets');
    const expected = all.filter((ticket) => ticket.svc_event_id === one.svc_event_id);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect(await list(`?event_id=${one.svc_event_id}`)).toEqual(expected);
    expect(await list(`?event_id=${one.tix_event_id}`)).toEqual(expected);
  });

  it.each([
    ['an unknown service identifier', 'evt_01jd0000000000000000000000'],
    ['an unknown onchain identifier', '11111111111111111111111111111111'],
    ['an identifier of another kind', 'tkt_01jd0000000000000000000000'],
    ['a text with a NUL', '%00'],
    ['a text that is no UTF-8', '%ff%fe'],
    ['SQL', "'%20or%20true--"],
    ['nothing', ''],
    ['10 kB', 'e'.repeat(10_000)],
    ['an identifier with a space', '%20evt_01jd0000000000000000000000'],
  ])('an event_id that matches nothing (%s) gives an empty list', async (_, eventId) => {
    expect(await list(`?event_id=${eventId}`)).toEqual([]);
  });
});

describe('spec §5.7: what the fan granted', () => {
  it('selected: only the granted tickets, also after the fan has bought more', async () => {
    const all = await list();
    const granted = [all[3]?.id ?? '', all[1]?.id ?? ''];
    const tokens = await signIn(app, { mode: 'selected', ticketIds: granted });
    const { permit } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
    const { body } = await callFan(app, '/tickets', tokens.access_token);
    expect(FetchTicketsResponse.parse(body).tickets.map(({ id }) => id)).toEqual([all[1]?.id, all[3]?.id]);
    const { em } = app.context();
    await em.nativeUpdate(Permit, { id: permit.id }, { revokedAt: new Date() });
  });

  it('all_current_future: a ticket bought after consent is listed', async () => {
    const tokens = await signIn(app);
    const { ticket, permit } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
    const ids = async () => {
      const { body } = await callFan(app, '/tickets', tokens.access_token);
      return FetchTicketsResponse.parse(body).tickets.map(({ id }) => id);
    };
    expect(await ids()).toContain(ticket.id);
    const { em } = app.context();
    await em.nativeUpdate(Permit, { id: permit.id }, { revokedAt: new Date() });
    expect(await ids()).not.toContain(ticket.id);
  });
});

describe('spec §4.1: mode', () => {
  it('sandbox: only tickets whose permit was provisioned for the integration', async () => {
    const fan = testUser(app, 1);
    const { partner } = await enableProductionClient(app);
    const { ticket } = await giveTicket(app, fan, { mode: 'sandbox', partner });
    expect((await list('', fan)).map(({ id }) => id)).not.toContain(ticket.id);
  });

  it('a production token lists the production tickets of its fan, and no test tickets', async () => {
    const fan = await registerFan(app.context(), 'production', PHONE);
    const { ticket, event, ticketType } = await giveTicket(app, fan, { eventName: 'The Real Thing' });
    await giveTicket(app, fan, { mode: 'sandbox' });
    const other = await registerFan(app.context(), 'production', '+12025550143');
    await giveTicket(app, other);
    const { tokens, user_id, tickets } = await listInProduction(PHONE);
    expect(tokens.mode).toBe('production');
    expect(user_id).toBe(fan.id);
    expect(tickets).toEqual([
      {
        id: ticket.id,
        svc_event_id: event.id,
        tix_event_id: event.tixEventId,
        tix_ticket_id: ticket.tixTicketId,
        ticket_type_id: ticketType.id,
        event_name: 'The Real Thing',
        ticket_type_name: 'Standing',
        purchase_date: '2026-01-02T03:04:05.678Z',
      },
    ]);
  });

  it('production: a permit for one partner shows the ticket to that partner only', async () => {
    const fan = await registerFan(app.context(), 'production', '+12025550144');
    const own = await enableProductionClient(app);
    const { ticket } = await giveTicket(app, fan, { partner: own.partner });
    expect((await listInProduction('+12025550144')).tickets).toEqual([]);
    app.advance(60);
    expect((await listInProduction('+12025550144', own)).tickets.map(({ id }) => id)).toEqual([ticket.id]);
  });

  it('the same number is two fans in the two modes, and neither sees the other’s tickets', async () => {
    const phone = app.kit.test_users[0]?.phone ?? '';
    const { user_id, tickets } = await listInProduction(phone);
    expect(user_id).not.toBe(app.kit.test_users[0]?.id);
    expect(tickets).toEqual([]);
  });
});
