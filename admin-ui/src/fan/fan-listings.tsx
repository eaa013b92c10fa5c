import { IconTag } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import { inSol } from './amount.ts';
import { nameOfTicket } from './names.ts';
import { ListingStateMark } from './states.tsx';

const FAN_LISTINGS = graphql(`
  query FanListings($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    fan(id: $id) {
      listings(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes {
          id price outcome marketplace openedAt
          permit { ticket { ticketType { name event { name } } } }
        }
      }
    }
  }
`);

/** Listings of what the fan holds, and of what was listed in the fan's name. */
export function FanListings({ fanId }: { fanId: string }) {
  const list = useList([]);
  const view = useView('fan-listings', FAN_LISTINGS, { id: fanId, ...list.page });
  return (
    <ConnectionTable
      caption="Listings"
      view={view}
      connection={view.data?.fan?.listings}
      list={list}
      rowKey={({ id }) => id}
      href={({ id }) => `/listings/${id}`}
      columns={[
        { header: 'Ticket', cell: ({ permit }) => nameOfTicket(permit.ticket) },
        { header: 'State', cell: ({ outcome }) => <ListingStateMark outcome={outcome} /> },
        { header: 'Price', cell: ({ price }) => inSol(price), numeric: true },
        { header: 'Marketplace', cell: ({ marketplace }) => <IdChip id={marketplace} /> },
        { header: 'Opened', cell: ({ openedAt }) => <Moment at={openedAt} /> },
      ]}
      empty={
        <EmptyState icon={<IconTag />} title="Nothing was listed">
          A listing appears when the chain shows that a ticket of this fan is on sale.
        </EmptyState>
      }
    />
  );
}
