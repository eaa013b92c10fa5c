import { Group } from '@mantine/core';
import { IconTicket } from '@tabler/icons-react';
import { ListTable } from '../../kit/parts/list.tsx';
import { LinkButton } from '../../kit/parts/page.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { HowToImport } from './states.tsx';
import { EVENT_TICKET_COLUMNS, TICKETS } from './ticket-rows.tsx';

/** The tickets of an event. */
export function EventTickets({ eventId }: { eventId: string }) {
  const list = useList({
    document: TICKETS,
    variables: (page) => ({ ...page, eventId }),
    connection: ({ tickets }) => tickets,
  });
  return (
    <>
      <Group justify="flex-end" mb="xs">
        <LinkButton href={`/tickets?event=${eventId}`} size="xs">
          Search and filter them
        </LinkButton>
      </Group>
      <ListTable
        caption="Tickets"
        list={list}
        href={({ id }) => `/tickets/${id}`}
        columns={EVENT_TICKET_COLUMNS}
        emptyIcon={<IconTicket />}
        emptyTitle="No tickets yet"
        emptyText={<HowToImport what="Tickets" />}
      />
    </>
  );
}
