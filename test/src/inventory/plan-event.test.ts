import { describe, expect, it } from 'vitest';
import { NOTHING, NOW, planned, storedTicket, writes } from './plan-stage.ts';
import { eventRow } from './stage.ts';

const MARCH_1 = '2026-03-01T00:00:00Z';
const MARCH_2 = '2026-03-02T00:00:00Z';

describe('the row of an event that is stored', () => {
  it('writes nothing where it says the same, times and version included', () => {
    const { plan } = storedTicket({ event: { updated_at: MARCH_2, time_zone: 'Europe/Berlin' } });
    expect(planned(plan, eventRow('e', { updated_at: MARCH_2, time_zone: 'Europe/Berlin' }))).toBe('unchanged');
    expect(writes(plan)).toEqual(NOTHING);
  });

  it('of the stored version is applied, and an older one is not', () => {
    const { plan, event } = storedTicket({ event: { updated_at: MARCH_2 } });
    expect(planned(plan, eventRow('e', { updated_at: MARCH_1, name: 'Old' }))).toBe('stale');
    expect(writes(plan)).toEqual(NOTHING);
    expect(planned(plan, eventRow('e', { updated_at: MARCH_2, name: 'Mended' }))).toBe('updated');
    expect(event.name).toBe('Mended');
  });

  it('that only has a newer version is unchanged, and its version is kept', () => {
    const { plan, event } = storedTicket({ event: { updated_at: MARCH_1 } });
    expect(planned(plan, eventRow('e', { updated_at: MARCH_2 }))).toBe('unchanged');
    expect(plan.events).toEqual(new Set([event]));
    expect(event.updated_at).toEqual(new Date(MARCH_2));
  });

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
