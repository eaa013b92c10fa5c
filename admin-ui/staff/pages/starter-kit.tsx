import { ViewLink } from '../../kit/parts/page.tsx';
import { StarterKitPage as StarterKits } from '../../kit/sandbox/starter-kit-page.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf } from '../places.ts';

const STARTER_KITS = graphql(`
  query StarterKits($clientId: ID!) {
    client(id: $clientId) { id name mode partner { id name } }
    starterKits(clientId: $clientId) {
      id createdAt configuration
      event { id name startsAt timeZone ticketTypes { id name } }
      testUser { id }
    }
  }
`);

/** The starter kits of a partner's client. */
export function StarterKitPage() {
  return (
    <StarterKits
      document={STARTER_KITS}
      description="A test user with a code, a test event and a permit for each of its 3 ticket types: everything a developer needs to sign in and list tickets."
      insteadOf={({ partner }) => `Starter kits are test data. Register a sandbox client for ${partner.name} first.`}
      emptyText={({ partner }) =>
        `The test user will belong to ${partner.name} and can also sign in to its other sandbox clients.`
      }
      permitsHref={({ testUser }) => `/permits?fan=${testUser.id}`}
      facts={({ testUser }) => ({ Fan: <ViewLink href={`/fans/${testUser.id}`}>the test user’s page</ViewLink> })}
      help={(clientId) => ({ title: 'The client’s timeline', href: storyOf(clientId) })}
    />
  );
}
