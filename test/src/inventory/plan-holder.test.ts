import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/identifier/type-id.ts';
import { NOTHING, newFan, planned, storedTicket, writes } from './plan-stage.ts';
import { eventRow, ticketRow } from './stage.ts';

const SOMEBODY = '+12025550102';
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

describe('an import by a person', () => {
  it.each([
    ['gives no ticket to another holder', () => named(SOMEBODY), 'needs_confirmation holder_phone'],
    ['withdraws none', () => ticketRow('e', 't', 'k', { status: 'void' }), 'needs_confirmation status'],
    ['cancels no event', () => eventRow('e', { status: 'cancelled' }), 'needs_confirmation status'],
    ['moves no event to the past', () => eventRow('e', PAST), 'needs_confirmation ends_at'],
    ['changes the rest', () => eventRow('e', { name: 'Another name' }), 'updated'],
  ])('%s', (_, row, end) => {
    const { plan, ticket, holder } = stage();
    plan.keepsHolders = true;
    expect(planned(plan, row())).toBe(end);
    expect(ticket).toMatchObject({ owner_id: holder, named_holder_id: holder, status: 'valid' });
    if (end !== 'updated') expect(writes(plan)).toEqual(NOTHING);
  });
});

const PAST = { starts_at: '2026-05-01T18:00:00Z', ends_at: '2026-05-01T22:00:00Z' };
