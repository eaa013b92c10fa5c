import { Button, Text } from '@mantine/core';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { FailureAlert } from '../../kit/parts/failure-alert.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { Section } from '../../kit/parts/section.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { inWords } from '../../kit/sandbox/clock.ts';
import { DISARM, END, type FailureKind, type SimulatedClient } from './documents.ts';

/** What is armed, what calls have met, and the end of it all. */
export function SimulatedNow({ kinds, client }: { kinds: readonly FailureKind[]; client: SimulatedClient }) {
  const disarm = useChange(DISARM);
  const { armed, met, aheadSeconds } = client.simulation;
  const titleOf = (failure: FailureKind['failure']) => kinds.find((kind) => kind.failure === failure)?.title ?? failure;
  return (
    <Section title="Simulated now" actions={<EndSimulation client={client} />}>
      <FailureAlert failure={disarm.error} title="It was not disarmed" />
      {armed.length === 0 && (
        <Text size="sm" c="dimmed">
          No failure is armed.
        </Text>
      )}
      {aheadSeconds > 0 && <Text size="sm">Its clock is {inWords(aheadSeconds)} ahead.</Text>}
      {armed.length > 0 && (
        <ul className="plain-list" aria-label="Armed failures">
          {armed.map(({ failure, call, timesLeft, expiresAt }) => (
            <li key={failure} className="line">
              <Text size="sm">
                <strong>{titleOf(failure)}</strong>: {timesLeft === null ? 'every call' : nextCalls(timesLeft)}
                {call !== null && ` of ${call}`}, ends <Moment at={expiresAt} />
              </Text>
              <Button
                size="xs"
                variant="default"
                aria-label={`Disarm: ${titleOf(failure)}`}
                onClick={() =>
                  disarm.mutate(
                    { clientId: client.id, failure },
                    { onSuccess: () => notify(`${titleOf(failure)} is disarmed.`) },
                  )
                }
              >
                Disarm
              </Button>
            </li>
          ))}
        </ul>
      )}
      {met.length > 0 && (
        <Text size="sm" role="status">
          Met by a call:{' '}
          {met.map(({ failure, metAt }, index) => (
            <span key={failure}>
              {index > 0 && ', '}
              <strong>{titleOf(failure)}</strong> {metAt !== null && <Moment at={metAt} />}
            </span>
          ))}
          .{' '}
          <ViewLink href={`/requests?client=${client.id}`} underline="always">
            See the requests
          </ViewLink>
        </Text>
      )}
    </Section>
  );
}

const nextCalls = (count: number) => (count === 1 ? 'the next call' : `the next ${count} calls`);

function EndSimulation({ client: { id, name, simulation } }: { client: SimulatedClient }) {
  const end = useChange(END);
  const nothing = simulation.armed.length === 0 && simulation.aheadSeconds === 0;
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      disabledReason={nothing ? 'Nothing is simulated.' : undefined}
      title="End the simulation"
      confirmLabel="End the simulation"
      run={async () => {
        await end.mutateAsync({ clientId: id });
        notify(`Nothing is simulated for ${name} any more.`);
      }}
    >
      Every failure of {name} is disarmed, and its clock is the real one again. What has expired stays expired.
    </ConfirmButton>
  );
}
