import { Code, Modal, Stack, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../kit/parts/copy-text.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { IdChip } from '../../kit/parts/id-chip.tsx';
import { inUtc, Moment } from '../../kit/parts/moment.tsx';
import { useReturnedFocus } from '../../kit/parts/use-returned-focus.ts';
import type { Delivery } from './log.tsx';
import { NotificationStateMark } from './state.tsx';

interface DeliveryDetailsProps {
  delivery: Delivery;
  /** Whether the endpoint polls: then there are no attempts of the service. */
  polls: boolean;
  onClose: () => void;
}

/** One event of an endpoint: what it gets, and each attempt with its answer. */
export function DeliveryDetails({ delivery, polls, onClose }: DeliveryDetailsProps) {
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
            <Text size="sm" c="dimmed">
              It can’t be shown.
            </Text>
          ) : (
            <CodeBlock text={payload} label="payload" maxHeight={280} />
          )}
        </Stack>
        {!polls && (
          <Stack gap="xs">
            <Title order={3}>Attempts</Title>
            {attempts.length === 0 && (
              <Text size="sm" c="dimmed">
                None yet.
              </Text>
            )}
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

/** Whoever runs the endpoint wrote the answer: it is shown as text. */
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
