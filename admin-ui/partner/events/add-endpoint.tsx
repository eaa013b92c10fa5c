import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { graphql } from '../data/graphql.ts';
import type { EndpointData } from './document.ts';
import { EndpointForm } from './endpoint-form.tsx';

const ADD = graphql(`
  mutation AddNotificationEndpoint($clientId: ID!, $endpoint: NotificationEndpointWish!) {
    addNotificationEndpoint(clientId: $clientId, endpoint: $endpoint) {
      ${REFUSAL} ... on NotificationEndpointWithSecret { secret endpoint { id format } }
    }
  }
`);

export interface MadeEndpoint {
  id: string;
  format: EndpointData['format'];
  secret: string | null;
}

/** Adds an endpoint to one of the partner's clients. */
export function AddEndpoint({ onMade, onClose }: { onMade: (made: MadeEndpoint) => void; onClose: () => void }) {
  const add = useChange(ADD);
  return (
    <EndpointForm
      title="Add an endpoint"
      confirmLabel="Add"
      failureTitle="No endpoint was added"
      send={async ({ clientId, url, ...wish }) => {
        const endpoint = { ...wish, ...(url !== '' && { url }) };
        const { endpoint: made, secret } = await add.mutateAsync({ clientId, endpoint });
        onMade({ ...made, secret });
      }}
      onClose={onClose}
    />
  );
}
