import { SimpleGrid, Stack } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Copyable } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { inZone } from '../../kit/parts/moment.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { ConfigurationToCopy, type KitConfiguration } from '../../kit/sandbox/kit-configuration.tsx';
import { KitSteps } from '../../kit/sandbox/kit-steps.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf } from '../places.ts';

export const STARTER_KITS = graphql(`
  query StarterKits($clientId: ID!) {
    client(id: $clientId) { id name mode partner { id name } }
    starterKits(clientId: $clientId) {
      id createdAt configuration
      event { id name startsAt timeZone ticketTypes { id name } }
      testUser { id phone code fan { walletAddress } }
    }
  }
`);

export type Kit = ResultOf<typeof STARTER_KITS>['starterKits'][number];

/** A starter kit: what to copy, what is in it, and how to go on. */
export function KitView({ kit }: { kit: Kit }) {
  const configuration = kit.configuration as KitConfiguration;
  return (
    <Stack gap="md">
      <ConfigurationToCopy configuration={configuration} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Contents kit={kit} />
        <KitSteps
          configuration={configuration}
          help={{ title: 'The client’s timeline', href: storyOf(configuration.client_id) }}
        />
      </SimpleGrid>
    </Stack>
  );
}

function Contents({ kit: { testUser, event } }: { kit: Kit }) {
  return (
    <Section title="In the kit">
      <Facts
        of={{
          'Test user': <Copyable text={testUser.phone} label="phone" />,
          'Code (instead of an SMS)': <Copyable text={testUser.code} label="code" />,
          Event: `${event.name}, ${inZone(event.startsAt, event.timeZone)}`,
          'Tickets, one permit each': (
            <ViewLink href={`/permits?fan=${testUser.id}`}>
              {event.ticketTypes.map(({ name }) => name).join(', ')}
            </ViewLink>
          ),
          Fan: <ViewLink href={`/fans/${testUser.id}`}>the test user’s page</ViewLink>,
        }}
      />
    </Section>
  );
}
