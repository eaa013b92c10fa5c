import { IconTransfer } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import { ClaimProgress } from './claim-progress.tsx';
import { nameOfTicket } from './names.ts';

const FAN_CLAIMS = graphql(`
  query FanClaims($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    fan(id: $id) {
      claims(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes {
          id state setAside nextAttemptAt signature updatedAt
          grant { client { name } }
          permit { ticket { ticketType { name event { name } } } }
        }
      }
    }
  }
`);

/** Tickets that the fan claimed by signed transfers. */
export function FanClaims({ fanId }: { fanId: string }) {
  const list = useList([]);
  const view = useView('fan-claims', FAN_CLAIMS, { id: fanId, ...list.page });
  return (
    <ConnectionTable
      caption="Claims"
      view={view}
      connection={view.data?.fan?.claims}
      list={list}
      rowKey={({ id }) => id}
      href={({ id }) => `/claims/${id}`}
      columns={[
        { header: 'Ticket', cell: ({ permit }) => nameOfTicket(permit.ticket) },
        { header: 'State', cell: (claim) => <ClaimProgress claim={claim} /> },
        { header: 'Client', cell: ({ grant }) => grant.client.name },
        { header: 'Signature', cell: ({ signature }) => <IdChip id={signature} /> },
        { header: 'Changed', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
      ]}
      empty={
        <EmptyState icon={<IconTransfer />} title="Nothing was claimed">
          A claim is a transfer of a ticket that a client hands in, signed; it goes to the chain.
        </EmptyState>
      }
    />
  );
}
