import { useSearchParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { type Filter, idFilter, selectFilter } from '../../kit/parts/use-list.tsx';
import { graphql } from '../data/graphql.ts';

const TYPES = graphql(`
  query TicketTypesToFilter($id: ID!) {
    event(id: $id) { id ticketTypes { id name } }
  }
`);

/** One of the ticket types of the event that the address names; without an event, only removable. */
export const TICKET_TYPE_FILTER: Filter = (field) => <TypeField {...field} />;

function TypeField(field: Parameters<Filter>[0]) {
  const [params] = useSearchParams();
  const eventId = params.get('event') ?? '';
  const { data } = useView('ticket-types-to-filter', TYPES, { id: eventId }, { enabled: eventId !== '' });
  const types = data?.event?.id === eventId ? data.event.ticketTypes : undefined;
  const isKnown = field.value === '' || types?.some(({ id }) => id === field.value);
  if (types === undefined || !isKnown) return idFilter('Type')(field);
  return selectFilter(
    'Type',
    types.map(({ id, name }) => ({ value: id, label: name })),
  )(field);
}
