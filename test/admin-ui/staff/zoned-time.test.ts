import { expect, test } from 'vitest';
import { momentIn, timeZones } from '../../../admin-ui/kit/event/zoned-time.ts';

test.each([
  ['UTC', '2026-12-05T20:00', '2026-12-05T20:00:00.000Z'],
  ['Europe/Berlin', '2026-12-05T20:00', '2026-12-05T19:00:00.000Z'],
  ['Europe/Berlin', '2026-07-05T20:00', '2026-07-05T18:00:00.000Z'],
  ['America/New_York', '2026-12-05T20:00', '2026-12-06T01:00:00.000Z'],
  ['Asia/Kathmandu', '2026-12-05T20:00', '2026-12-05T14:15:00.000Z'],
  // the night in which the clocks go forward, before and after
  ['Europe/Berlin', '2027-03-28T01:59', '2027-03-28T00:59:00.000Z'],
  ['Europe/Berlin', '2027-03-28T03:00', '2027-03-28T01:00:00.000Z'],
])('clocks in %s show %s at %s', (timeZone, local, moment) => {
  expect(momentIn(timeZone, local).toISOString()).toBe(moment);
});

test('every zone can be chosen once, UTC too', () => {
  const zones = timeZones();
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones).toContain('UTC');
  expect(zones).toContain('Europe/Berlin');
});
