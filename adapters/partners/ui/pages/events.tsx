import { Stack } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useView } from '../../../../console-kit/data/view.ts';
import { ActionButton } from '../../../../console-kit/parts/action-button.tsx';
import { EmptyState } from '../../../../console-kit/parts/empty-state.tsx';
import { Facts } from '../../../../console-kit/parts/facts.tsx';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { ModeMark } from '../../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { Page } from '../../../../console-kit/parts/page.tsx';
import { Section } from '../../../../console-kit/parts/section.tsx';
import { ViewLink } from '../../../../console-kit/parts/view-link.tsx';
import { ViewLoading } from '../../../../console-kit/parts/view-loading.tsx';
import { AddEndpoint, type MadeEndpoint } from '../events/add-endpoint.tsx';
import { ENDPOINTS, type EndpointData, FORMATS, nameOf } from '../events/document.ts';
import { EndpointSecret } from '../events/secret.tsx';
import { EndpointState } from '../events/state.tsx';

/** Where the partner's clients are told of changes. */
export function EventsPage() {
  const { data, error, refetch } = useView('notification-endpoints', ENDPOINTS, {});
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<MadeEndpoint>();
  const endpoints = data?.notificationEndpoints;
  const add = <ActionButton onClick={() => setAdding(true)}>Add an endpoint</ActionButton>;
  return (
    <Page
      title="Events"
      description="Learn of revoked and changed grants, moved tickets, settled claims and ended listings without asking."
      actions={add}
    >
      <FailureAlert failure={error} title="The endpoints could not be loaded" retry={refetch} />
      {endpoints === undefined && error === null && <ViewLoading />}
      {endpoints?.length === 0 && (
        <EmptyState icon={<IconSend />} title="No endpoints yet">
          An endpoint is an address of your server that gets events, or a token with which your server asks for them.
        </EmptyState>
      )}
      {endpoints !== undefined && endpoints.length > 0 && (
        <Stack gap="md">
          {endpoints.map((endpoint) => (
            <EndpointEntry key={endpoint.id} endpoint={endpoint} />
          ))}
        </Stack>
      )}
      {adding && (
        <AddEndpoint
          onMade={(next) => {
            setAdding(false);
            setMade(next);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {made?.secret != null && (
        <EndpointSecret format={made.format} secret={made.secret} onClose={() => setMade(undefined)} />
      )}
    </Page>
  );
}

function EndpointEntry({ endpoint }: { endpoint: EndpointData }) {
  const { id, client, format, waiting, dead, lastDeliveredAt } = endpoint;
  return (
    <Section
      title={nameOf(endpoint)}
      isEntry
      actions={
        <ViewLink href={`/events/${id}`} aria-label={`Deliveries to ${nameOf(endpoint)}`}>
          Deliveries
        </ViewLink>
      }
    >
      <Facts
        of={{
          State: <EndpointState endpoint={endpoint} />,
          Client: (
            <>
              {client.name} <ModeMark mode={client.mode} />
            </>
          ),
          Format: FORMATS[format].label,
          'Last delivery': lastDeliveredAt === null ? 'None yet' : <Moment at={lastDeliveredAt} />,
          Waiting: waiting.toLocaleString('en'),
          Dead: dead.toLocaleString('en'),
        }}
      />
    </Section>
  );
}
