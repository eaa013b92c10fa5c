import { Button, Group, Text } from '@mantine/core';
import { VerdictMark } from '../../kit/client/check-verdict.tsx';
import { useChange } from '../../kit/data/view.ts';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { type CheckData, END_CHECK, type ResultData, type RunData, START_CHECK } from './document.ts';

interface CheckListProps {
  run: RunData;
  checks: readonly CheckData[];
}

/** Every check with its verdict and what was seen; while the run goes on, with buttons that turn it on and off. */
export function CheckList({ run, checks }: CheckListProps) {
  const start = useChange(START_CHECK);
  const end = useChange(END_CHECK);
  const results = new Map(run.results.map((result) => [result.name, result]));
  const isUntried = ({ name }: CheckData) => results.get(name)?.startedAt == null;
  // nothing has to be chosen to go on: it is the first that was never started, while none is on
  const next = run.currentCheck === null ? checks.find(isUntried)?.name : undefined;
  // a button that is disabled meanwhile would lose the focus, and with it the keyboard its place
  const isBusy = start.isPending || end.isPending;
  const buttonsOf = (check: CheckData) => {
    if (run.finishedAt !== null) return undefined;
    if (run.currentCheck === check.name) {
      return (
        <Button size="xs" aria-busy={isBusy} onClick={() => isBusy || end.mutate({ id: run.id })}>
          My app is done<span className="visually-hidden"> with {check.title}</span>
        </Button>
      );
    }
    return (
      <Button
        size="xs"
        variant={check.name === next ? 'filled' : 'default'}
        aria-busy={isBusy}
        onClick={() => isBusy || start.mutate({ id: run.id, check: check.name })}
      >
        {isUntried(check) ? 'Start' : 'Repeat'}
        <span className="visually-hidden"> {check.title}</span>
      </Button>
    );
  };
  return (
    <>
      <FailureAlert failure={start.error ?? end.error} title="Nothing was changed" />
      <ol className="plain-list" aria-label="Checks">
        {checks.map((check) => (
          <CheckLine
            key={check.name}
            check={check}
            result={results.get(check.name)}
            isOn={run.currentCheck === check.name}
            buttons={buttonsOf(check)}
          />
        ))}
      </ol>
    </>
  );
}

interface CheckLineProps {
  check: CheckData;
  result: ResultData | undefined;
  isOn: boolean;
  buttons: React.ReactNode;
}

function CheckLine({ check, result, isOn, buttons }: CheckLineProps) {
  return (
    <li className="check-line" aria-current={isOn || undefined}>
      <Group gap={6}>{result && <VerdictMark verdict={result.verdict} />}</Group>
      <div>
        <Text size="sm" fw={600}>
          {check.title}
          {isOn && (
            <Text span size="sm" c="dimmed">
              {' '}
              (on now: sign in with your app)
            </Text>
          )}
        </Text>
        {result && result.startedAt !== null && (
          <Text size="sm" aria-live="polite">
            {result.seen}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {check.does} <b>Expected:</b> {check.expects}
          {check.how !== null && (
            <>
              {' '}
              <b>Do:</b> {check.how}
            </>
          )}
        </Text>
      </div>
      {buttons}
    </li>
  );
}
