import { useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { TakeOffSale } from '../fan/sales.tsx';
import { Holder, inSol, ListingStateMark, nameOfTicket } from '../fan/tickets.tsx';
import { isNotForResale, resaleOf } from '../inventory/resale.tsx';
import { storyOf } from '../places.ts';

const LISTING = graphql(`
  query Listing($id: ID!) {
    listing(id: $id) {
      id price outcome marketplace openedAt closedAt
      client { id name }
      move { id reason }
      permit {
        id
        ticket { id owner { id phone testUser { phone } } ticketType { name resale event { name mode timeZone resaleUntil } } }
      }
    }
  }
`);

/** A listing ends without anybody doing something here. */
const REFRESH_MS = 5_000;

/** One listing. */
export function ListingPage() {
  const { found: listing, instead } = useNamed('listing', LISTING, (data) => data.listing, {
    refetchInterval: REFRESH_MS,
  });
  if (!listing) return instead;
  const { ticket } = listing.permit;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[{ title: 'Listings', href: '/listings' }]}
      mode={ticket.ticketType.event.mode}
      marks={<ListingStateMark outcome={listing.outcome} />}
      actions={
        <>
          <LinkButton href={storyOf(listing.id)}>Timeline</LinkButton>
          <TakeOffSale ticketId={ticket.id} sale={listing.closedAt === null ? listing : null} />
        </>
      }
    >
      <Section title="Listing">
        <Facts
          of={{
            Price: `${inSol(listing.price)} (${BigInt(listing.price).toLocaleString('en')} lamports)`,
            'Put on sale by': listing.client ? (
              <ViewLink href={`/clients/${listing.client.id}`}>{listing.client.name}</ViewLink>
            ) : (
              'an unknown app'
            ),
            'Being taken off sale': listing.move ? (listing.move.reason ?? 'yes') : undefined,
            Resale: isNotForResale(ticket.ticketType) ? resaleOf(ticket.ticketType) : undefined,
            Opened: <Moment at={listing.openedAt} />,
            Closed: listing.closedAt === null ? 'still open' : <Moment at={listing.closedAt} />,
            'Current holder': <Holder of={ticket.owner} />,
            Permit: <ViewLink href={`/permits/${listing.permit.id}`}>the permit and its other listings</ViewLink>,
            Marketplace: <CopyText text={listing.marketplace} label="marketplace" />,
            'Listing ID': <CopyText text={listing.id} label="listing ID" />,
          }}
        />
      </Section>
    </Page>
  );
}
