import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/platform/identifier/type-id.ts';
import { NOTHING, NOW, newFan, PHONE, planned, storedTicket, writes } from './plan-stage.ts';
import { eventRow, ticketRow, typeRow } from './stage.ts';

const MARCH_1 = '2026-03-01T00:00:00Z';
const MARCH_2 = '2026-03-02T00:00:00Z';
const SOMEBODY = '+12025550102';
type Row = (changes?: object) => object;

describe.each<['event' | 'type' | 'ticket', row: Row, changes: object]>([
  ['event', (changes) => eventRow('e', { time_zone: 'Europe/Berlin', ...changes }), { name: 'Mended' }],
  ['type', (changes) => typeRow('e', 't', changes), { name: 'Mended' }],
  ['ticket', (changes) => ticketRow('e', 't', 'k', { purchased_at: MARCH_1, ...changes }), { status: 'void' }],
])('the row of the %s that is stored', (thing, row, changes) => {
  function stored(updated_at: string) {
    const { plan, stored, ...made } = storedTicket({ [thing]: row({ updated_at }) });
    return { plan, state: { ...made, type: stored.types[0] }[thing] };
  }

  it('writes nothing where it says the same, its version included', () => {
    const { plan } = stored(MARCH_2);
    expect(planned(plan, row({ updated_at: MARCH_2 }))).toBe('unchanged');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('of the stored version is applied, and an older one is not', () => {
    const { plan, state } = stored(MARCH_2);
    expect(planned(plan, row({ updated_at: MARCH_1, ...changes }))).toBe('stale');
    expect(writes(plan)).toEqual(NOTHING);
    expect(planned(plan, row({ updated_at: MARCH_2, ...changes }))).toBe('updated');
    expect(state).toMatchObject(changes);
  });

  it('that only has a newer version is unchanged, and its version is kept', () => {
    const { plan, state } = stored(MARCH_1);
    expect(planned(plan, row({ updated_at: MARCH_2 }))).toBe('unchanged');
    expect(state?.updated_at).toEqual(new Date(MARCH_2));
    expect(writes(plan)).toEqual({ ...NOTHING, things: 1 });
  });
});

describe('the row of an event', () => {
  it('leaves a cancelled event cancelled where it names no status or the same', () => {
    const { plan, event } = storedTicket({ event: { status: 'cancelled' } });
    event.cancelled_at = new Date(0);
    for (const row of [eventRow('e'), eventRow('e', { status: 'cancelled' })])
      expect(planned(plan, row)).toBe('unchanged');
    expect(event.cancelled_at).toEqual(new Date(0));
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('cancels it once and reinstates it once', () => {
    const { plan, event } = storedTicket();
    expect(planned(plan, eventRow('e', { status: 'scheduled' }))).toBe('unchanged');
    expect(planned(plan, eventRow('e', { status: 'cancelled' }))).toBe('updated');
    expect(event).toMatchObject({ cancelled_at: NOW, permits_due: true });
    expect(planned(plan, eventRow('e', { status: 'scheduled' }))).toBe('updated');
    expect(event.cancelled_at).toBeNull();
    expect(writes(plan).effects).toEqual(['event.cancelled', 'event.reinstated']);
  });
});

describe('a row of an event that is closed onchain', () => {
  const OVER = { starts_at: '2026-02-01T18:00:00Z', ends_at: '2026-02-01T22:00:00Z' };
  function closed(rows: Parameters<typeof storedTicket>[0] = {}) {
    const made = storedTicket({ ...rows, event: { ...OVER, ...rows.event } });
    made.event.closed = true;
    return made;
  }

  it('is refused where it needs the chain, and writes nothing', () => {
    const { plan, ticket, stored } = closed({ ticket: { status: 'void' }, event: { status: 'cancelled' } });
    stored.fans.byPhone.set(SOMEBODY, newFan());
    expect(planned(plan, eventRow('e'))).toBe('event_closed ends_at');
    expect(planned(plan, eventRow('e', { ...OVER, status: 'scheduled' }))).toBe('event_closed status');
    expect(planned(plan, ticketRow('e', 't', 'new'))).toBe('event_closed event');
    expect(planned(plan, ticketRow('e', 't', 'k', { status: 'valid' }))).toBe('event_closed status');
    for (const issued of [false, true]) {
      ticket.issued = issued;
      expect(planned(plan, ticketRow('e', 't', 'k', { holder_phone: SOMEBODY }))).toBe('event_closed holder_phone');
    }
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('is applied where it does not', () => {
    const { plan } = closed();
    expect(planned(plan, eventRow('e', OVER))).toBe('unchanged');
    expect(planned(plan, eventRow('e', { ...OVER, name: 'Mended' }))).toBe('updated');
    expect(planned(plan, typeRow('e', 't', { name: 'Stalls' }))).toBe('updated');
    expect(planned(plan, ticketRow('e', 't', 'k'))).toBe('unchanged');
    expect(planned(plan, ticketRow('e', 't', 'k', { status: 'refunded' }))).toBe('updated');
  });
});

const named = (holder_phone: string) => ticketRow('e', 't', 'k', { holder_phone });

/** The stored ticket, and a second fan with a number. */
function stage() {
  const made = storedTicket();
  const somebody = newFan();
  made.stored.fans.byPhone.set(SOMEBODY, somebody);
  made.stored.fans.ids.add(somebody);
  return { ...made, somebody };
}

describe('a row that names a holder by another name', () => {
  it('gives the ticket to another fan: at once before it is issued, onchain first after', () => {
    const before = stage();
    expect(planned(before.plan, named(SOMEBODY))).toBe('updated');
    expect(before.ticket.owner_id).toBe(before.somebody);
    expect(before.plan.transfers.get(before.ticket)).toMatchObject({ to: before.somebody, onchain: false });
    const after = stage();
    after.ticket.issued = true;
    expect(planned(after.plan, named(SOMEBODY))).toBe('updated');
    expect(after.ticket).toMatchObject({ owner_id: after.holder, moving: true, named_holder_id: after.somebody });
    expect(after.plan.transfers.get(after.ticket)).toEqual({
      from: after.holder,
      to: after.somebody,
      onchain: true,
    });
    expect(planned(after.plan, named(SOMEBODY))).toBe('unchanged');
    expect(planned(after.plan, named('+12025550103'))).toBe('transfer_under_way holder_phone');
  });

  it('orders no transfer of a ticket that the same batch makes', () => {
    const { plan, stored, somebody } = stage();
    planned(plan, ticketRow('e', 't', 'new'));
    expect(planned(plan, ticketRow('e', 't', 'new', { holder_phone: SOMEBODY }))).toBe('updated');
    expect(stored.tickets.get('new')?.owner_id).toBe(somebody);
    expect(writes(plan).transfers).toBe(0);
  });

  it('who is the same fan moves nothing, also where the fan has sold the ticket since', () => {
    const { plan, ticket, holder, somebody } = stage();
    Object.assign(ticket, { issued: true, owner_id: somebody });
    const byId = { holder_phone: undefined, holder_fan_id: idOf('usr', holder) };
    expect(planned(plan, ticketRow('e', 't', 'k', byId))).toBe('unchanged');
    expect(ticket.owner_id).toBe(somebody);
    expect(writes(plan)).toEqual({ ...NOTHING, things: 1 });
  });

  it('who bought it onchain is taken over, and nothing moves', () => {
    const { plan, ticket, somebody } = stage();
    Object.assign(ticket, { issued: true, owner_id: somebody });
    expect(planned(plan, named(SOMEBODY))).toBe('updated');
    expect(ticket.named_holder_id).toBe(somebody);
    expect(writes(plan)).toEqual({ ...NOTHING, things: 1 });
  });

  it.each([
    ['was sold on', newFan, 'sold_on holder_phone'],
    ['is in a wallet that is not ours', () => null, 'held_elsewhere holder_phone'],
  ])('takes nothing away where the ticket %s', (_, owner, fault) => {
    const { plan, ticket } = stage();
    const owner_id = owner();
    Object.assign(ticket, { issued: true, owner_id });
    expect(planned(plan, named(SOMEBODY))).toBe(fault);
    expect(ticket.owner_id).toBe(owner_id);
    expect(writes(plan)).toEqual(NOTHING);
  });
});

it.each([
  ['gives no ticket to another holder', () => named(SOMEBODY), 'needs_confirmation holder_phone'],
  ['withdraws none', () => ticketRow('e', 't', 'k', { status: 'void' }), 'needs_confirmation status'],
  ['cancels no event', () => eventRow('e', { status: 'cancelled' }), 'needs_confirmation status'],
  ['moves no event to the past', () => eventRow('e', PAST), 'needs_confirmation ends_at'],
  ['changes the rest', () => eventRow('e', { name: 'Another name' }), 'updated'],
])('an import by a person %s', (_, row, end) => {
  const { plan, ticket, holder } = stage();
  plan.keepsHolders = true;
  expect(planned(plan, row())).toBe(end);
  expect(ticket).toMatchObject({ owner_id: holder, named_holder_id: holder, status: 'valid' });
  if (end !== 'updated') expect(writes(plan)).toEqual(NOTHING);
});

const PAST = { starts_at: '2026-05-01T18:00:00Z', ends_at: '2026-05-01T22:00:00Z' };

describe('the row of a ticket type', () => {
  it('may have the reference and the name of a type of another event', () => {
    const { plan, stored } = storedTicket();
    planned(plan, eventRow('other'));
    expect(planned(plan, typeRow('other', 't'))).toBe('created');
    expect(stored.types.map(({ name }) => name)).toEqual(['Type t', 'Type t']);
    expect(new Set(stored.types.map(({ event_id }) => event_id)).size).toBe(2);
  });

  it('takes no name that another type of its event has, and may keep its own', () => {
    const { plan } = storedTicket();
    expect(planned(plan, typeRow('e', 'second'))).toBe('created');
    expect(planned(plan, typeRow('e', 'second', { name: 'Type t' }))).toBe('name_taken name');
    expect(planned(plan, typeRow('e', 't'))).toBe('unchanged');
  });

  it('names an event that exists', () => {
    const { plan } = storedTicket();
    expect(planned(plan, typeRow('nowhere', 't'))).toBe('unknown_event event');
    expect(writes(plan)).toEqual(NOTHING);
  });
});

describe('the row of a ticket that is stored', () => {
  it('moves it to no other event', () => {
    const { plan, event, ticket } = storedTicket();
    planned(plan, eventRow('other'));
    planned(plan, typeRow('other', 't'));
    expect(planned(plan, ticketRow('other', 't', 'k'))).toBe('another_event event');
    expect(ticket.event_id).toBe(event.id);
  });

  it('names an event and a type of it that exist, and makes no fan where it does not', () => {
    const { plan } = storedTicket();
    const holder = { holder_phone: SOMEBODY };
    expect(planned(plan, ticketRow('nowhere', 't', 'k', holder))).toBe('unknown_event event');
    expect(planned(plan, ticketRow('e', 'nothing', 'k', holder))).toBe('unknown_ticket_type ticket_type');
    expect(writes(plan)).toEqual(NOTHING);
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

describe('a ticket that was used', () => {
  const used = (changes: object = {}) => ticketRow('e', 't', 'k', { status: 'used', ...changes });

  it('is withdrawn once, with the time of the scan or of the call', () => {
    const { plan, ticket } = storedTicket();
    expect(planned(plan, used())).toBe('updated');
    expect(ticket).toMatchObject({ status: 'used', used_at: NOW, revoked_at: NOW });
    expect(planned(plan, used())).toBe('unchanged');
    expect(planned(plan, used({ used_at: MARCH_1 }))).toBe('updated');
    expect(ticket.used_at).toEqual(new Date(MARCH_1));
    expect(writes(plan)).toMatchObject({ withdrawn: 1, effects: ['ticket.withdrawn'] });
  });

  it('is taken back by a row that it is valid', () => {
    const { plan, ticket } = storedTicket({ ticket: { status: 'used', used_at: MARCH_1 } });
    expect(ticket.used_at).toEqual(new Date(MARCH_1));
    expect(planned(plan, ticketRow('e', 't', 'k', { status: 'valid' }))).toBe('updated');
    expect(ticket).toMatchObject({ status: 'valid', used_at: null, revoked_at: null });
  });

  it('is used whoever has it by now, so that the company sees that it was sold', () => {
    const { plan, ticket } = storedTicket();
    ticket.owner_id = newFan();
    expect(planned(plan, used())).toBe('updated');
  });

  it('has a time only with that status', () => {
    const { plan } = storedTicket();
    expect(() => planned(plan, ticketRow('e', 't', 'k', { used_at: MARCH_1 }))).toThrow(
      'used_at is only for a row with the status used.',
    );
  });
});

describe.each(['refunded', 'void'] as const)('a row that sets %s', (status) => {
  it('takes nothing from the buyer where it names the seller, and says so', () => {
    const { plan, ticket } = storedTicket();
    ticket.owner_id = newFan();
    expect(planned(plan, ticketRow('e', 't', 'k', { status }))).toBe('sold_on holder_phone');
    expect(ticket.status).toBe('valid');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('takes nothing from the buyer while a listing of theirs is closed, or a transfer that came too late is under way', () => {
    const { plan, ticket } = storedTicket();
    Object.assign(ticket, { owner_id: newFan(), issued: true, moving: true });
    expect(planned(plan, ticketRow('e', 't', 'k', { status }))).toBe('sold_on holder_phone');
    expect(ticket.status).toBe('valid');
  });

  it('applies to a fan to whom the company is moving the ticket', () => {
    const { plan, ticket } = storedTicket();
    Object.assign(ticket, { issued: true, moving: true, moving_to: ticket.owner_id, owner_id: newFan() });
    expect(planned(plan, ticketRow('e', 't', 'k', { status }))).toBe('updated');
  });

  it('means the ticket, whoever has it, where it names nobody, or the present holder', () => {
    for (const changes of [{ holder_phone: undefined }, {}]) {
      const { plan, ticket } = storedTicket();
      if ('holder_phone' in changes) ticket.owner_id = newFan();
      expect(planned(plan, ticketRow('e', 't', 'k', { status, ...changes }))).toBe('updated');
      expect(ticket.status).toBe(status);
    }
  });
});

it('the name of a seat is kept, changed and removed by rows, and shows no invisible characters', () => {
  const { plan, ticket } = storedTicket({ ticket: { label: 'Row 4, seat 7' } });
  expect(planned(plan, ticketRow('e', 't', 'k'))).toBe('unchanged');
  expect(ticket.label).toBe('Row 4, seat 7');
  expect(planned(plan, ticketRow('e', 't', 'k', { label: 'Row 5, seat 1' }))).toBe('updated');
  expect(planned(plan, ticketRow('e', 't', 'k', { label: null }))).toBe('updated');
  expect(ticket.label).toBeNull();
  for (const label of ['', 'x'.repeat(81), 'Row\u200b4'])
    expect(() => planned(plan, ticketRow('e', 't', 'k', { label }))).toThrow('label');
});
