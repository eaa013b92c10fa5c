import { Text } from '@mantine/core';
import { useState } from 'react';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { ArmFailure, clockSentence } from '../../kit/sandbox/arm-failure.tsx';
import { graphql } from '../data/graphql.ts';
import type { ClientData } from './document.ts';

const ARM = graphql(`
  mutation ArmFailure($clientId: ID!, $failure: Failure!, $operation: String, $times: Int, $seconds: Int, $minutes: Int) {
    armFailure(
      clientId: $clientId, failure: $failure, operation: $operation, times: $times, seconds: $seconds, minutes: $minutes
    ) {
      ${REFUSAL} ... on Client { id }
    }
  }
`);

const DISARM = graphql(`
  mutation DisarmFailure($clientId: ID!, $failure: Failure!) {
    disarmFailure(clientId: $clientId, failure: $failure) { ${REFUSAL} ... on Client { id } }
  }
`);

const END = graphql(`
  mutation EndSimulation($clientId: ID!) {
    endSimulation(clientId: $clientId) { ${REFUSAL} ... on Client { id } }
  }
`);

const RIGHT = 'sandbox:write';

/** Failures that a sandbox client's developers have armed, and its clock. Staff can arm and end them too. */
export function SimulationSection({ client }: { client: ClientData }) {
  const end = useChange(END);
  const disarm = useChange(DISARM);
  const [arming, setArming] = useState(false);
  if (client.mode !== 'SANDBOX') return null;
  const { armed, aheadSeconds } = client.simulation;
  const nothing = armed.length === 0 && aheadSeconds === 0;
  return (
    <Section
      title="Failures on demand"
      description="What the partner’s developers simulate for this client. Other clients are not concerned."
      actions={
        <>
          <ActionButton size="xs" variant="default" right={RIGHT} onClick={() => setArming(true)}>
            Arm a failure
          </ActionButton>
          <ConfirmButton
            size="xs"
            variant="default"
            right={RIGHT}
            disabledReason={nothing ? 'Nothing is simulated.' : undefined}
            title="End the simulation"
            confirmLabel="End the simulation"
            run={async () => {
              await end.mutateAsync({ clientId: client.id });
              notify(`Nothing is simulated for ${client.name} any more.`);
            }}
          >
            Every failure of {client.name} is disarmed, and its clock is the real one again. Tests of its developers
            that run at the moment may fail.
          </ConfirmButton>
        </>
      }
    >
      <FailureAlert failure={disarm.error} title="It was not disarmed" />
      {nothing && (
        <Text size="sm" c="dimmed">
          Nothing is simulated.
        </Text>
      )}
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
                variant="default"
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
      {arming && <Arm clientId={client.id} onClose={() => setArming(false)} />}
    </Section>
  );
}

const FAILURES = graphql(`
  query FailureKinds {
    failureKinds { failure title says isState calls { operation label } secondsMean usualSeconds mostSeconds }
  }
`);

function Arm({ clientId, onClose }: { clientId: string; onClose: () => void }) {
  const arm = useChange(ARM);
  const kinds = useView('failures', FAILURES, {}, { staleTime: Number.POSITIVE_INFINITY });
  return (
    <ArmFailure
      kinds={kinds.data?.failureKinds}
      arm={(arming) => arm.mutateAsync({ clientId, ...arming })}
      onClose={onClose}
    />
  );
}

/** Whoever armed a failure, as staff call them. */
function armedBy(actor: string): string {
  if (actor.startsWith('member:')) return 'A person of the partner';
  return actor.startsWith('client:') ? 'The partner’s tests' : 'Staff';
}
