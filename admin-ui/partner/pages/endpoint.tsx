import { CheckCircleIcon, ExclamationTriangleIcon, PaperAirplaneIcon } from '@heroicons/react/24/outline';
import { Alert, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { deliveryFacts, FORMATS } from '../../kit/event/endpoint.tsx';
import { ActionButton, ChangeButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert, useNamed } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { Facts, IdChip, Moment } from '../../kit/parts/values.tsx';
import { CHANGE, ENDPOINT, type EndpointData, EndpointState, nameOf, REFRESH_MS } from '../events/document.tsx';
import { EditEndpoint, shownSecret } from '../events/endpoint-form.tsx';
import { DeliveryLog, NextAttempt } from '../events/log.tsx';

/** One endpoint: its state, its actions and its events. */
export function EndpointPage() {
  const [, navigate] = useLocation();
  const test = useChange(SEND_TEST);
  const {
    id,
    view,
    found: endpoint,
    instead,
  } = useNamed('endpoint', ENDPOINT, (data) => data.notificationEndpoint, { refetchInterval: REFRESH_MS });
  if (!endpoint) return instead;
  const { client, format, types, failingSince, oldSecretUntil } = endpoint;
  const polls = format === 'SET_POLL';
  return (
    <Page
      title={nameOf(endpoint)}
      above={[{ title: 'Events', href: '/events' }]}
      mode={client.mode}
      actions={
        <EndpointActions
          endpoint={endpoint}
          onTest={() => test.mutate({ endpointId: id })}
          onRemoved={() => navigate('/events')}
        />
      }
    >
      <FailureAlert failure={view.error} title="The endpoint could not be refreshed" retry={view.refetch} />
      <FailureAlert failure={test.error} title="No test was sent" />
      {(test.isPending || test.data) && (
        <TestResult endpoint={endpoint} sent={test.data} onClose={() => test.reset()} />
      )}
      <Section title="Endpoint">
        <Facts
          of={{
            State: <EndpointState endpoint={endpoint} />,
            'Failing since': failingSince === null ? undefined : <Moment at={failingSince} />,
            Client: <ViewLink href={`/clients/${client.id}`}>{client.name}</ViewLink>,
            Format: FORMATS[format].label,
            Events: types.map((type) => <div key={type}>{type}</div>),
            ...deliveryFacts(endpoint),
            [polls ? 'Old token ends' : 'Old secret ends']:
              oldSecretUntil === null ? undefined : <Moment at={oldSecretUntil} />,
            ID: <IdChip id={endpoint.id} />,
          }}
        />
      </Section>
      <Section
        title="Deliveries"
        description={`Of the last 30 days, newest first. ${
          polls
            ? 'An event waits three days for polls that get and acknowledge it, then it is dead.'
            : 'An event is tried about ten times over three days, then it is dead.'
        }`}
      >
        <DeliveryLog endpointId={endpoint.id} polls={polls} />
      </Section>
    </Page>
  );
}

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
function EndpointActions({ endpoint, onTest, onRemoved }: EndpointActionsProps) {
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
      <ChangeButton
        key={String(isDisabled)}
        title={isDisabled ? 'Enable the endpoint' : 'Disable the endpoint'}
        confirmLabel={isDisabled ? 'Enable' : 'Disable'}
        change={CHANGE}
        variables={() => ({ endpointId, changes: { enabled: isDisabled } })}
        done={`The endpoint is ${isDisabled ? 'enabled' : 'disabled'}.`}
      >
        {isDisabled
          ? 'What waits is sent, and what happens from now on. What happened while it was disabled was not kept.'
          : 'Nothing more is sent to it, and what happens from now on is not kept for it. You can enable it again.'}
      </ChangeButton>
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
  const what = format === 'SET_POLL' ? 'token' : 'secret';
  return (
    <ConfirmButton
      title={`Rotate the ${what}`}
      confirmLabel="Rotate"
      label={`Rotate the ${what}`}
      run={async () => shownSecret(format, (await rotate.mutateAsync({ endpointId })).secret)}
    >
      You get a new {what}, which is shown once. The present one stays valid beside it for 24 hours.
    </ConfirmButton>
  );
}

const SEND_TEST = graphql(`
  mutation SendTestNotification($endpointId: ID!) {
    sendTestNotification(endpointId: $endpointId) { ${REFUSAL} ... on Notification { id attemptCount } }
  }
`);

const TESTS = graphql(`
  query SentTests($endpointId: ID!) {
    notifications(endpointId: $endpointId, first: 25) {
      nodes { id state attemptCount dueAt failure attempts { durationMs status failure } }
    }
  }
`);

type Test = ResultOf<typeof TESTS>['notifications']['nodes'][number];

const VIEW = 'sent-tests';

/** A test takes about a second. */
const TEST_REFRESH_MS = 1_000;

interface TestResultProps {
  endpoint: EndpointData;
  /** The test as it was sent; undefined while that is asked for. */
  sent: { id: string; attemptCount: number } | undefined;
  onClose: () => void;
}

/** How a test went, from the moment in which it was sent. */
function TestResult({ endpoint, sent, onClose }: TestResultProps) {
  const view = useView(
    VIEW,
    TESTS,
    { endpointId: endpoint.id },
    { enabled: sent !== undefined, refetchInterval: TEST_REFRESH_MS },
  );
  const test = view.data?.notifications.nodes.find(({ id }) => id === sent?.id);
  const client = useQueryClient();
  const came = test && `${test.state} ${test.attemptCount}`;
  useEffect(() => {
    // the facts and the log below show it too
    if (came !== undefined) void client.invalidateQueries({ predicate: ({ queryKey: [key] }) => key !== VIEW });
  }, [client, came]);
  // a test that waited is sent again: only the result of that counts
  const isTried = test !== undefined && sent !== undefined && test.attemptCount > sent.attemptCount;
  const [tone, says] =
    test !== undefined && (isTried || test.state !== 'WAITING')
      ? resultOf(test, endpoint)
      : (['waiting', sent === undefined ? 'The test is being sent.' : whatItWaitsFor(endpoint)] as const);
  const { color, icon } = LOOKS[tone];
  return (
    <Alert
      role="status"
      variant="light"
      color={color}
      icon={icon}
      title="Test"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Text size="sm">{says}</Text>
    </Alert>
  );
}

const LOOKS = {
  good: { color: 'ticket', icon: <CheckCircleIcon /> },
  bad: { color: 'red', icon: <ExclamationTriangleIcon /> },
  waiting: { color: 'gray', icon: <PaperAirplaneIcon /> },
} as const;

function resultOf({ state, dueAt, failure, attempts: [last] }: Test, { format }: EndpointData) {
  const polls = format === 'SET_POLL';
  const after = last && `after ${last.durationMs.toLocaleString('en')} ms`;
  const results: Record<Test['state'], () => readonly [keyof typeof LOOKS, ReactNode]> = {
    DELIVERED: () => [
      'good',
      polls ? 'Your server polled the test and acknowledged it.' : `Your server answered ${last?.status} ${after}.`,
    ],
    DEAD: () => ['bad', `The test is dead: ${failure}.`],
    WAITING: () =>
      polls
        ? ['waiting', 'Your server polled the test. It has to acknowledge it by another poll.']
        : [
            'bad',
            <>
              The test failed: {last?.failure} {after} (next attempt: <NextAttempt at={dueAt} />
              ). Send a test again to try now.
            </>,
          ],
  };
  return results[state]();
}

function whatItWaitsFor({ isPaused, format, restsUntil }: EndpointData): ReactNode {
  if (isPaused) return 'The endpoint is paused by the people who run this service: the test waits.';
  if (format === 'SET_POLL') return 'The test waits for the next poll of your server.';
  if (restsUntil === null) return 'The test is on its way.';
  return (
    <>
      The endpoint rests after several failures in a row (next attempt: <NextAttempt at={restsUntil} />
      ).
    </>
  );
}
