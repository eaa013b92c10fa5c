import { IconTag } from '@tabler/icons-react';
import { PartnerFilter } from '../choosing/partner-filter.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { inSol } from '../fan/amount.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { LISTING_STATE_OPTIONS, ListingStateMark } from '../fan/states.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, IdFilter, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';

const LISTINGS = graphql(`
  query Listings(
    $permitId: ID, $partnerId: ID, $open: Boolean, $outcome: ListingOutcome, $marketplace: String
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    listings(
      permitId: $permitId, partnerId: $partnerId, open: $open, outcome: $outcome, marketplace: $marketplace
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id price outcome marketplace openedAt closedAt
        permit {
          id
          ticket { owner { id phone testUser { phone } } ticketType { name event { name mode } } }
        }
      }
    }
  }
`);

/** Tickets on sale, and those that were, as the chain tells. */
export function ListingsPage() {
  const list = useList(['marketplace', 'partner', 'state', 'permit']);
  const { marketplace, partner, state, permit } = list.filters;
  const view = useView('listings', LISTINGS, {
    ...list.page,
    marketplace,
    partnerId: partner === '' ? null : partner,
    permitId: permit === '' ? null : permit,
    open: state === 'OPEN' ? true : null,
    outcome: state === 'SOLD' || state === 'CANCELLED' ? state : null,
  });
  return (
    <Page
      title="Listings"
      description="Tickets on sale in marketplaces, and those that were. What stands here is what the chain shows."
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search listings"
          placeholder="A marketplace’s whole address"
          value={marketplace}
          onChange={(next) => list.filter({ marketplace: next })}
        />
        <PartnerFilter value={partner} onChange={(next) => list.filter({ partner: next })} />
        <FilterSelect
          label="State"
          value={state}
          options={LISTING_STATE_OPTIONS}
          onChange={(next) => list.filter({ state: next })}
        />
        <IdFilter label="Permit" id={permit} onRemove={() => list.filter({ permit: '' })} />
      </ListToolbar>
      <ConnectionTable
        caption="Listings"
        view={view}
        connection={view.data?.listings}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/listings/${id}`}
        columns={[
          { header: 'Ticket', cell: (listing) => nameOfTicket(listing.permit.ticket) },
          { header: 'Mode', cell: (listing) => <ModeMark mode={listing.permit.ticket.ticketType.event.mode} /> },
          { header: 'State', cell: ({ outcome }) => <ListingStateMark outcome={outcome} /> },
          { header: 'Price', cell: ({ price }) => inSol(price), numeric: true },
          { header: 'Holder now', cell: (listing) => <Holder of={listing.permit.ticket.owner} /> },
          { header: 'Marketplace', cell: (listing) => <IdChip id={listing.marketplace} /> },
          { header: 'Opened', cell: ({ openedAt }) => <Moment at={openedAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconTag />} title="No listing yet">
            A partner asks for a co-signature (POST /authorizations) and sends the transaction to the chain, which is
            read every two seconds. A listing that ends sooner, as in <code>npm run demo</code>, is in the audit log
            only.
          </EmptyState>
        }
      />
    </Page>
  );
}
