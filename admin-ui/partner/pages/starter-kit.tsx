import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useParams, useSearchParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { EmptyState, FailureAlert, findIn } from '../../kit/parts/instead.tsx';
import { Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Copyable, Facts, inZone, ModeMark, Moment } from '../../kit/parts/values.tsx';
import { ConfigurationToCopy, type KitConfiguration, KitSteps } from '../../kit/sandbox/starter-kit.tsx';
import { MakeStarterKit } from '../client/make-starter-kit.tsx';
import { graphql } from '../data/graphql.ts';

const STARTER_KITS = graphql(`
  query StarterKits($clientId: ID!) {
    client(id: $clientId) { id name mode }
    starterKits(clientId: $clientId) {
      id createdAt configuration
      event { id name startsAt timeZone ticketTypes { id name } }
    }
  }
`);

type Kit = ResultOf<typeof STARTER_KITS>['starterKits'][number];

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
  const another = (
    <MakeStarterKit clientId={client.id} variant="default">
      Create another
    </MakeStarterKit>
  );
  return (
    <Page
      title="Starter kit"
      above={[
        { title: 'Clients', href: '/clients' },
        { title: client.name, href: `/clients/${client.id}` },
      ]}
      marks={<ModeMark mode={client.mode} />}
      description="A test user with a code, a test event and a permit for each of its 3 ticket types: everything you need to sign in and list tickets."
      {...(sandbox && kit && { actions: another })}
    >
      <FailureAlert failure={view.error} title="The starter kits could not be updated" retry={view.refetch} />
      {!sandbox && (
        <Alert variant="light" color="gray" title="Production has no starter kits">
          Starter kits are test data. Register a sandbox client first.
        </Alert>
      )}
      {kit && <KitInFull kit={kit} />}
      {sandbox && !kit && (
        <Section title="No starter kit yet">
          <EmptyState
            icon={<IconPackage />}
            title={`${client.name} has no starter kit`}
            actions={<MakeStarterKit clientId={client.id} />}
          >
            The test user can also sign in to your other sandbox clients.
          </EmptyState>
        </Section>
      )}
      {starterKits.length > 1 && <OtherKits clientId={client.id} kits={starterKits} shown={kit} />}
    </Page>
  );
}

function KitInFull({ kit: { event, configuration } }: { kit: Kit }) {
  const settings = configuration as KitConfiguration;
  const [user] = settings.test_users;
  return (
    <Stack gap="md">
      <ConfigurationToCopy configuration={settings} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Section title="In the kit">
          <Facts
            of={{
              'Test user': user && <Copyable text={user.phone} label="phone" />,
              'Code (instead of an SMS)': user && <Copyable text={user.code} label="code" />,
              Event: `${event.name}, ${inZone(event.startsAt, event.timeZone)}`,
              'Tickets, one permit each': (
                <ViewLink href={`/permits?event=${event.id}`}>
                  {event.ticketTypes.map(({ name }) => name).join(', ')}
                </ViewLink>
              ),
            }}
          />
        </Section>
        <KitSteps
          configuration={settings}
          help={{ title: 'The client’s requests', href: `/requests?client=${settings.client_id}` }}
        />
      </SimpleGrid>
    </Stack>
  );
}

function OtherKits({ clientId, kits, shown }: { clientId: string; kits: readonly Kit[]; shown: Kit | undefined }) {
  return (
    <Section title="Other starter kits of this client">
      <ul className="plain-list">
        {kits
          .filter(({ id }) => id !== shown?.id)
          .map(({ id, createdAt, configuration }) => (
            <Group key={id} component="li" justify="space-between" wrap="nowrap" gap="sm">
              <ViewLink href={`/clients/${clientId}/starter-kit?kit=${id}`} size="sm">
                {(configuration as KitConfiguration).test_users[0]?.phone ?? 'Starter kit'}
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
