import { describe, expect, it } from 'vitest';
import { Wallet } from '../../../src/entities/wallet.ts';
import { rows } from '../../support/chain-app.ts';
import { testApp } from '../../support/test-app.ts';
import {
  apply,
  eventRow,
  newEvent,
  outcomes,
  PRODUCTION_PROGRAM_ID,
  signInProduction,
  ticketRow,
  ticketsSeen,
} from './stage.ts';

const app = await testApp({ env: { PRODUCTION_PROGRAM_ID, ACCESS_TOKEN_TTL: '3600' } });

let numbers = 200;
function newPhone(): string {
  numbers += 1;
  return `+1202555${String(numbers).padStart(4, '0')}`;
}

describe('a holder who has never signed in', () => {
  it('sees the tickets at the first sign-in, with the wallet that was made by the import', async () => {
    const { event, type, rows: before } = newEvent();
    const holder_phone = newPhone();
    await apply(app, [...before, ticketRow(event, type, 'unseen', { holder_phone })]);
    const wallets = await rows<{ address: string }>(
      app,
      'select w.address from wallet w join fan f on f.id = w.fan_id where f.phone = $1',
      [holder_phone],
    );
    expect(wallets).toHaveLength(1);
    expect(await ticketsSeen(app, await signInProduction(app, holder_phone))).toEqual([`Event ${event}`]);
    const { em } = app.context();
    expect(await em.count(Wallet, { fan: { phone: holder_phone } })).toBe(1);
  });

  it('finds a ticket that comes in after the sign-in, too', async () => {
    const { event, type, rows: before } = newEvent();
    const holder_phone = newPhone();
    await apply(app, before);
    const tokens = await signInProduction(app, holder_phone);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
    await apply(app, [ticketRow(event, type, 'late', { holder_phone })]);
    expect(await ticketsSeen(app, tokens)).toEqual([`Event ${event}`]);
  });
});

describe('what the company changes shows with the next call', () => {
  it.each(['refunded', 'void'])('a ticket that is %s is hidden, and comes back with status valid', async (status) => {
    const { event, type, rows: before } = newEvent();
    const ticket = ticketRow(event, type, `seen-${status}`, { holder_phone: newPhone() });
    await apply(app, [...before, ticket]);
    const tokens = await signInProduction(app, ticket.holder_phone);
    expect(await outcomes(app, [{ ...ticket, status }])).toEqual(['updated']);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
    expect(await outcomes(app, [ticket])).toEqual(['unchanged']);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
    expect(await outcomes(app, [{ ...ticket, status: 'valid' }])).toEqual(['updated']);
    expect(await ticketsSeen(app, tokens)).toEqual([`Event ${event}`]);
  });

  it('tickets of a cancelled event are hidden at once, also new ones, until it is reinstated', async () => {
    const { event, type, rows: before } = newEvent();
    const holder_phone = newPhone();
    await apply(app, [...before, ticketRow(event, type, 'cancelled-1', { holder_phone })]);
    const tokens = await signInProduction(app, holder_phone);
    await apply(app, [
      eventRow(event, { status: 'cancelled' }),
      ticketRow(event, type, 'cancelled-2', { holder_phone }),
    ]);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
    await apply(app, [eventRow(event)]);
    expect(await ticketsSeen(app, tokens)).toEqual([]);
  });

  it('a moved event is listed by its new time, and an ended one no longer', async () => {
    const first = newEvent();
    const second = newEvent({ starts_at: '2030-05-02T18:00:00Z', ends_at: '2030-05-02T20:00:00Z' });
    const holder_phone = newPhone();
    const tickets = [first, second].map(({ event, type }) =>
      ticketRow(event, type, `moved-${event}`, { holder_phone }),
    );
    await apply(app, [...first.rows, ...second.rows, ...tickets]);
    const tokens = await signInProduction(app, holder_phone);
    expect(await ticketsSeen(app, tokens)).toEqual([`Event ${first.event}`, `Event ${second.event}`]);
    const later = { starts_at: '2030-05-03T18:00:00Z', ends_at: '2030-05-03T20:00:00Z', name: 'Later' };
    await apply(app, [eventRow(first.event, later)]);
    expect(await ticketsSeen(app, tokens)).toEqual([`Event ${second.event}`, 'Later']);
    await apply(app, [eventRow(second.event, { starts_at: '2025-05-02T18:00:00Z', ends_at: '2025-05-02T20:00:00Z' })]);
    expect(await ticketsSeen(app, tokens)).toEqual(['Later']);
  });

  it('a ticket that is not issued yet goes to its new holder at once, and leaves the grant of the one before', async () => {
    const { event, type, rows: before } = newEvent();
    const ticket = ticketRow(event, type, 'given', { holder_phone: newPhone() });
    const other = ticketRow(event, type, 'kept', { holder_phone: ticket.holder_phone });
    await apply(app, [...before, ticket, other]);
    const ids = await rows<{ id: string }>(app, `select id from ticket where reference in ('given', 'kept')`);
    const from = await signInProduction(app, ticket.holder_phone);
    await app.runtime.pool.query(
      `update consent_grant set mode = 'selected', ticket_ids = $1 where fan_id = (select id from fan where phone = $2)`,
      [ids.map(({ id }) => id), ticket.holder_phone],
    );
    expect(await ticketsSeen(app, from)).toHaveLength(2);
    const to = newPhone();
    expect(await outcomes(app, [{ ...ticket, holder_phone: to }])).toEqual(['updated']);
    expect(await ticketsSeen(app, from)).toHaveLength(1);
    expect(await ticketsSeen(app, await signInProduction(app, to))).toEqual([`Event ${event}`]);
    const narrowed = await rows(
      app,
      `select details->>'reason' as reason from audit_entry where action = 'grant.narrowed'`,
    );
    expect(narrowed).toEqual([{ reason: 'ticket_moved' }]);
    expect(await outcomes(app, [{ ...ticket, holder_phone: to }])).toEqual(['unchanged']);
  });
});
