import { Code, Group, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import type { ResultOf, VariablesOf } from 'gql.tada';
import { PAGE, REFUSAL } from '../../../../console-kit/data/document.ts';
import { useChange } from '../../../../console-kit/data/view.ts';
import { ConfirmButton } from '../../../../console-kit/parts/confirm-dialog.tsx';
import { selectFilter } from '../../../../console-kit/parts/filters.tsx';
import { IdChip } from '../../../../console-kit/parts/id-chip.tsx';
import { ListTable } from '../../../../console-kit/parts/list-table.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { useList } from '../../../../console-kit/parts/use-list.tsx';
import { graphql } from '../data/graphql.ts';
import { NOTIFICATION_STATE_OPTIONS, NotificationStateMark } from './state.tsx';

const NOTIFICATIONS = graphql(`
  query Notifications($endpointId: ID!, $state: NotificationState, ${PAGE.variables}) {
    notifications(endpointId: $endpointId, state: $state, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id type grantId occurredAt state attemptCount dueAt endedAt failure
        attempts { at durationMs status failure answer }
      }
    }
  }
`);

const REPLAY = graphql(`
  mutation ReplayNotification($endpointId: ID!, $notificationId: ID!) {
    replayNotification(endpointId: $endpointId, notificationId: $notificationId) {
      ${REFUSAL} ... on Notification { id }
    }
  }
`);

type Logged = ResultOf<typeof NOTIFICATIONS>['notifications']['nodes'][number];
type State = Required<VariablesOf<typeof NOTIFICATIONS>>['state'];

/** What an endpoint was told, with each attempt and its answer. `?state=` filters. */
export function DeliveryLog({ endpointId }: { endpointId: string }) {
  const list = useList({
    document: NOTIFICATIONS,
    filters: { state: selectFilter('State', NOTIFICATION_STATE_OPTIONS) },
    variables: (page, { state }) => ({ ...page, endpointId, state: state as State }),
    connection: ({ notifications }) => notifications,
  });
  return (
    <Stack gap="sm">
      <Group gap="xs" role="search">
        {list.controls.state}
      </Group>
      <ListTable
        caption="Deliveries"
        list={list}
        columns={{
          Event: ({ type, occurredAt }) => (
            <>
              {type}{' '}
              <span className="aside">
                <Moment at={occurredAt} />
              </span>
            </>
          ),
          State: ({ state, failure }) => (
            <>
              <NotificationStateMark state={state} />
              {failure !== null && <span className="aside"> {failure}</span>}
            </>
          ),
          Grant: ({ grantId }) => grantId !== null && <IdChip id={grantId} />,
          jti: ({ id }) => <IdChip id={id} />,
          'Last answer': (logged) => <LastAnswer of={logged} />,
          Replay: (logged) => <ReplayButton endpointId={endpointId} of={logged} />,
        }}
        emptyIcon={<IconSend />}
        emptyTitle="Nothing was sent yet"
        emptyText="Send a test to see what your endpoint gets, and how it answers."
      />
    </Stack>
  );
}

/** Whoever runs the endpoint wrote the answer: it is shown as text. */
function LastAnswer({ of: { attempts, attemptCount } }: { of: Logged }) {
  const [last] = attempts;
  if (last === undefined) return null;
  return (
    <details className="answer-cell">
      <summary>
        {last.failure ?? `${last.status}`}
        {attemptCount > 1 && `, ${attemptCount} attempts`}
      </summary>
      <Stack gap={4} mt={4}>
        {attempts.map(({ at, durationMs, status, failure, answer }) => (
          <div key={at}>
            <Text size="xs">
              <Moment at={at} />: {failure ?? status} after {durationMs.toLocaleString('en')} ms
            </Text>
            {answer !== null && (
              <Code block className="wrapped">
                {answer}
              </Code>
            )}
          </div>
        ))}
      </Stack>
    </details>
  );
}

function ReplayButton({ endpointId, of: { id, state, type } }: { endpointId: string; of: Logged }) {
  const replay = useChange(REPLAY);
  if (state === 'WAITING') return null;
  return (
    <ConfirmButton
      title="Send it again"
      confirmLabel="Replay"
      size="compact-xs"
      variant="default"
      run={async () => {
        await replay.mutateAsync({ endpointId, notificationId: id });
        notify('It is sent again.');
      }}
    >
      {type} is sent again with the same jti, so a receiver that has stored it can tell.
    </ConfirmButton>
  );
}
