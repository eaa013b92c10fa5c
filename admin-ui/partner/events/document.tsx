import type { ResultOf } from 'gql.tada';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useView } from '../../kit/data/view.ts';
import { StateMark, statesOf, type Tone } from '../../kit/parts/values.tsx';

const FIELDS =
  'id format url types createdAt disabledAt disabledReason isPaused failures failingSince lastDeliveredAt lastPolledAt restsUntil waiting dead oldSecretUntil client { id name mode }';

export const ENDPOINTS = graphql(`
  query NotificationEndpoints {
    notificationEndpoints { ${FIELDS} }
  }
`);

export const ENDPOINT = graphql(`
  query NotificationEndpoint($id: ID!) {
    notificationEndpoint(id: $id) { ${FIELDS} }
  }
`);

export const CHANGE = graphql(`
  mutation ChangeNotificationEndpoint($endpointId: ID!, $changes: NotificationEndpointChanges!) {
    changeNotificationEndpoint(endpointId: $endpointId, changes: $changes) {
      ${REFUSAL} ... on NotificationEndpoint { id }
    }
  }
`);

export type EndpointData = NonNullable<ResultOf<typeof ENDPOINT>['notificationEndpoint']>;

const CHOICES = graphql(`
  query NotificationChoices {
    clients(first: 50) { nodes { id name mode status grantCount } }
    notificationTypes { name says uri }
  }
`);

/** The partner's clients, and the events that they can get. */
export function useChoices() {
  return useView('notification-choices', CHOICES, {});
}

/** Deliveries and their counts change while the page is open. */
export const REFRESH_MS = 5_000;

/** What the endpoint is called: its address, or that it polls. */
export function nameOf({ url, client }: Pick<EndpointData, 'url' | 'client'>): string {
  return url ?? `Polls of ${client.name}`;
}

const DISABLED: Readonly<Record<NonNullable<EndpointData['disabledReason']>, string>> = {
  PARTNER: 'Disabled',
  FAILING: 'Disabled after three days of failures',
  GONE: 'Disabled: it answered 410',
};

/** Whether an endpoint gets what it should. */
export function EndpointState({ endpoint }: { endpoint: EndpointData }) {
  const [tone, says] = stateOf(endpoint);
  return <StateMark tone={tone}>{says}</StateMark>;
}

function stateOf({ disabledAt, disabledReason, isPaused, failures }: EndpointData): [Tone, string] {
  if (disabledAt !== null) {
    return [disabledReason === 'PARTNER' ? 'quiet' : 'bad', DISABLED[disabledReason ?? 'PARTNER']];
  }
  if (isPaused) return ['waiting', 'Paused by the people who run this service; events wait'];
  return failures > 0
    ? ['bad', `Failing: ${failures === 1 ? 'the last attempt' : `the last ${failures} attempts`} failed`]
    : ['good', 'Enabled'];
}

export const { Mark: NotificationStateMark, options: NOTIFICATION_STATE_OPTIONS } = statesOf({
  WAITING: ['Waiting', 'waiting'],
  DELIVERED: ['Delivered', 'good'],
  DEAD: ['Dead', 'bad'],
});
