import { Anchor, Button } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { inSol } from '../fan/amount.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { ListingStateMark } from '../fan/states.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';
import { NotFoundPage } from './not-found.tsx';

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
  const { id } = useParams<{ id: string }>();
  const view = useView('listing', LISTING, { id });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="The listing could not be read" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const { listing } = view.data;
  if (!listing) return <NotFoundPage />;
  const { ticket } = listing.permit;
  return (
    <Page
      title={nameOfTicket(ticket)}
      above={[{ title: 'Listings', href: '/listings' }]}
      marks={
        <>
          <ModeMark mode={ticket.ticketType.event.mode} />
          <ListingStateMark outcome={listing.outcome} />
        </>
      }
      actions={
        <Button component={Link} href={`/timeline?search=${listing.id}`} variant="default">
          Timeline
        </Button>
      }
    >
      <Section title="Listing">
        <Facts
          of={[
            ['Price', `${inSol(listing.price)} (${BigInt(listing.price).toLocaleString('en')} lamports)`],
            ['Opened', <Moment key="opened" at={listing.openedAt} />],
            ['Closed', listing.closedAt === null ? 'still open' : <Moment key="closed" at={listing.closedAt} />],
            ['Holder now', <Holder key="holder" of={ticket.owner} />],
            [
              'Permit',
              <Anchor key="permit" component={Link} href={`/permits/${listing.permit.id}`} inherit>
                the permit and its other listings
              </Anchor>,
            ],
            ['Marketplace', <CopyText key="market" text={listing.marketplace} label="marketplace" labelled={false} />],
            ['Listing id', <CopyText key="id" text={listing.id} label="listing id" labelled={false} />],
          ]}
        />
      </Section>
    </Page>
  );
}
