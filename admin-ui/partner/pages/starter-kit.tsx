import { graphql } from '../../kit/data/graphql.ts';
import { StarterKitPage as StarterKits } from '../../kit/sandbox/starter-kit-page.tsx';

const STARTER_KITS = graphql(`
  query StarterKits($clientId: ID!) {
    client(id: $clientId) { id name mode }
    starterKits(clientId: $clientId) {
      id createdAt configuration
      event { id name startsAt timeZone ticketTypes { id name } }
    }
  }
`);

/** The starter kits of one of the partner's clients. */
export function StarterKitPage() {
  return (
    <StarterKits
      document={STARTER_KITS}
      description="A test user with a code, a test event and a permit for each of its 3 ticket types: everything you need to sign in and list tickets."
      insteadOf={() => 'Starter kits are test data. Register a sandbox client first.'}
      emptyText={() => 'The test user can also sign in to your other sandbox clients.'}
      permitsHref={({ event }) => `/permits?event=${event.id}`}
      help={(clientId) => ({ title: 'The client’s requests', href: `/requests?client=${clientId}` })}
    />
  );
}
