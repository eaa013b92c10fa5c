import { PaperAirplaneIcon } from '@heroicons/react/24/outline';
import { Code, Group, Modal, Stack, Text, Title } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../kit/data/graphql.ts';
import { PAGE, REFUSAL } from '../../kit/data/view.ts';
import { ActionButton, ChangeButton } from '../../kit/parts/dialog.tsx';
import { ListTable } from '../../kit/parts/list.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { useReturnedFocus } from '../../kit/parts/use-returned-focus.ts';
import { CodeBlock, Facts, IdChip, inUtc, Moment } from '../../kit/parts/values.tsx';
import { NOTIFICATION_STATE_OPTIONS, NotificationStateMark, REFRESH_MS } from './document.tsx';

const NOTIFICATIONS = graphql(`
  query Notifications($endpointId: ID!, $state: NotificationState, ${PAGE.variables}) {
    notifications(endpointId: $endpointId, state: $state, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id type grantId occurredAt state attemptCount dueAt endedAt failure payload
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

type Delivery = ResultOf<typeof NOTIFICATIONS>['notifications']['nodes'][number];

/** The events of an endpoint, with each attempt and its answer. `?state=` filters. */
export function DeliveryLog({ endpointId, polls }: { endpointId: string; polls: boolean }) {
  const [openId, setOpenId] = useState<string>();
  const list = useList({
    document: NOTIFICATIONS,
    filters: { state: selectFilter('State', NOTIFICATION_STATE_OPTIONS) },
    of: { endpointId },
    refetchInterval: REFRESH_MS,
  });
  const open = list.connection?.nodes.find(({ id }) => id === openId);
  return (
    <Stack gap="sm">
      <Group gap="xs" role="search">
        {list.controls.state}
      </Group>
      <ListTable
        caption="Deliveries"
        list={list}
        columns={{
          Event: ({ type }) => type,
          Happened: ({ occurredAt }) => <Moment at={occurredAt} />,
          State: ({ state }) => <NotificationStateMark state={state} />,
          ...(polls ? { Polls: ({ attemptCount }: Delivery) => attemptCount.toLocaleString('en') } : ATTEMPT_COLUMNS),
          Actions: (delivery) => (
            <span className="line-start">
              <ActionButton size="compact-xs" about={`of ${delivery.type}`} onClick={() => setOpenId(delivery.id)}>
                Details
              </ActionButton>
              <ReplayButton endpointId={endpointId} of={delivery} />
            </span>
          ),
        }}
        numeric={['Attempts', 'Polls']}
        emptyIcon={<PaperAirplaneIcon />}
        emptyTitle={polls ? 'Nothing to poll yet' : 'Nothing was sent yet'}
        emptyText={
          polls
            ? 'Send a test to see what your server gets by its next poll.'
            : 'Send a test to see what your endpoint gets, and how it answers.'
        }
      />
      {open && <DeliveryDetails delivery={open} polls={polls} onClose={() => setOpenId(undefined)} />}
    </Stack>
  );
}

const ATTEMPT_COLUMNS = {
  'Last answer': (delivery: Delivery) => lastAnswer(delivery),
  Attempts: ({ attemptCount }: Delivery) => attemptCount.toLocaleString('en'),
  'Next attempt': ({ state, dueAt }: Delivery) => state === 'WAITING' && <NextAttempt at={dueAt} />,
};

/** `200`, or why it failed; nothing before the first attempt. */
function lastAnswer({ attempts: [last] }: Delivery): string | null {
  return last === undefined ? null : (last.failure ?? `${last.status}`);
}

function ReplayButton({ endpointId, of: { id, state, type } }: { endpointId: string; of: Delivery }) {
  if (state === 'WAITING') return null;
  return (
    <ChangeButton
      title="Send it again"
      confirmLabel="Replay"
      about={type}
      size="compact-xs"
      change={REPLAY}
      variables={() => ({ endpointId, notificationId: id })}
      done="It is sent again."
    >
      {type} is sent again with the same jti: a receiver that has stored it can tell.
    </ChangeButton>
  );
}

interface DeliveryDetailsProps {
  delivery: Delivery;
  /** Whether the endpoint polls: then there are no attempts of the service. */
  polls: boolean;
  onClose: () => void;
}

/** One event of an endpoint: what it gets, and each attempt with its answer. */
function DeliveryDetails({ delivery, polls, onClose }: DeliveryDetailsProps) {
  useReturnedFocus();
  const { id, type, grantId, occurredAt, state, attemptCount, dueAt, endedAt, failure, payload, attempts } = delivery;
  return (
    <Modal opened onClose={onClose} title={type} size="xl">
      <Stack gap="md">
        <Facts
          of={{
            State: <NotificationStateMark state={state} />,
            'Why it is dead': failure ?? undefined,
            Happened: inUtc(occurredAt),
            Polls: polls ? attemptCount.toLocaleString('en') : undefined,
            'Next attempt': state === 'WAITING' && !polls ? <NextAttempt at={dueAt} /> : undefined,
            Ended: endedAt === null ? undefined : inUtc(endedAt),
            jti: <IdChip id={id} />,
            Grant: grantId === null ? undefined : <IdChip id={grantId} />,
          }}
        />
        <Stack gap="xs">
          <Title order={3}>Payload</Title>
          {payload === null ? (
            <Quiet>It can’t be shown.</Quiet>
          ) : (
            <CodeBlock text={payload} label="payload" maxHeight={280} />
          )}
        </Stack>
        {!polls && (
          <Stack gap="xs">
            <Title order={3}>Attempts</Title>
            {attempts.length === 0 && <Quiet>None yet.</Quiet>}
            {attempts.map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} />
            ))}
          </Stack>
        )}
      </Stack>
    </Modal>
  );
}

/** When it is tried next; one that is held up, as by a disabled endpoint, has no time any more. */
export function NextAttempt({ at }: { at: string }) {
  const ms = new Date(at).getTime() - Date.now();
  if (ms <= 0) return 'Due';
  return ms < 60_000 ? 'within a minute' : <Moment at={at} />;
}

/** The answer is from the operator of the endpoint, so it is shown as text. */
function Attempt({ attempt: { at, durationMs, status, failure, answer } }: { attempt: Delivery['attempts'][number] }) {
  return (
    <div>
      <Text size="sm">
        {inUtc(at)}: {failure ?? `answered ${status}`} after {durationMs.toLocaleString('en')} ms
      </Text>
      {answer !== null && answer !== '' && (
        <Code block className="wrapped">
          {answer}
        </Code>
      )}
    </div>
  );
}
