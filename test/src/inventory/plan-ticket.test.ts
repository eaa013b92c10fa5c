import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/identifier/type-id.ts';
import { NOTHING, NOW, newFan, PHONE, planned, storedTicket, writes } from './plan-stage.ts';
import { eventRow, ticketRow, typeRow } from './stage.ts';

const MARCH_1 = '2026-03-01T00:00:00Z';
const MARCH_2 = '2026-03-02T00:00:00Z';
const SOMEBODY = '+12025550102';

describe('the row of a ticket that is stored', () => {
  it('writes nothing where it says the same, its version included', () => {
    const facts = { updated_at: MARCH_2, purchased_at: MARCH_1, status: 'valid' };
    const { plan } = storedTicket({ ticket: facts });
    expect(planned(plan, ticketRow('e', 't', 'k', facts))).toBe('unchanged');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('of the stored version is applied, and an older one is not', () => {
    const { plan, ticket } = storedTicket({ ticket: { updated_at: MARCH_2 } });
    expect(planned(plan, ticketRow('e', 't', 'k', { updated_at: MARCH_1, status: 'void' }))).toBe('stale');
    expect(writes(plan)).toEqual(NOTHING);
    expect(planned(plan, ticketRow('e', 't', 'k', { updated_at: MARCH_2, status: 'void' }))).toBe('updated');
    expect(ticket.status).toBe('void');
  });

  it('that only has a newer version is unchanged, and its version is kept', () => {
    const { plan, ticket } = storedTicket({ ticket: { updated_at: MARCH_1 } });
    expect(planned(plan, ticketRow('e', 't', 'k', { updated_at: MARCH_2 }))).toBe('unchanged');
    expect(plan.tickets).toEqual(new Set([ticket]));
  });

  it('moves it to no other event', () => {
    const { plan, event, ticket } = storedTicket();
    planned(plan, eventRow('other'));
    planned(plan, typeRow('other', 't'));
    expect(planned(plan, ticketRow('other', 't', 'k'))).toBe('another_event event');
    expect(ticket.event_id).toBe(event.id);
  });

  it('names an event and a type of it that exist', () => {
    const { plan } = storedTicket();
    expect(planned(plan, ticketRow('nowhere', 't', 'k'))).toBe('unknown_event event');
    expect(planned(plan, ticketRow('e', 'nothing', 'k'))).toBe('unknown_ticket_type ticket_type');
  });

  it('without a holder leaves the holder, and changes the rest', () => {
    const { plan, ticket, holder } = storedTicket();
    expect(planned(plan, ticketRow('e', 't', 'k', { holder_phone: undefined, status: 'void' }))).toBe('updated');
    expect(ticket).toMatchObject({ owner_id: holder, status: 'void' });
    expect(writes(plan)).toMatchObject({ fans: 0, transfers: 0 });
  });

  it('by the number that named the holder looks nobody up: the number may be another’s', () => {
    const { plan, stored, ticket, holder } = storedTicket();
    stored.fans.byPhone.set(PHONE, newFan());
    expect(planned(plan, ticketRow('e', 't', 'k'))).toBe('unchanged');
    stored.fans.byPhone.clear();
    expect(planned(plan, ticketRow('e', 't', 'k'))).toBe('unchanged');
    expect(ticket.owner_id).toBe(holder);
    expect(writes(plan)).toEqual(NOTHING);
  });

  it.each([
    ['moves to the fan who has the number now, where nobody used the account before', false, 'updated'],
    ['stays where somebody used it', true, 'number_changed_hands holder_phone'],
    ['stays where its fan has another number', null, 'unchanged'],
  ])('by the number of a new account: the ticket %s', (_, left_used, outcome) => {
    const { plan, stored, ticket, holder } = storedTicket();
    const now = newFan();
    ticket.left_used = left_used;
    stored.fans.byPhone.set(PHONE, now);
    expect(planned(plan, ticketRow('e', 't', 'k'))).toBe(outcome);
    expect(ticket.owner_id).toBe(outcome === 'updated' ? now : holder);
    expect(plan.vouched.size).toBe(0);
    if (outcome === 'updated') expect(planned(plan, ticketRow('e', 't', 'k'))).toBe('unchanged');
  });

  it('names a fan who exists, and else changes nothing', () => {
    const { plan, ticket, holder } = storedTicket();
    const nobody = { holder_phone: undefined, holder_fan_id: idOf('usr', newFan()) };
    expect(planned(plan, ticketRow('e', 't', 'k', { ...nobody, status: 'void' }))).toBe('unknown_fan holder_fan_id');
    expect(ticket).toMatchObject({ owner_id: holder, status: 'valid' });
    expect(planned(plan, ticketRow('e', 't', 'new', nobody))).toBe('unknown_fan holder_fan_id');
    expect(planned(plan, ticketRow('e', 't', 'new', { holder_phone: undefined }))).toBe('invalid_row holder_phone');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('makes no fan and changes nothing where its holder is refused', () => {
    const { plan, ticket } = storedTicket();
    Object.assign(ticket, { issued: true, moving: true });
    const row = ticketRow('e', 't', 'k', { holder_phone: SOMEBODY, status: 'void' });
    expect(planned(plan, row)).toBe('transfer_under_way holder_phone');
    expect(ticket.status).toBe('valid');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('makes a fan only for a number without one, and one for several rows', () => {
    const { plan, stored } = storedTicket();
    expect(planned(plan, ticketRow('e', 't', 'second'))).toBe('created');
    expect(writes(plan).fans).toBe(0);
    for (const reference of ['third', 'fourth'])
      expect(planned(plan, ticketRow('e', 't', reference, { holder_phone: SOMEBODY }))).toBe('created');
    expect(writes(plan).fans).toBe(1);
    const owners = ['third', 'fourth'].map((reference) => stored.tickets.get(reference)?.owner_id);
    expect(owners).toEqual([plan.newFans.get(SOMEBODY), plan.newFans.get(SOMEBODY)]);
  });
});

describe('the permit of a ticket', () => {
  it('is withdrawn once, at the time of the first row that says so', () => {
    const { plan, ticket } = storedTicket();
    planned(plan, ticketRow('e', 't', 'k', { status: 'refunded' }));
    expect(ticket.revoked_at).toEqual(NOW);
    expect(writes(plan)).toMatchObject({ withdrawn: 1, effects: ['ticket.withdrawn'] });
    ticket.revoked_at = new Date(0);
    expect(planned(plan, ticketRow('e', 't', 'k', { status: 'refunded' }))).toBe('unchanged');
    expect(planned(plan, ticketRow('e', 't', 'k', { status: 'void' }))).toBe('updated');
    expect(ticket.revoked_at).toEqual(new Date(0));
  });

  it('comes back with the ticket, and then is not withdrawn in the same batch', () => {
    const { plan, ticket } = storedTicket();
    planned(plan, ticketRow('e', 't', 'k', { status: 'void' }));
    planned(plan, ticketRow('e', 't', 'k', { status: 'valid' }));
    expect(ticket).toMatchObject({ status: 'valid', revoked_at: null });
    expect(writes(plan)).toMatchObject({ withdrawn: 0, effects: ['ticket.withdrawn', 'ticket.restored'] });
  });

  it('stays withdrawn where the event is cancelled, and is not withdrawn twice', () => {
    const { plan, event, ticket } = storedTicket({ ticket: { status: 'void' } });
    event.cancelled_at = NOW;
    planned(plan, ticketRow('e', 't', 'k', { status: 'valid' }));
    expect(ticket).toMatchObject({ status: 'valid', revoked_at: NOW });
    expect(writes(plan).withdrawn).toBe(0);
  });

  it.each([
    ['a new ticket that does not count', {}, { status: 'void' }],
    ['a new ticket of a cancelled event', { status: 'cancelled' }, {}],
  ])('of %s is withdrawn from the start', (_, event, ticket) => {
    expect(storedTicket({ event, ticket }).ticket.revoked_at).toEqual(NOW);
  });
});
