import { Text } from '@mantine/core';
import { inUtc } from '../parts/moment.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

interface AnswerCellProps {
  status: number;
  outcome: string;
  message: string | null;
}

/** In a list: how a request was answered. */
export function AnswerCell({ status, outcome, message }: AnswerCellProps) {
  return (
    <div className="answer-cell">
      <span className="one-line">
        {status} {outcome !== 'ok' && <OutcomeMark outcome={outcome} />}
      </span>
      {message !== null && (
        <Text span size="xs" c="dimmed" lineClamp={2}>
          {message}
        </Text>
      )}
    </div>
  );
}

/** In a list: when, to the second and in UTC. */
export function TimeCell({ at }: { at: string }) {
  return (
    <time dateTime={at} title={inUtc(at)} className="one-line">
      {TIME.format(new Date(at))}
    </time>
  );
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
