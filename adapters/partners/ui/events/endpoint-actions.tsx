import { useState } from 'react';
import { REFUSAL } from '../../../../console-kit/data/document.ts';
import { useChange } from '../../../../console-kit/data/view.ts';
import { ActionButton } from '../../../../console-kit/parts/action-button.tsx';
import { ConfirmButton } from '../../../../console-kit/parts/confirm-dialog.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';
import { type EndpointData, nameOf } from './document.ts';
import { EndpointSecret } from './secret.tsx';

const CHANGE = graphql(`
  mutation ChangeNotificationEndpoint($endpointId: ID!, $changes: NotificationEndpointChanges!) {
    changeNotificationEndpoint(endpointId: $endpointId, changes: $changes) {
      ${REFUSAL} ... on NotificationEndpoint { id }
    }
  }
`);

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

const SEND_TEST = graphql(`
  mutation SendTestNotification($endpointId: ID!) {
    sendTestNotification(endpointId: $endpointId) { ${REFUSAL} ... on Notification { id } }
  }
`);

const REPLAY_DEAD = graphql(`
  mutation ReplayDeadNotifications($endpointId: ID!) {
    replayDeadNotifications(endpointId: $endpointId) { ${REFUSAL} ... on Replayed { count } }
  }
`);

/** What a person of the partner does with an endpoint. */
export function EndpointActions({ endpoint, onRemoved }: { endpoint: EndpointData; onRemoved: () => void }) {
  const { id: endpointId, disabledAt, dead, format } = endpoint;
  const change = useChange(CHANGE);
  const remove = useChange(REMOVE);
  const test = useChange(SEND_TEST);
  const replay = useChange(REPLAY_DEAD);
  const isDisabled = disabledAt !== null;
  const notDisabled = isDisabled ? { disabledReason: 'The endpoint is disabled. Enable it first.' } : {};
  return (
    <>
      <ConfirmButton
        title="Send a test"
        confirmLabel="Send a test"
        run={async () => {
          await test.mutateAsync({ endpointId });
          notify('The test is on its way. Its answer shows in the log.');
        }}
        {...notDisabled}
      >
        A test event goes to {nameOf(endpoint)}, signed and logged as any other.
      </ConfirmButton>
      {format !== 'SET_PUSH' && <RotateSecret endpoint={endpoint} />}
      {dead > 0 && (
        <ConfirmButton
          title="Replay what is dead"
          confirmLabel="Replay"
          label="Replay what is dead"
          variant="default"
          run={async () => {
            const { count } = await replay.mutateAsync({ endpointId });
            notify(`${count.toLocaleString('en')} sent again.`);
          }}
          {...notDisabled}
        >
          Each is sent again with its jti, the oldest first.
        </ConfirmButton>
      )}
      {isDisabled ? (
        <ActionButton
          variant="default"
          onClick={() =>
            void change.mutateAsync({ endpointId, changes: { enabled: true } }).then(() => notify('Enabled.'))
          }
        >
          Enable
        </ActionButton>
      ) : (
        <ConfirmButton
          title="Disable the endpoint"
          confirmLabel="Disable"
          variant="default"
          run={() => change.mutateAsync({ endpointId, changes: { enabled: false } })}
        >
          Nothing more is sent to it, and what happens from now on is not kept for it.
        </ConfirmButton>
      )}
      <ConfirmButton
        title="Remove the endpoint"
        confirmLabel="Remove"
        variant="default"
        dangerous
        run={async () => {
          await remove.mutateAsync({ endpointId });
          onRemoved();
        }}
      >
        Its log and what waits for it are deleted.
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
        variant="default"
        run={async () => setSecret((await rotate.mutateAsync({ endpointId })).secret)}
      >
        You get another {what}. The present one stays valid for 24 hours beside it.
      </ConfirmButton>
      {secret !== null && <EndpointSecret format={format} secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
