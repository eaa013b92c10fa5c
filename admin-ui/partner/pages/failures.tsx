import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { OutsideLink, Page, TextLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { ModeMark, StateMark } from '../../kit/parts/values.tsx';
import { ArmFailure, plainText } from '../../kit/sandbox/arm-failure.tsx';
import { DOCS } from '../address.ts';
import { ClientSelect, useOwnClients, usualOf } from '../client/own-clients.tsx';
import {
  type FailureKind,
  SandboxKey,
  SIMULATION,
  type SimulatedClient,
  SimulatedNow,
  TimeTravel,
} from '../failures/simulation.tsx';

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
      description={
        <>
          Arm a failure, then let your app call: the next call of this client that can meet it does. The code expires,
          the grant ends, the answer is lost. Other clients notice nothing.{' '}
          <OutsideLink href={`${DOCS}/failures`}>What your app should do</OutsideLink>
        </>
      }
    >
      {own?.length === 0 ? (
        <Text size="sm">
          There is no sandbox client yet. <TextLink href="/clients/new">Register a client</TextLink> first.
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
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <SimulatedNow kinds={view.data.failureKinds} client={client} />
            <TimeTravel client={client} />
          </SimpleGrid>
          <Failures kinds={view.data.failureKinds} client={client} />
          <SandboxKey client={client} />
        </Stack>
      )}
    </Page>
  );
}

/** Every failure, with a button that arms it. */
function Failures({ kinds, client }: { kinds: readonly FailureKind[]; client: SimulatedClient }) {
  const [arming, setArming] = useState<FailureKind>();
  const isArmed = ({ failure }: FailureKind) => client.simulation.armed.some((each) => each.failure === failure);
  return (
    <>
      <Rows
        caption="Failures"
        rows={kinds.map((kind) => ({ id: kind.name, kind }))}
        columns={{
          Failure: ({ kind }) => (
            <>
              {kind.title}
              <code className="row-code">{kind.name}</code>
            </>
          ),
          'What happens': ({ kind }) => plainText(kind.says),
          'Met by': ({ kind }) => kind.calls.map(({ label }) => label).join(', '),
          Arm: ({ kind }) => (
            <span className="line-start">
              {isArmed(kind) && <StateMark tone="waiting">Armed</StateMark>}
              <Button size="xs" variant="default" onClick={() => setArming(kind)}>
                {isArmed(kind) ? 'Arm anew' : 'Arm'}
                <span className="visually-hidden"> {kind.title}</span>
              </Button>
            </span>
          ),
        }}
      />
      {arming && <ArmFailure kinds={[arming]} clientId={client.id} onClose={() => setArming(undefined)} />}
    </>
  );
}
