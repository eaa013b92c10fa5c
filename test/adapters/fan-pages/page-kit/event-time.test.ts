import { expect, test } from 'vitest';
import { eventTime } from '../../../../adapters/fan-pages/page-kit/tickets/event-time.ts';

const at = (startsAt: string, timeZone: string) => ({ startsAt, timeZone });

test('an event’s time is the one of its venue, and names the zone', () => {
  expect(eventTime(at('2026-12-05T19:00:00Z', 'Europe/Berlin'), 'en-GB')).toBe('Sat, 5 Dec 2026, 20:00 CET');
  expect(eventTime(at('2026-07-05T18:00:00Z', 'Europe/Berlin'), 'en-GB')).toBe('Sun, 5 Jul 2026, 20:00 CEST');
  expect(eventTime(at('2026-12-05T19:00:00Z', 'UTC'), 'en-GB')).toBe('Sat, 5 Dec 2026, 19:00 UTC');
});

test.each([
  ['en-US', 'Europe/Berlin', 'CET'],
  ['de', 'Europe/Berlin', 'MEZ'],
  ['ja', 'America/New_York', 'EST'],
  ['fr', 'Europe/London', 'GMT'],
  ['es', 'Asia/Tokyo', 'JST'],
  ['en', 'Asia/Kathmandu', 'GMT+5:45'],
])('in %s, %s is called %s', (locale, timeZone, name) => {
  expect(eventTime(at('2026-12-05T19:00:00Z', timeZone), locale).endsWith(` ${name}`)).toBe(true);
});

test('a zone that the browser does not know is shown in UTC, and says so', () => {
  expect(eventTime(at('2026-12-05T19:00:00Z', 'Mars/Olympus'), 'en-GB')).toBe('Sat, 5 Dec 2026, 19:00 UTC');
});
