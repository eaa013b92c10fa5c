import { PaperAirplaneIcon } from '@heroicons/react/24/outline';
import { Paper, Stack } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { REFUSAL, useView } from '../../kit/data/view.ts';
import { deliveryFacts, FORMATS } from '../../kit/event/endpoint.tsx';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { EmptyState, FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Facts, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';

const ENDPOINTS = graphql(`
  query ClientEndpoints($id: ID!) {
    client(id: $id) {
      id
      notificationEndpoints {
        id format url types createdAt disabledAt disabledReason pausedAt pauseReason pausedBy { name }
        failures failingSince lastDeliveredAt lastPolledAt waiting dead
      }
    }
  }
`);

const PAUSE = graphql(`
  mutation PauseNotificationEndpoint($endpointId: ID!, $reason: String!) {
    pauseNotificationEndpoint(endpointId: $endpointId, reason: $reason) { ${REFUSAL} ... on NotificationEndpoint { id } }
  }
`);

const RESUME = graphql(`
  mutation ResumeNotificationEndpoint($endpointId: ID!, $reason: String!) {
    resumeNotificationEndpoint(endpointId: $endpointId, reason: $reason) { ${REFUSAL} ... on NotificationEndpoint { id } }
  }
`);

type Endpoint = NonNullable<ResultOf<typeof ENDPOINTS>['client']>['notificationEndpoints'][number];

/** The endpoints of the client's events; staff can pause them. */
export function ClientEvents({ client: { id } }: { client: { id: string } }) {
  const view = useView('client-endpoints', ENDPOINTS, { id });
  const endpoints = view.isPlaceholderData ? undefined : view.data?.client?.notificationEndpoints;
  if (endpoints === undefined) {
    if (view.error === null) return <ViewLoading />;
    return <FailureAlert failure={view.error} title="The endpoints could not be read" retry={view.refetch} />;
  }
  if (endpoints.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState icon={<PaperAirplaneIcon />} title="No endpoints">
          The partner has added no endpoint for this client, so it is told of no events. They add one in their
          workspace.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Stack gap="md">
      <FailureAlert failure={view.error} title="The endpoints could not be refreshed" retry={view.refetch} />
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.id} endpoint={endpoint} />
      ))}
    </Stack>
  );
}

function EndpointSection({ endpoint }: { endpoint: Endpoint }) {
  const { format, types, failingSince, pauseReason, pausedBy } = endpoint;
  return (
    <Section title={nameOf(endpoint)} isEntry actions={<PauseButton endpoint={endpoint} />}>
      <Facts
        of={{
          State: <EndpointState endpoint={endpoint} />,
          'Paused because': pauseReason === null ? undefined : `${pauseReason} (${pausedBy?.name ?? 'staff'})`,
          Format: FORMATS[format].label,
          Events: types.map((type) => <div key={type}>{type}</div>),
          'Failing since': failingSince === null ? undefined : <Moment at={failingSince} />,
          ...deliveryFacts(endpoint),
        }}
      />
    </Section>
  );
}

const nameOf = ({ url }: Endpoint) => url ?? 'Polled endpoint';

function EndpointState({ endpoint: { disabledAt, disabledReason, pausedAt, failures } }: { endpoint: Endpoint }) {
  if (disabledAt !== null) {
    return disabledReason === 'PARTNER' ? (
      <StateMark tone="quiet">Disabled by the partner</StateMark>
    ) : (
      <StateMark tone="bad">Disabled after failures</StateMark>
    );
  }
  if (pausedAt !== null) return <StateMark tone="waiting">Paused</StateMark>;
  return failures > 0 ? (
    <StateMark tone="bad">{`Failing: ${failures} in a row`}</StateMark>
  ) : (
    <StateMark tone="good">Enabled</StateMark>
  );
}

function PauseButton({ endpoint }: { endpoint: Endpoint }) {
  const { id: endpointId, pausedAt } = endpoint;
  const isPaused = pausedAt !== null;
  return (
    <ChangeButton
      title={isPaused ? 'Resume the endpoint' : 'Pause the endpoint'}
      confirmLabel={isPaused ? 'Resume' : 'Pause'}
      about={nameOf(endpoint)}
      size="xs"
      right="clients:suspend"
      reason={{
        label: 'Reason',
        description: 'For the audit log. The partner sees that the endpoint is paused, not why.',
      }}
      change={isPaused ? RESUME : PAUSE}
      variables={(reason) => ({ endpointId, reason })}
      done={isPaused ? 'The endpoint is resumed.' : 'The endpoint is paused.'}
    >
      {isPaused
        ? 'What waits is sent, in order.'
        : 'Nothing is sent until it is resumed. What happens meanwhile waits, for three days at most.'}
    </ChangeButton>
  );
}
