import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ResultOf } from 'gql.tada';
import { type ReactNode, useEffect } from 'react';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useView } from '../../kit/data/view.ts';
import type { EndpointData } from './document.tsx';
import { NextAttempt } from './log.tsx';

export const SEND_TEST = graphql(`
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
const REFRESH_MS = 1_000;

interface TestResultProps {
  endpoint: EndpointData;
  /** The test as it was sent; undefined while that is asked for. */
  sent: { id: string; attemptCount: number } | undefined;
  onClose: () => void;
}

/** How a test went, from the moment in which it was sent. */
export function TestResult({ endpoint, sent, onClose }: TestResultProps) {
  const view = useView(
    VIEW,
    TESTS,
    { endpointId: endpoint.id },
    { enabled: sent !== undefined, refetchInterval: REFRESH_MS },
  );
  const test = view.data?.notifications.nodes.find(({ id }) => id === sent?.id);
  const client = useQueryClient();
  const came = test && `${test.state} ${test.attemptCount}`;
  useEffect(() => {
    // the facts and the log below tell of it too
    if (came !== undefined) void client.invalidateQueries({ predicate: ({ queryKey: [key] }) => key !== VIEW });
  }, [client, came]);
  // one that waited is sent once more: only what came of that counts
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
  good: { color: 'ticket', icon: <IconCircleCheck aria-hidden /> },
  bad: { color: 'red', icon: <IconAlertTriangle aria-hidden /> },
  waiting: { color: 'gray', icon: <IconSend aria-hidden /> },
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
              ). Send a test again to try at once.
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
