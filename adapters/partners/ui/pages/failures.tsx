import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useChange, useView } from '../../../../console-kit/data/view.ts';
import { ConfirmButton } from '../../../../console-kit/parts/confirm-dialog.tsx';
import { FailureAlert } from '../../../../console-kit/parts/failure-alert.tsx';
import { ModeMark, StateMark } from '../../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../../console-kit/parts/moment.tsx';
import { Page } from '../../../../console-kit/parts/page.tsx';
import { Rows } from '../../../../console-kit/parts/rows.tsx';
import { notify } from '../../../../console-kit/parts/undo.tsx';
import { ViewLink } from '../../../../console-kit/parts/view-link.tsx';
import { ViewLoading } from '../../../../console-kit/parts/view-loading.tsx';
import { ClientSelect, useOwnClients } from '../client/client-filter.tsx';
import { usualOf } from '../client/usual-client.ts';
import { ArmFailure } from '../failures/arm-failure.tsx';
import { type Armed, DISARM, END, type FailureKind, SIMULATION, type SimulatedClient } from '../failures/documents.ts';
import { SandboxKey } from '../failures/sandbox-key.tsx';
import { TimeTravel } from '../failures/time-travel.tsx';

/** Calls of tests use failures up while the page is open. */
const REFRESH_MS = 5_000;

/** Brings about what an application has to handle, for one sandbox client, `?client=client_…`. */
export function FailuresPage() {
  const [params, setParams] = useSearchParams();
  const own = useOwnClients().data?.clients.nodes.filter(({ mode }) => mode === 'SANDBOX');
  const id = params.get('client') ?? usualOf(own ?? [])?.id ?? '';
  const view = useView('simulation', SIMULATION, { id }, { enabled: id !== '', refetchInterval: REFRESH_MS });
  const client = view.data?.client;
  return (
    <Page
      title="Failures"
      marks={<ModeMark mode="SANDBOX" />}
      description="Arm a failure, and the next call of this client that can meet it meets it: the code expires, the grant ends, the answer is lost. Only this client is concerned."
      {...(client?.mode === 'SANDBOX' && { actions: <EndSimulation client={client} /> })}
    >
      {own?.length === 0 ? (
        <Text size="sm">
          There is no sandbox client yet.{' '}
          <ViewLink href="/clients/new" underline="always">
            Register a client
          </ViewLink>{' '}
          first.
        </Text>
      ) : (
        <Group>
          <ClientSelect mode="SANDBOX" value={id} onChange={(next) => setParams({ client: next }, { replace: true })} />
        </Group>
      )}
      <FailureAlert failure={view.error} title="The failures could not be loaded" retry={view.refetch} />
      {!view.data && !view.error && own?.length !== 0 && <ViewLoading />}
      {client?.mode === 'PRODUCTION' && <Text size="sm">Failures are for sandbox clients only. Choose one above.</Text>}
      {view.data && client?.mode === 'SANDBOX' && (
        <Stack gap="md">
          <Failures kinds={view.data.failureKinds} client={client} />
          <TimeTravel client={client} />
          <SandboxKey client={client} />
        </Stack>
      )}
    </Page>
  );
}

function EndSimulation({ client: { id, name, simulation } }: { client: SimulatedClient }) {
  const end = useChange(END);
  const nothing = simulation.armed.length === 0 && simulation.aheadSeconds === 0;
  return (
    <ConfirmButton
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

/** What is armed stands first. */
function Failures({ kinds, client }: { kinds: readonly FailureKind[]; client: SimulatedClient }) {
  const [arming, setArming] = useState<FailureKind>();
  const disarm = useChange(DISARM);
  const armedAs = (kind: FailureKind) => client.simulation.armed.find(({ failure }) => failure === kind.failure);
  const rows = kinds.map((kind) => ({ id: kind.name, kind, armed: armedAs(kind) }));
  return (
    <>
      <FailureAlert failure={disarm.error} title="It was not disarmed" />
      <Rows
        caption="Failures"
        rows={[...rows.filter(({ armed }) => armed), ...rows.filter(({ armed }) => !armed)]}
        columns={{
          Failure: ({ kind }) => kind.title,
          'What happens': ({ kind }) => kind.says.replaceAll('`', ''),
          'Name in the API': ({ kind }) => <code>{kind.name}</code>,
          State: ({ armed }) => (armed ? <ArmedMark armed={armed} /> : <StateMark tone="quiet">Not armed</StateMark>),
          Change: ({ kind, armed }) =>
            armed ? (
              <Button
                size="xs"
                variant="default"
                aria-label={`Disarm: ${kind.title}`}
                onClick={() => disarm.mutate({ clientId: client.id, failure: kind.failure })}
              >
                Disarm
              </Button>
            ) : (
              <Button size="xs" aria-label={`Arm: ${kind.title}`} onClick={() => setArming(kind)}>
                Arm
              </Button>
            ),
        }}
      />
      {arming && <ArmFailure clientId={client.id} kind={arming} onClose={() => setArming(undefined)} />}
    </>
  );
}

function ArmedMark({ armed: { timesLeft, expiresAt } }: { armed: Armed }) {
  const calls = timesLeft === 1 ? 'for 1 call' : `for ${timesLeft} calls`;
  return (
    <Stack gap={2}>
      <StateMark tone="waiting">{timesLeft === null ? 'Armed' : `Armed ${calls}`}</StateMark>
      <Text size="xs" c="dimmed" component="div">
        until <Moment at={expiresAt} />
      </Text>
    </Stack>
  );
}
