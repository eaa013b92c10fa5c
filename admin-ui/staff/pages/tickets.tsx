import { IconTicket } from '@tabler/icons-react';
import type { VariablesOf } from 'gql.tada';
import { ListPage } from '../../kit/parts/list.tsx';
import { idFilter, searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { MODE_OPTIONS } from '../../kit/parts/values.tsx';
import { EVENT_FILTER } from '../choosing/find-select.tsx';
import { HowToImport, PERMIT_OPTIONS, permitFilter, TICKET_STATUS_OPTIONS } from '../inventory/states.tsx';
import { ALL_TICKET_COLUMNS, TICKETS } from '../inventory/ticket-rows.tsx';
import { TICKET_TYPE_FILTER } from '../inventory/ticket-type-filter.tsx';

type Variables = Required<VariablesOf<typeof TICKETS>>;

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
    variables: (page, { search, event, type, status, permit, mode, fan }, sort) => {
      const { state, setAside } = permitFilter(permit);
      return {
        ...page,
        sort,
        search,
        eventId: event,
        ticketTypeId: type,
        status: status as Variables['status'],
        permitState: state,
        setAside,
        mode: mode as Variables['mode'],
        fanId: fan,
      };
    },
    connection: ({ tickets }) => tickets,
  });
  return (
    <ListPage
      title="Tickets"
      description="Who holds which ticket. Search by the company’s reference, or by the ID or address of a ticket, permit or wallet."
      list={list}
      href={({ id }) => `/tickets/${id}`}
      columns={ALL_TICKET_COLUMNS}
      emptyIcon={<IconTicket />}
      emptyTitle="No tickets yet"
      emptyText={<HowToImport what="Tickets" />}
    />
  );
}
