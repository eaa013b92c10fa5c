import { expect, test } from 'vitest';
import { groupTickets } from '../../../../adapters/fan-pages/page-kit/tickets/group-tickets.ts';
import { searchGroups } from '../../../../adapters/fan-pages/page-kit/tickets/search-groups.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';

const ticket = (id: string, eventName: string, ticketTypeName: string, venue: string | null) => ({
  id: id as Id<'tkt'>,
  eventName,
  ticketTypeName,
  venue,
  startsAt: '2027-01-09T19:00:00Z',
  timeZone: 'UTC',
});
const groups = groupTickets([
  ticket('a', 'Café Müller', 'Floor', 'Opéra'),
  ticket('b', 'Café Müller', 'Balcony', 'Opéra'),
  ticket('c', 'Café Müller', 'Floor', 'Opéra'),
  ticket('d', 'City Derby', 'North stand', null),
]);
const find = (query: string) => searchGroups(groups, query, 'en').map((group) => group.rows.map((row) => row.id));

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
  const [group] = searchGroups(groups, 'floor', 'en');
  expect(group?.rows.at(-1)).toMatchObject({ id: 'c', position: 2, ofType: 2 });
});
