import type { ResultOf } from 'gql.tada';
import { useView } from '../../../../console-kit/data/view.ts';
import { graphql } from '../data/graphql.ts';

const FIELDS =
  'id format url types createdAt disabledAt disabledReason isPaused failures failingSince lastDeliveredAt waiting dead oldSecretUntil client { id name mode }';

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

export type EndpointData = NonNullable<ResultOf<typeof ENDPOINT>['notificationEndpoint']>;

const CHOICES = graphql(`
  query NotificationChoices {
    clients(first: 50) { nodes { id name mode } }
    notificationTypes { name says uri }
  }
`);

/** The partner's clients and what they can be told of. */
export function useChoices() {
  return useView('notification-choices', CHOICES, {});
}

export const FORMATS: Readonly<Record<EndpointData['format'], { label: string; says: string }>> = {
  SET_PUSH: { label: 'Security Event Tokens, pushed', says: 'RFC 8935. Signed with the keys of the issuer.' },
  SET_POLL: {
    label: 'Security Event Tokens, polled',
    says: 'RFC 8936. Your server asks for them; it needs no address.',
  },
  STANDARD_WEBHOOKS: { label: 'Standard Webhooks', says: 'JSON, signed with a secret of this endpoint.' },
};

/** What the endpoint is called: its address, or that it polls. */
export function nameOf({ url, client }: Pick<EndpointData, 'url' | 'client'>): string {
  return url ?? `Polls of ${client.name}`;
}
