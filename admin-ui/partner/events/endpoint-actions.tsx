import { useState } from 'react';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ActionButton, ChangeButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { CHANGE, type EndpointData, nameOf } from './document.tsx';
import { EditEndpoint, EndpointSecret } from './endpoint-form.tsx';

const REMOVE = graphql(`
  mutation RemoveNotificationEndpoint($endpointId: ID!) {
    removeNotificationEndpoint(endpointId: $endpointId) { ${REFUSAL} ... on Client { id } }
  }
`);

const ROTATE = graphql(`
  mutation RotateNotificationSecret($endpointId: ID!) {
    rotateNotificationSecret(endpointId: $endpointId) {
      ${REFUSAL} ... on NotificationEndpointWithSecret { secret endpoint { id format } }
    }
  }
`);

const REPLAY_DEAD = graphql(`
  mutation ReplayDeadNotifications($endpointId: ID!) {
    replayDeadNotifications(endpointId: $endpointId) { ${REFUSAL} ... on Replayed { count } }
  }
`);

interface EndpointActionsProps {
  endpoint: EndpointData;
  onTest: () => void;
  onRemoved: () => void;
}

/** What a person of the partner does with an endpoint. */
export function EndpointActions({ endpoint, onTest, onRemoved }: EndpointActionsProps) {
  const { id: endpointId, disabledAt, dead, format } = endpoint;
  const remove = useChange(REMOVE);
  const replay = useChange(REPLAY_DEAD);
  const isDisabled = disabledAt !== null;
  const notDisabled = isDisabled ? { disabledReason: 'The endpoint is disabled. Enable it first.' } : {};
  return (
    <>
      <ActionButton variant="filled" onClick={onTest} {...notDisabled}>
        Send a test
      </ActionButton>
      <EditEndpoint endpoint={endpoint} />
      {format !== 'SET_PUSH' && <RotateSecret endpoint={endpoint} />}
      {dead > 0 && (
        <ConfirmButton
          title="Replay all dead events"
          confirmLabel="Replay"
          label="Replay all dead"
          run={async () => {
            const { count } = await replay.mutateAsync({ endpointId });
            notify(`${count === 1 ? '1 event is' : `${count.toLocaleString('en')} events are`} sent again.`);
          }}
          {...notDisabled}
        >
          Every event that was given up is sent again with its old jti, the oldest first.
        </ConfirmButton>
      )}
      {isDisabled ? (
        <ChangeButton
          title="Enable the endpoint"
          confirmLabel="Enable"
          change={CHANGE}
          variables={() => ({ endpointId, changes: { enabled: true } })}
          done="The endpoint is enabled."
        >
          What waits is sent, and what happens from now on. What happened while it was disabled was not kept.
        </ChangeButton>
      ) : (
        <ChangeButton
          title="Disable the endpoint"
          confirmLabel="Disable"
          change={CHANGE}
          variables={() => ({ endpointId, changes: { enabled: false } })}
          done="The endpoint is disabled."
        >
          Nothing more is sent to it, and what happens from now on is not kept for it. You can enable it again.
        </ChangeButton>
      )}
      <ConfirmButton
        title="Remove the endpoint"
        confirmLabel="Remove"
        dangerous
        run={async () => {
          await remove.mutateAsync({ endpointId });
          notify('The endpoint is removed.');
          onRemoved();
        }}
      >
        {nameOf(endpoint)} gets no more events. Its deliveries and what waits for it are deleted; that can’t be undone.
      </ConfirmButton>
    </>
  );
}

function RotateSecret({ endpoint: { id: endpointId, format } }: { endpoint: EndpointData }) {
  const rotate = useChange(ROTATE);
  const [secret, setSecret] = useState<string | null>(null);
  const what = format === 'SET_POLL' ? 'token' : 'secret';
  return (
    <>
      <ConfirmButton
        title={`Rotate the ${what}`}
        confirmLabel="Rotate"
        label={`Rotate the ${what}`}
        run={async () => setSecret((await rotate.mutateAsync({ endpointId })).secret)}
      >
        You get a new {what}, which is shown once. The present one stays valid beside it for 24 hours.
      </ConfirmButton>
      {secret !== null && <EndpointSecret format={format} secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
