import { Text } from '@mantine/core';
import { StateMark, type Tone } from '../parts/values.tsx';

type Verdict = 'PASSED' | 'FAILED' | 'ADVICE' | 'NOT_OBSERVED' | 'OPEN' | 'WATCHING';

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

/** How a finished run went, in a word: what failed counts before what nobody saw. */
export function SheetMark({ lines }: { lines: readonly Pick<SheetLine, 'verdict'>[] }) {
  const failed = lines.filter(({ verdict }) => verdict === 'FAILED').length;
  if (failed > 0)
    return <StateMark tone="bad">{failed === 1 ? '1 check failed' : `${failed} checks failed`}</StateMark>;
  const missing = lines.filter(({ verdict }) => verdict === 'NOT_OBSERVED').length;
  if (missing > 0) return <StateMark tone="quiet">No check failed, but not all were observed</StateMark>;
  return <StateMark tone="good">No check failed</StateMark>;
}

interface SheetLine {
  name: string;
  title: string;
  verdict: Verdict;
  seen: string;
  wasStarted: boolean;
}

/** What a reviewer has to look at first. */
const BY_WEIGHT: readonly Verdict[] = ['FAILED', 'ADVICE', 'NOT_OBSERVED', 'OPEN', 'WATCHING', 'PASSED'];

/** The sheet of a finished run: each check with its verdict and what was seen, failures first. */
export function CheckSheet({ lines }: { lines: readonly SheetLine[] }) {
  const missing = lines.filter(({ wasStarted }) => !wasStarted).map(({ title }) => title);
  const started = lines
    .filter(({ wasStarted }) => wasStarted)
    .toSorted((one, other) => BY_WEIGHT.indexOf(one.verdict) - BY_WEIGHT.indexOf(other.verdict));
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
          <div>
            <Text size="sm" fw={600}>
              {missing.length === 1 ? '1 check was' : `${missing.length} checks were`} not started
            </Text>
            <Text size="sm">{missing.join(', ')}.</Text>
          </div>
        </li>
      )}
    </ul>
  );
}
