import { IconTicket } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { Moment, toTheMinute } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import { PermitStateMark } from '../sandbox/permit-state.tsx';
import { nameOfTicket } from './names.ts';

const FAN_TICKETS = graphql(`
  query FanTickets($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    fan(id: $id) {
      tickets(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id purchasedAt permit { id state } ticketType { name event { name startsAt } } }
      }
    }
  }
`);

/** What a fan holds now. */
export function FanTickets({ fanId }: { fanId: string }) {
  const list = useList([]);
  const view = useView('fan-tickets', FAN_TICKETS, { id: fanId, ...list.page });
  return (
    <ConnectionTable
      caption="Tickets"
      view={view}
      connection={view.data?.fan?.tickets}
      list={list}
      rowKey={({ id }) => id}
      href={({ id, permit }) => (permit ? `/permits/${permit.id}` : `/timeline?search=${id}`)}
      columns={[
        { header: 'Ticket', cell: (ticket) => nameOfTicket(ticket) },
        { header: 'Permit', cell: ({ permit }) => (permit ? <PermitStateMark state={permit.state} /> : 'none') },
        { header: 'Event starts', cell: ({ ticketType }) => toTheMinute(ticketType.event.startsAt) },
        { header: 'Ticket id', cell: ({ id }) => <IdChip id={id} /> },
        { header: 'Bought', cell: ({ purchasedAt }) => <Moment at={purchasedAt} /> },
      ]}
      empty={
        <EmptyState icon={<IconTicket />} title="No ticket">
          In the sandbox, a permit gives a test user a ticket. In production tickets come from the chain.
        </EmptyState>
      }
    />
  );
}
