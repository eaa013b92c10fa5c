import { CubeIcon } from '@heroicons/react/24/outline';
import { Alert, Group, SimpleGrid, Stack } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import type { ReactNode } from 'react';
import { useParams, useSearchParams } from 'wouter';
import { useView } from '../data/view.ts';
import { EmptyState, FailureAlert, findIn } from '../parts/instead.tsx';
import { Page, Section, ViewLink } from '../parts/page.tsx';
import { Copyable } from '../parts/text.tsx';
import { Facts, inZone, Moment } from '../parts/values.tsx';
import { ConfigurationToCopy, type KitConfiguration, KitSteps, MakeStarterKit } from './starter-kit.tsx';

interface KitClient {
  id: string;
  name: string;
  mode: 'SANDBOX' | 'PRODUCTION';
}

interface Kit {
  id: string;
  createdAt: string;
  configuration: unknown;
  event: { id: string; name: string; startsAt: string; timeZone: string; ticketTypes: readonly { name: string }[] };
}

interface StarterKitPageProps<Client, OfClient> {
  document: TadaDocumentNode<{ client: Client | null; starterKits: readonly OfClient[] }, { clientId: string }>;
  description: string;
  /** What a client of production needs instead. */
  insteadOf: (client: Client) => string;
  /** Who can use the test user of a kit that is made. */
  emptyText: (client: Client) => string;
  permitsHref: (kit: OfClient) => string;
  /** Further facts of a kit. */
  facts?: (kit: OfClient) => Record<string, ReactNode>;
  /** Where it shows what happened. */
  help: (clientId: string) => { title: string; href: string };
}

const settingsOf = ({ configuration }: Kit) => configuration as KitConfiguration;

/** The starter kits of a sandbox client; `?kit=` names the one shown in full, by default the newest. */
export function StarterKitPage<Client extends KitClient, OfClient extends Kit>(
  props: StarterKitPageProps<Client, OfClient>,
) {
  const { id: clientId } = useParams<{ id: string }>();
  const [params] = useSearchParams();
  const view = useView('starter-kits', props.document, { clientId });
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
      mode={client.mode}
      description={props.description}
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
          {props.insteadOf(client)}
        </Alert>
      )}
      {kit && <KitInFull kit={kit} {...props} />}
      {sandbox && !kit && (
        <Section title="No starter kit yet">
          <EmptyState
            icon={<CubeIcon />}
            title={`${client.name} has no starter kit`}
            actions={<MakeStarterKit clientId={client.id} />}
          >
            {props.emptyText(client)}
          </EmptyState>
        </Section>
      )}
      {starterKits.length > 1 && (
        <Section title="Other starter kits of this client">
          <ul className="plain-list">
            {starterKits.map((other) => other.id !== kit?.id && <OtherKit key={other.id} kit={other} />)}
          </ul>
        </Section>
      )}
    </Page>
  );
}

function KitInFull<Client, OfClient extends Kit>({
  kit,
  permitsHref,
  facts,
  help,
}: StarterKitPageProps<Client, OfClient> & { kit: OfClient }) {
  const { event } = kit;
  const settings = settingsOf(kit);
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
                <ViewLink href={permitsHref(kit)}>{event.ticketTypes.map(({ name }) => name).join(', ')}</ViewLink>
              ),
              ...facts?.(kit),
            }}
          />
        </Section>
        <KitSteps configuration={settings} help={help(settings.client_id)} />
      </SimpleGrid>
    </Stack>
  );
}

function OtherKit({ kit }: { kit: Kit }) {
  const { client_id: clientId, test_users: users } = settingsOf(kit);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <ViewLink href={`/clients/${clientId}/starter-kit?kit=${kit.id}`} size="sm">
        {users[0]?.phone ?? 'Starter kit'}
      </ViewLink>
      <span className="aside">
        <Moment at={kit.createdAt} />
      </span>
    </Group>
  );
}
