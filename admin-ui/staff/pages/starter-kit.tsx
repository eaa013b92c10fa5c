import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useParams, useSearchParams } from 'wouter';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Copyable, Facts, inZone, ModeMark, Moment } from '../../kit/parts/values.tsx';
import {
  ConfigurationToCopy,
  type KitConfiguration,
  KitSteps,
  StarterKitButton,
} from '../../kit/sandbox/starter-kit.tsx';
import { graphql } from '../data/graphql.ts';
import { storyOf } from '../places.ts';

/** The starter kits of a sandbox client; `?kit=` names the one shown in full, by default the newest. */
export function StarterKitPage() {
  const { id: clientId } = useParams<{ id: string }>();
  const [params] = useSearchParams();
  const view = useView('starter-kits', STARTER_KITS, { clientId });
  const { found, instead } = findIn(
    view,
    'starter kits',
    ({ client, starterKits }) => client && { client, starterKits },
  );
  if (!found) return instead;
  const { client, starterKits } = found;
  const kit = starterKits.find(({ id }) => id === params.get('kit')) ?? starterKits[0];
  const sandbox = client.mode === 'SANDBOX';
  return (
    <Page
      title="Starter kit"
      above={[
        { title: 'Clients', href: '/clients' },
        { title: client.name, href: `/clients/${client.id}` },
      ]}
      marks={<ModeMark mode={client.mode} />}
      description="A test user with a code, a test event and a permit for each of its 3 ticket types: everything a developer needs to sign in and list tickets."
      actions={
        sandbox &&
        kit && (
          <MakeStarterKit clientId={client.id} variant="default">
            Create another
          </MakeStarterKit>
        )
      }
    >
      <FailureAlert failure={view.error} title="The starter kits could not be updated" retry={view.refetch} />
      {!sandbox && (
        <Alert variant="light" color="gray" title="Production has no starter kits">
          Starter kits are test data. Register a sandbox client for {client.partner.name} first.
        </Alert>
      )}
      {kit && <KitView kit={kit} />}
      {sandbox && !kit && (
        <Section title="No starter kit yet">
          <EmptyState
            icon={<IconPackage />}
            title={`${client.name} has no starter kit`}
            actions={<MakeStarterKit clientId={client.id} />}
          >
            The test user will belong to {client.partner.name} and can also sign in to its other sandbox clients.
          </EmptyState>
        </Section>
      )}
      {starterKits.length > 1 && <OtherKits clientId={client.id} kits={starterKits} shown={kit} />}
    </Page>
  );
}

function OtherKits({ clientId, kits, shown }: { clientId: string; kits: readonly Kit[]; shown: Kit | undefined }) {
  return (
    <Section title="Other starter kits of this client">
      <ul className="plain-list">
        {kits
          .filter(({ id }) => id !== shown?.id)
          .map(({ id, testUser, createdAt }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap" gap="sm">
              <ViewLink href={`/clients/${clientId}/starter-kit?kit=${id}`} size="sm">
                {testUser.phone}
              </ViewLink>
              <span className="aside">
                <Moment at={createdAt} />
              </span>
            </Group>
          ))}
      </ul>
    </Section>
  );
}

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
function KitView({ kit }: { kit: Kit }) {
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

const CREATE_STARTER_KIT = graphql(`
  mutation CreateStarterKit($clientId: ID!, $requestKey: String!) {
    createStarterKit(clientId: $clientId, requestKey: $requestKey) { ${REFUSAL} ... on StarterKit { id } }
  }
`);

interface MakeStarterKitProps {
  clientId: string;
  variant?: 'filled' | 'default';
  children?: string;
}

/** Makes a starter kit and opens it. */
export function MakeStarterKit(props: MakeStarterKitProps) {
  return <StarterKitButton create={useChange(CREATE_STARTER_KIT)} {...props} />;
}
