import { TicketIcon } from '@heroicons/react/24/outline';
import { Group } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useSearchParams } from 'wouter';
import { PAGE, useView } from '../../kit/data/view.ts';
import { ListPage, ListTable, type Table } from '../../kit/parts/list.tsx';
import { LinkButton, ModeMark } from '../../kit/parts/page.tsx';
import { type Filter, idFilter, searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, inZone, MODE_OPTIONS, Moment } from '../../kit/parts/values.tsx';
import { EVENT_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, nameOfTicket } from '../fan/tickets.tsx';
import {
  HowToImport,
  PERMIT_OPTIONS,
  PermitProgress,
  permitFilter,
  TICKET_STATUS_OPTIONS,
  TicketStatusMark,
} from '../inventory/states.tsx';

const TICKETS = graphql(`
  query Tickets(
    $mode: Mode, $eventId: ID, $ticketTypeId: ID, $fanId: ID, $status: TicketStatus, $permitState: PermitState
    $setAside: Boolean, $search: String, $sort: AgeSort, ${PAGE.variables}
  ) {
    tickets(
      mode: $mode, eventId: $eventId, ticketTypeId: $ticketTypeId, fanId: $fanId, status: $status, permitState: $permitState
      setAside: $setAside, search: $search, sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields}
      nodes {
        id reference status purchasedAt
        owner { id phone testUser { phone } }
        permit { id state closedAt waiting { isSetAside reason retryAt } }
        ticketType { id name event { id name mode startsAt timeZone } }
      }
    }
  }
`);

const TABLE = {
  caption: 'Tickets',
  href: ({ id }) => `/tickets/${id}`,
  columns: {
    Ticket: nameOfTicket,
    Mode: ({ ticketType }) => <ModeMark mode={ticketType.event.mode} />,
    Reference: ({ reference, id }) => (
      <span className="breakable" title={id}>
        {reference ?? 'none'}
      </span>
    ),
    Type: ({ ticketType }) => ticketType.name,
    Holder: ({ owner }) => <Holder of={owner} />,
    Status: ({ status }) => <TicketStatusMark state={status} />,
    Permit: ({ permit }) => (permit ? <PermitProgress permit={permit} /> : 'none'),
    'Event starts': ({ ticketType: { event } }) => inZone(event.startsAt, event.timeZone),
    'Ticket ID': ({ id }) => <IdChip id={id} />,
    Bought: ({ purchasedAt }) => <Moment at={purchasedAt} />,
  },
  emptyIcon: <TicketIcon />,
  emptyTitle: 'No tickets yet',
  emptyText: <HowToImport what="Tickets" />,
} satisfies Table<ResultOf<typeof TICKETS>['tickets']['nodes'][number]>;

/** Tickets of both modes. */
export function TicketsPage() {
  const list = useList({
    document: TICKETS,
    filters: {
      search: searchFilter('Search tickets', 'Reference, ID or address'),
      event: EVENT_FILTER,
      type: TICKET_TYPE_FILTER,
      status: selectFilter('Status', TICKET_STATUS_OPTIONS),
      permit: selectFilter('Permit', PERMIT_OPTIONS),
      mode: selectFilter('Mode', MODE_OPTIONS),
      fan: idFilter('Holder'),
    },
    sorts: { Created: 'CREATED' },
    // those that wait for somebody are a queue
    usualSort: ({ permit }) => (permit === 'SET_ASIDE' || permit === 'WAITING' ? 'CREATED' : 'CREATED_DESC'),
    variables: ({ event, type, permit, fan }) => {
      const { state, setAside } = permitFilter(permit);
      return { eventId: event, ticketTypeId: type, permitState: state, setAside, fanId: fan };
    },
  });
  return (
    <ListPage
      title="Tickets"
      description="Who holds which ticket. Search by the company’s reference, or by the ID or address of a ticket, permit or wallet."
      list={list}
      {...TABLE}
      without={['Type', 'Event starts', 'Ticket ID']}
    />
  );
}

/** What a fan holds now. */
export function FanTickets({ fanId }: { fanId: string }) {
  const list = useList({ document: TICKETS, of: { fanId } });
  return <ListTable {...TABLE} list={list} without={['Mode', 'Reference', 'Type', 'Holder', 'Status']} />;
}

/** The tickets of an event. */
export function EventTickets({ eventId }: { eventId: string }) {
  const list = useList({ document: TICKETS, of: { eventId } });
  return (
    <>
      <Group justify="flex-end" mb="xs">
        <LinkButton href={`/tickets?event=${eventId}`} size="xs">
          Search and filter them
        </LinkButton>
      </Group>
      <ListTable
        {...TABLE}
        list={list}
        columns={{
          ...TABLE.columns,
          Reference: ({ reference, id }) => <span className="breakable">{reference ?? id}</span>,
        }}
        without={['Ticket', 'Mode', 'Event starts', 'Ticket ID']}
      />
    </>
  );
}

const TYPES = graphql(`
  query TicketTypesToFilter($id: ID!) {
    event(id: $id) { id ticketTypes { id name } }
  }
`);

/** One of the ticket types of the event that the address names; without an event, only removable. */
const TICKET_TYPE_FILTER: Filter = (field) => <TypeField {...field} />;

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
