import { TagIcon } from '@heroicons/react/24/outline';
import type { ResultOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage, ListTable, type Table } from '../../kit/parts/list.tsx';
import { ModeMark } from '../../kit/parts/page.tsx';
import { idFilter, searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { IdChip, Moment } from '../../kit/parts/values.tsx';
import { PARTNER_FILTER } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';
import { TakeOffSale } from '../fan/sales.tsx';
import { Holder, inSol, LISTING_STATE_OPTIONS, ListingStateMark, nameOfTicket } from '../fan/tickets.tsx';

const LISTING_ROW = graphql(`
  fragment ListingRow on Listing {
    id price outcome marketplace openedAt closedAt move { id }
    permit { id ticket { id owner { id phone testUser { phone } } ticketType { name event { name mode } } } }
  }
`);

const LISTINGS = graphql(
  `
  query Listings(
    $permitId: ID, $partnerId: ID, $open: Boolean, $outcome: ListingOutcome, $marketplace: String, $sort: AgeSort, ${PAGE.variables}
  ) {
    listings(
      permitId: $permitId, partnerId: $partnerId, open: $open, outcome: $outcome, marketplace: $marketplace, sort: $sort, ${PAGE.args}
    ) {
      ${PAGE.fields} nodes { ...ListingRow }
    }
  }
`,
  [LISTING_ROW],
);

const FAN_LISTINGS = graphql(
  `
  query FanListings($id: ID!, ${PAGE.variables}) {
    fan(id: $id) { listings(${PAGE.args}) { ${PAGE.fields} nodes { ...ListingRow } } }
  }
`,
  [LISTING_ROW],
);

const TABLE = {
  caption: 'Listings',
  href: ({ id }) => `/listings/${id}`,
  columns: {
    Ticket: ({ permit }) => nameOfTicket(permit.ticket),
    Mode: ({ permit }) => <ModeMark mode={permit.ticket.ticketType.event.mode} />,
    State: ({ outcome }) => <ListingStateMark outcome={outcome} />,
    Price: ({ price }) => inSol(price),
    'Current holder': ({ permit }) => <Holder of={permit.ticket.owner} />,
    Marketplace: ({ marketplace }) => <IdChip id={marketplace} />,
    Opened: ({ openedAt }) => <Moment at={openedAt} />,
    Closed: ({ closedAt }) => (closedAt === null ? 'still open' : <Moment at={closedAt} />),
  },
  numeric: ['Price'],
  emptyIcon: <TagIcon />,
  emptyTitle: 'No listings yet',
  emptyText: (
    <>
      When a partner gets a co-signature (POST /authorizations) and sends the transaction, the listing appears here
      within 2 seconds. A listing that ends sooner, as in <code>npm run demo</code>, appears only in the audit log.
    </>
  ),
} satisfies Table<ResultOf<typeof LISTING_ROW>>;

const OUTCOMES = ['SOLD', 'CANCELLED'] as const;

/** Tickets on sale, and those that were, as read from the chain. */
export function ListingsPage() {
  const list = useList({
    document: LISTINGS,
    filters: {
      marketplace: searchFilter('Search listings', 'Full marketplace address'),
      partner: PARTNER_FILTER,
      state: selectFilter('State', LISTING_STATE_OPTIONS),
      permit: idFilter('Permit'),
    },
    sorts: { Opened: 'CREATED' },
    variables: ({ partner, state, permit }) => ({
      partnerId: partner,
      permitId: permit,
      open: state === 'OPEN' ? true : null,
      outcome: OUTCOMES.find((outcome) => outcome === state) ?? null,
    }),
  });
  return (
    <ListPage
      title="Listings"
      description="Tickets that are or were for sale on marketplaces, as recorded onchain."
      list={list}
      {...TABLE}
      without={['Closed']}
    />
  );
}

/** Listings of what a fan holds, and of what was listed in the fan's name. */
export function FanListings({ fanId }: { fanId: string }) {
  const list = useList({
    document: FAN_LISTINGS,
    of: { id: fanId },
    connection: ({ fan }) => fan?.listings,
  });
  const columns: Table<ResultOf<typeof LISTING_ROW>>['columns'] = {
    ...TABLE.columns,
    Change: ({ permit, closedAt, move }) => (
      <TakeOffSale
        size="compact-sm"
        ticketId={permit.ticket.id}
        sale={closedAt === null ? { move } : null}
        about={nameOfTicket(permit.ticket)}
      />
    ),
  };
  return <ListTable {...TABLE} columns={columns} list={list} without={['Mode', 'Current holder', 'Closed']} />;
}

/** When and for how much a ticket was on sale. */
export function PermitListings({ permitId }: { permitId: string }) {
  const list = useList({ document: LISTINGS, of: { permitId } });
  return <ListTable {...TABLE} list={list} without={['Ticket', 'Mode', 'Current holder']} />;
}
