import { Alert, Group } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { useParams, useSearchParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { EmptyState } from '../../kit/parts/empty-state.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { findIn } from '../../kit/parts/found.tsx';
import { ModeMark } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { Page } from '../../kit/parts/page.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { type Kit, KitView, STARTER_KITS } from '../sandbox/kit-view.tsx';
import { MakeStarterKit } from '../sandbox/make-starter-kit.tsx';

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
