import { describe, expect, it } from 'vitest';
import { NOTHING, planned, storedTicket, writes } from './plan-stage.ts';
import { eventRow, typeRow } from './stage.ts';

describe('the row of a ticket type', () => {
  it('writes nothing where it says the same', () => {
    const { plan } = storedTicket({ type: { updated_at: '2026-03-02T00:00:00Z' } });
    expect(planned(plan, typeRow('e', 't', { updated_at: '2026-03-02T00:00:00Z' }))).toBe('unchanged');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('is ignored where it is older than what is stored', () => {
    const { plan, stored } = storedTicket({ type: { updated_at: '2026-03-02T00:00:00Z' } });
    expect(planned(plan, typeRow('e', 't', { name: 'Old', updated_at: '2026-03-01T00:00:00Z' }))).toBe('stale');
    expect(stored.types[0]?.name).toBe('Type t');
  });

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
