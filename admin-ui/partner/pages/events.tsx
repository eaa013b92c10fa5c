import { PaperAirplaneIcon } from '@heroicons/react/24/outline';
import { Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { useView } from '../../kit/data/view.ts';
import { deliveryFacts, FORMATS } from '../../kit/event/endpoint.tsx';
import { ActionButton } from '../../kit/parts/dialog.tsx';
import { EmptyState, Waiting } from '../../kit/parts/instead.tsx';
import { LinkButton, ModeMark, OutsideLink, Page, Section } from '../../kit/parts/page.tsx';
import { Facts } from '../../kit/parts/values.tsx';
import { DOCS } from '../address.ts';
import { ENDPOINTS, type EndpointData, EndpointState, nameOf, REFRESH_MS } from '../events/document.tsx';
import { AddEndpoint } from '../events/endpoint-form.tsx';

/** The endpoints that get the events of the partner's clients. */
export function EventsPage() {
  const view = useView('notification-endpoints', ENDPOINTS, {}, { refetchInterval: REFRESH_MS });
  const [adding, setAdding] = useState(false);
  const endpoints = view.data?.notificationEndpoints;
  const add = (
    <ActionButton variant="filled" onClick={() => setAdding(true)}>
      Add an endpoint
    </ActionButton>
  );
  return (
    <Page
      title="Events"
      description={
        <>
          Your server learns of revoked and changed grants, moved tickets, settled claims and ended listings without
          asking. <OutsideLink href={`${DOCS}/events`}>How to receive them</OutsideLink>
        </>
      }
      actions={add}
    >
      <Waiting view={view} title="The endpoints could not be loaded" />
      {endpoints?.length === 0 && (
        <Paper withBorder>
          <EmptyState icon={<PaperAirplaneIcon />} title="No endpoints yet" actions={add}>
            An endpoint is an address of your server that gets events, or a token with which your server asks for them.
            Add one for a sandbox client first, and send it a test.
          </EmptyState>
        </Paper>
      )}
      {endpoints !== undefined && endpoints.length > 0 && (
        <Stack gap="md">
          {endpoints.map((endpoint) => (
            <EndpointEntry key={endpoint.id} endpoint={endpoint} />
          ))}
        </Stack>
      )}
      {adding && <AddEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}

function EndpointEntry({ endpoint }: { endpoint: EndpointData }) {
  const { id, client, format } = endpoint;
  return (
    <Section
      title={nameOf(endpoint)}
      isEntry
      actions={
        <LinkButton size="xs" href={`/events/${id}`} aria-label={`Open: ${nameOf(endpoint)}`}>
          Open
        </LinkButton>
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
          ...deliveryFacts(endpoint),
        }}
      />
    </Section>
  );
}
