import { useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder, inSol, ListingStateMark, nameOfTicket } from '../fan/tickets.tsx';
import { storyOf } from '../places.ts';

const LISTING = graphql(`
  query Listing($id: ID!) {
    listing(id: $id) {
      id price outcome marketplace openedAt closedAt
      permit {
        id
        ticket { owner { id phone testUser { phone } } ticketType { name event { name mode } } }
      }
    }
  }
`);

/** One listing. */
export function ListingPage() {
  const { found: listing, instead } = useNamed('listing', LISTING, (data) => data.listing);
  if (!listing) return instead;
  const { ticket } = listing.permit;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[{ title: 'Listings', href: '/listings' }]}
      mode={ticket.ticketType.event.mode}
      marks={<ListingStateMark outcome={listing.outcome} />}
      actions={<LinkButton href={storyOf(listing.id)}>Timeline</LinkButton>}
    >
      <Section title="Listing">
        <Facts
          of={{
            Price: `${inSol(listing.price)} (${BigInt(listing.price).toLocaleString('en')} lamports)`,
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
