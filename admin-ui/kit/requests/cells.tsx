import { Text } from '@mantine/core';
import { Facts, inUtc, StateMark } from '../parts/values.tsx';

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

/** The outcome of an entry, as the stable code. */
export function OutcomeMark({ outcome }: { outcome: string }) {
  return <StateMark tone={outcome === 'ok' ? 'good' : 'bad'}>{outcome}</StateMark>;
}

interface ToldProps {
  message: string | null;
  fix: string | null;
}

/** The message that the caller of a refused request got, and how the caller fixes the request. */
export function Told({ message, fix }: ToldProps) {
  if (message === null && fix === null) return null;
  return (
    <div className="told">
      {message !== null && (
        <Text size="sm" component="p">
          <span className="visually-hidden">Answer: </span>
          <q>{message}</q>
        </Text>
      )}
      {fix !== null && (
        <Text size="sm" component="p" c="dimmed">
          <strong>What to do:</strong> {fix}
        </Text>
      )}
    </div>
  );
}

/** The details of an entry as names and values. */
export function Particulars({ of }: { of: unknown }) {
  if (typeof of !== 'object' || of === null) return <span>{asText(of)}</span>;
  const entries = Object.entries(of).filter(([, value]) => value !== null && value !== '');
  return <Facts of={Object.fromEntries(entries.map(([name, value]) => [wordsOf(name), asText(value, name)]))} />;
}

function asText(value: unknown, name = ''): string {
  if (name === 'durationMs') return `${String(value)} ms`;
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object')) return value.join(', ') || 'none';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

/** `permitAddress` and `message_hash` become "permit address" and "message hash". */
function wordsOf(name: string): string {
  return name
    .replace(/Ms$/, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
}
