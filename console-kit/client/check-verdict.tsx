import { Text } from '@mantine/core';
import { StateMark, type Tone } from '../parts/marks.tsx';

export type Verdict = 'PASSED' | 'FAILED' | 'ADVICE' | 'NOT_OBSERVED' | 'OPEN' | 'WATCHING';

const VERDICTS: Record<Verdict, { label: string; tone: Tone }> = {
  PASSED: { label: 'Passed', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  ADVICE: { label: 'Advice', tone: 'waiting' },
  NOT_OBSERVED: { label: 'Not observed', tone: 'quiet' },
  OPEN: { label: 'Open', tone: 'quiet' },
  WATCHING: { label: 'Watching', tone: 'waiting' },
};

/** The verdict of one check of a go-live check. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { label, tone } = VERDICTS[verdict];
  return <StateMark tone={tone}>{label}</StateMark>;
}

/** `18 passed, 1 failed, 2 not observed` */
export function countsOf(results: readonly { verdict: Verdict }[]): string {
  const order: Verdict[] = ['PASSED', 'FAILED', 'ADVICE', 'NOT_OBSERVED', 'WATCHING', 'OPEN'];
  return order
    .map((verdict) => ({ verdict, count: results.filter((result) => result.verdict === verdict).length }))
    .filter(({ verdict, count }) => count > 0 || verdict === 'PASSED')
    .map(({ verdict, count }) => `${count} ${VERDICTS[verdict].label.toLowerCase()}`)
    .join(', ');
}

interface SheetLine {
  name: string;
  title: string;
  verdict: Verdict;
  seen: string;
  wasStarted: boolean;
}

/** The sheet of a finished run: each check with its verdict and what was seen. */
export function CheckSheet({ lines }: { lines: readonly SheetLine[] }) {
  const missing = lines.filter(({ wasStarted }) => !wasStarted).map(({ title }) => title);
  const started = lines.filter(({ wasStarted }) => wasStarted);
  return (
    <ul className="plain-list">
      {started.map(({ name, title, verdict, seen }) => (
        <li key={name} className="check-line">
          <VerdictMark verdict={verdict} />
          <div>
            <Text size="sm" fw={600}>
              {title}
            </Text>
            <Text size="sm">{seen}</Text>
          </div>
        </li>
      ))}
      {missing.length > 0 && (
        <li className="check-line">
          <VerdictMark verdict="NOT_OBSERVED" />
          <Text size="sm">Not started: {missing.join(', ')}.</Text>
        </li>
      )}
    </ul>
  );
}
