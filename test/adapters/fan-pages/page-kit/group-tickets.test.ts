import { expect, test } from 'vitest';
import { countedTypes, groupTickets } from '../../../../adapters/fan-pages/page-kit/tickets/group-tickets.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';

const ticket = (id: string, eventName: string, ticketTypeName: string, startsAt: string) => ({
  id: id as Id<'tkt'>,
  eventName,
  ticketTypeName,
  startsAt,
  timeZone: 'UTC',
  venue: null,
});

test('tickets of one event stand together by type, and those of one type are numbered', () => {
  const evening = '2027-01-09T19:00:00Z';
  const groups = groupTickets([
    ticket('a', 'Lantern Festival', 'Balcony', evening),
    ticket('b', 'Lantern Festival', 'Floor', evening),
    ticket('c', 'Lantern Festival', 'Balcony', evening),
  ]);
  expect(groups).toHaveLength(1);
  expect(groups[0]?.rows).toEqual([
    { id: 'a', ticketTypeName: 'Balcony', position: 1, ofType: 2 },
    { id: 'c', ticketTypeName: 'Balcony', position: 2, ofType: 2 },
    { id: 'b', ticketTypeName: 'Floor', position: 1, ofType: 1 },
  ]);
});

test('two evenings of one show are two groups, the earlier first', () => {
  const groups = groupTickets([
    ticket('late', 'Lantern Festival', 'Floor', '2027-01-10T19:00:00Z'),
    ticket('early', 'Lantern Festival', 'Floor', '2027-01-09T19:00:00Z'),
  ]);
  expect(groups.map((group) => group.rows.map((row) => row.id))).toEqual([['early'], ['late']]);
});

test('tickets are counted by type: one Standard and one VIP are not two of each', () => {
  const evening = '2027-01-09T19:00:00Z';
  const of = (...types: string[]) => types.map((type, index) => ticket(`${index}`, 'Lantern Festival', type, evening));
  const counted = (...types: string[]) => groupTickets(of(...types)).flatMap(({ rows }) => countedTypes(rows));
  expect(counted('Standard', 'VIP')).toEqual(['Standard', 'VIP']);
  expect(counted('VIP', 'Standard', 'VIP')).toEqual(['VIP × 2', 'Standard']);
});
