import type { ResultOf } from 'gql.tada';
import { REFUSAL } from '../../kit/data/document.ts';
import { useView } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

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

/** The partner's clients and what they can be told of. */
export function useChoices() {
  return useView('notification-choices', CHOICES, {});
}

export const FORMATS: Readonly<Record<EndpointData['format'], { label: string; says: string }>> = {
  SET_PUSH: {
    label: 'Security Event Tokens, pushed',
    says: 'RFC 8935: JWTs, sent to your address, signed with the keys of the issuer.',
  },
  SET_POLL: {
    label: 'Security Event Tokens, polled',
    says: 'RFC 8936: JWTs that your server asks for with a token. It needs no address.',
  },
  STANDARD_WEBHOOKS: {
    label: 'Standard Webhooks',
    says: 'JSON, sent to your address, signed with a secret of this endpoint.',
  },
};

/** Deliveries and their counts change while the page is open. */
export const REFRESH_MS = 5_000;

/** What the endpoint is called: its address, or that it polls. */
export function nameOf({ url, client }: Pick<EndpointData, 'url' | 'client'>): string {
  return url ?? `Polls of ${client.name}`;
}
