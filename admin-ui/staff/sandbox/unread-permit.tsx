import { Stack, Text } from '@mantine/core';
import { ProblemAlert } from '../../kit/parts/instead.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';

export const CHAIN_OPTIONS = [
  { value: 'unread', label: 'Not readable' },
  { value: 'read', label: 'Readable' },
];

interface Unread {
  reason: string;
  retryAt: string;
}

/** In a list: why a permit's state on the chain could not be read, and when it is retried. */
export function UnreadNote({ unread: { reason, retryAt } }: { unread: Unread }) {
  return (
    <Stack gap={0}>
      <StateMark tone="bad">Not readable</StateMark>
      <Text span size="xs" className="aside">
        {reason}. Next try: <Moment at={retryAt} />
      </Text>
    </Stack>
  );
}

/** On the page of a permit. */
export function UnreadAlert({ unread }: { unread: Unread & { since: string; tries: number } }) {
  return (
    <ProblemAlert title="The onchain state could not be read">
      <Stack gap="xs">
        <Text size="sm">{unread.reason}</Text>
        <Text size="sm">
          This page may be out of date. First failed <Moment at={unread.since} />, {unread.tries.toLocaleString('en')}{' '}
          {unread.tries === 1 ? 'try' : 'tries'} so far. Next try: <Moment at={unread.retryAt} />
        </Text>
      </Stack>
    </ProblemAlert>
  );
}
