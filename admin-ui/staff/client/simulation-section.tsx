import { Text } from '@mantine/core';
import { useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, DialogButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { ArmFailure, clockSentence, DISARM, EndSimulation } from '../../kit/sandbox/arm-failure.tsx';
import { graphql } from '../data/graphql.ts';
import type { ClientData } from './document.ts';

const RIGHT = 'sandbox:write';

/** Failures that a sandbox client's developers have armed, and its clock. Staff can arm and end them too. */
export function SimulationSection({ client }: { client: ClientData }) {
  const disarm = useChange(DISARM);
  if (client.mode !== 'SANDBOX') return null;
  const { armed, aheadSeconds } = client.simulation;
  const nothing = armed.length === 0 && aheadSeconds === 0;
  return (
    <Section
      title="Failures on demand"
      description="What the partner’s developers simulate for this client. Other clients are not concerned."
      actions={
        <>
          <DialogButton size="xs" right={RIGHT} dialog={(close) => <Arm clientId={client.id} onClose={close} />}>
            Arm a failure
          </DialogButton>
          <EndSimulation client={client}>
            Every failure of {client.name} is disarmed, and its clock is the real one again. Tests of its developers
            that run at the moment may fail.
          </EndSimulation>
        </>
      }
    >
      <FailureAlert failure={disarm.error} title="It was not disarmed" />
      {nothing && <Quiet>Nothing is simulated.</Quiet>}
      {aheadSeconds > 0 && <Text size="sm">{clockSentence(aheadSeconds)}</Text>}
      {armed.length > 0 && (
        <Rows
          caption="Armed failures"
          rows={armed.map((each) => ({ id: each.failure, ...each }))}
          columns={{
            Failure: ({ title }) => title,
            'Met by': ({ call }) => call ?? 'Any call that can',
            'Calls left': ({ timesLeft }) => timesLeft ?? 'Every call',
            'Armed by': (each) => armedBy(each.armedBy),
            Until: ({ expiresAt }) => <Moment at={expiresAt} />,
            Change: ({ failure, title }) => (
              <ActionButton
                size="xs"
                right={RIGHT}
                aria-label={`Disarm: ${title}`}
                onClick={() =>
                  disarm.mutate({ clientId: client.id, failure }, { onSuccess: () => notify(`${title} is disarmed.`) })
                }
              >
                Disarm
              </ActionButton>
            ),
          }}
        />
      )}
    </Section>
  );
}

const FAILURES = graphql(`
  query FailureKinds {
    failureKinds { failure title says isState calls { operation label } secondsMean usualSeconds mostSeconds }
  }
`);

function Arm(props: { clientId: string; onClose: () => void }) {
  const kinds = useView('failures', FAILURES, {}, { staleTime: Number.POSITIVE_INFINITY });
  return <ArmFailure kinds={kinds.data?.failureKinds} {...props} />;
}

/** Whoever armed a failure, as staff call them. */
function armedBy(actor: string): string {
  if (actor.startsWith('member:')) return 'A person of the partner';
  return actor.startsWith('client:') ? 'The partner’s tests' : 'Staff';
}
