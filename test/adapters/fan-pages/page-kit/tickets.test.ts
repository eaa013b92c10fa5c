import compile from 'icu-minify/compile';
import { expect, test } from 'vitest';
import en from '../../../../adapters/fan-pages/page-kit/texts/en.json' with { type: 'json' };
import { formatIn } from '../../../../adapters/fan-pages/page-kit/texts/format-message.ts';
import { eventTime } from '../../../../adapters/fan-pages/page-kit/tickets/event-time.ts';
import {
  countedTypes,
  groupTickets,
  resaleNotes,
  searchGroups,
} from '../../../../adapters/fan-pages/page-kit/tickets/group-tickets.ts';
import { describeResale } from '../../../../adapters/fan-pages/page-kit/tickets/resale.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import type { TicketOption } from '../../../../src/sign-in/consent/ticket-option.ts';

const EVENING = '2027-01-09T19:00:00Z';

const ticket = (
  id: string,
  eventName: string,
  ticketTypeName: string,
  more: Partial<Pick<TicketOption, 'startsAt' | 'venue' | 'resale'>> = {},
): TicketOption => ({
  id: id as Id<'tkt'>,
  eventName,
  ticketTypeName,
  startsAt: EVENING,
  timeZone: 'UTC',
  venue: null,
  resale: null,
  ...more,
});

test('tickets of one event stand together by type, and those of one type are numbered', () => {
  const groups = groupTickets([
    ticket('a', 'Lantern Festival', 'Balcony'),
    ticket('b', 'Lantern Festival', 'Floor'),
    ticket('c', 'Lantern Festival', 'Balcony'),
  ]);
  expect(groups).toHaveLength(1);
  expect(groups[0]?.rows).toEqual([
    { id: 'a', ticketTypeName: 'Balcony', resale: null, position: 1, ofType: 2 },
    { id: 'c', ticketTypeName: 'Balcony', resale: null, position: 2, ofType: 2 },
    { id: 'b', ticketTypeName: 'Floor', resale: null, position: 1, ofType: 1 },
  ]);
});

test('two evenings of one show are two groups, the earlier first', () => {
  const groups = groupTickets([
    ticket('late', 'Lantern Festival', 'Floor', { startsAt: '2027-01-10T19:00:00Z' }),
    ticket('early', 'Lantern Festival', 'Floor'),
  ]);
  expect(groups.map((group) => group.rows.map((row) => row.id))).toEqual([['early'], ['late']]);
});

test('tickets are counted by type: one Standard and one VIP are not two of each', () => {
  const of = (...types: string[]) => types.map((type, index) => ticket(`${index}`, 'Lantern Festival', type));
  const counted = (...types: string[]) => groupTickets(of(...types)).flatMap(({ rows }) => countedTypes(rows));
  expect(counted('Standard', 'VIP')).toEqual(['Standard', 'VIP']);
  expect(counted('VIP', 'Standard', 'VIP')).toEqual(['VIP ×\u00a02', 'Standard']);
});

test('what limits the resale of an event’s tickets is said once for all of them, otherwise with the types', () => {
  const notesOf = (...limits: [type: string, resale?: string][]) => {
    const tickets = limits.map(([type, resale], index) =>
      ticket(`${index}`, 'Lantern Festival', type, resale === undefined ? {} : { resale }),
    );
    return groupTickets(tickets).flatMap(({ rows }) => resaleNotes(rows));
  };
  expect(notesOf(['Floor'], ['VIP'])).toEqual([]);
  expect(notesOf(['Floor', 'never'], ['VIP', 'never'])).toEqual([{ limit: 'never' }]);
  expect(notesOf(['Floor', EVENING], ['VIP', 'never'], ['VIP', 'never'])).toEqual([
    { limit: EVENING, types: ['Floor'] },
    { limit: 'never', types: ['VIP ×\u00a02'] },
  ]);
});

test('the end of resale is read in the time zone of the event', () => {
  const format = (message: string, values: Record<string, string>) => formatIn('en', 'ltr')(compile(message), values);
  const words = { texts: en, locale: 'en-US', format };
  expect(describeResale('2030-12-05T19:00:00Z', 'Europe/Berlin', words)).toBe(
    'Can be resold until Thu, Dec 5, 2030, 8:00 PM CET',
  );
  expect(['never', '2026-01-02T03:04:05Z'].map((limit) => describeResale(limit, 'UTC', words))).toEqual([
    'Can’t be resold',
    'Resale is over',
  ]);
});

const searched = groupTickets([
  ticket('a', 'Café Müller', 'Floor', { venue: 'Opéra' }),
  ticket('b', 'Café Müller', 'Balcony', { venue: 'Opéra' }),
  ticket('c', 'Café Müller', 'Floor', { venue: 'Opéra' }),
  ticket('d', 'City Derby', 'North stand'),
]);
const find = (query: string) => searchGroups(searched, query, 'en').map((group) => group.rows.map((row) => row.id));

test.each([
  ['muller', [['a', 'c', 'b']]],
  ['  OPERA  balc', [['b']]],
  ['derby', [['d']]],
  ['ｎｏｒｔｈ', [['d']]],
  ['', [['a', 'c', 'b'], ['d']]],
  ['muller derby', []],
])('a search for %j finds event, venue and type without regard to accents, case and width', (query, expected) => {
  expect(find(query)).toEqual(expected);
});

test('tickets that a search finds keep their number in the whole list', () => {
  const [group] = searchGroups(searched, 'floor', 'en');
  expect(group?.rows.at(-1)).toMatchObject({ id: 'c', position: 2, ofType: 2 });
});

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
