import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { ShowOnce } from '../../kit/parts/form.ts';
import { FailureAlert, ViewLoading } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { OutsideLink, Page, Section, TextLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import {
  ArmFailure,
  clockSentence,
  DISARM,
  EndSimulation,
  inWords,
  plainText,
} from '../../kit/sandbox/arm-failure.tsx';
import { DOCS } from '../address.ts';
import { ClientSelect, useOwnClients, usualOf } from '../client/own-clients.tsx';

/** Calls of tests use failures up while the page is open. */
const REFRESH_MS = 5_000;

/** Causes the failures that an application has to handle, for one sandbox client, `?client=client_…`. */
export function FailuresPage() {
  const [params, setParams] = useSearchParams();
  const own = useOwnClients().data?.clients.nodes.filter(({ mode }) => mode === 'SANDBOX');
  const id = params.get('client') ?? usualOf(own ?? [])?.id ?? '';
  const view = useView('simulation', SIMULATION, { id }, { enabled: id !== '', refetchInterval: REFRESH_MS });
  const client = view.data?.client;
  return (
    <Page
      title="Failures"
      mode="SANDBOX"
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
              <ActionButton size="xs" about={kind.title} onClick={() => setArming(kind)}>
                {isArmed(kind) ? 'Arm again' : 'Arm'}
              </ActionButton>
            </span>
          ),
        }}
      />
      {arming && <ArmFailure kinds={[arming]} clientId={client.id} onClose={() => setArming(undefined)} />}
    </>
  );
}

const SIMULATION = graphql(`
  query Simulation($id: ID!) {
    failureKinds { failure name title says isState calls { operation label } secondsMean usualSeconds mostSeconds }
    client(id: $id) {
      id name mode
      simulation {
        aheadSeconds hasKey
        armed { failure call timesLeft seconds expiresAt }
        met { failure metAt }
      }
    }
  }
`);

type Found = ResultOf<typeof SIMULATION>;
type FailureKind = Found['failureKinds'][number];
type SimulatedClient = NonNullable<Found['client']>;

const ADVANCE = graphql(`
  mutation AdvanceClock($clientId: ID!, $aheadSeconds: Int!) {
    advanceClock(clientId: $clientId, aheadSeconds: $aheadSeconds) { ${REFUSAL} ... on Client { id } }
  }
`);

const MAKE_KEY = graphql(`
  mutation MakeSandboxKey($clientId: ID!) {
    makeSandboxKey(clientId: $clientId) { ${REFUSAL} ... on SandboxKey { key } }
  }
`);

/** The armed failures, those that calls have met, and a button that ends all. */
function SimulatedNow({ kinds, client }: { kinds: readonly FailureKind[]; client: SimulatedClient }) {
  const disarm = useChange(DISARM);
  const { armed, met, aheadSeconds } = client.simulation;
  const titleOf = (failure: FailureKind['failure']) => kinds.find((kind) => kind.failure === failure)?.title ?? failure;
  return (
    <Section
      title="Simulated now"
      actions={
        <EndSimulation client={client}>
          Every failure of {client.name} is disarmed, and its clock is the real one again. What has expired stays
          expired.
        </EndSimulation>
      }
    >
      <FailureAlert failure={disarm.error} title="It was not disarmed" />
      {armed.length === 0 && <Quiet>No failure is armed.</Quiet>}
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
          . <TextLink href={`/requests?client=${client.id}`}>See the requests</TextLink>
        </Text>
      )}
    </Section>
  );
}

const nextCalls = (count: number) => (count === 1 ? 'the next call' : `the next ${count} calls`);

/** Steps by what is over after them. */
const STEPS = [
  { label: '1 minute', seconds: 60, over: 'codes, and access tokens of the usual life' },
  { label: '10 minutes', seconds: 600, over: 'sign-ins under way' },
  { label: '1 day', seconds: 86_400, over: 'events of today' },
  { label: '30 days', seconds: 2_592_000, over: 'refresh tokens' },
] as const;

/** Moves the clock of one client on. */
function TimeTravel({ client: { id, simulation } }: { client: SimulatedClient }) {
  const advance = useChange(ADVANCE);
  const { aheadSeconds } = simulation;
  return (
    <Section
      title="Time travel"
      description="What this client holds grows older, and test events come nearer, for this client alone. What it gets afterwards is stamped with the real time."
    >
      <FailureAlert failure={advance.error} title="The clock was not moved" />
      <Text size="sm">{clockSentence(aheadSeconds)}</Text>
      <Group gap="xs">
        {STEPS.map(({ label, seconds, over }) => (
          <Button
            key={label}
            variant="default"
            size="xs"
            aria-busy={advance.isPending}
            aria-label={`${label} on: ${over} are over`}
            title={`${over} are over`}
            onClick={async () => {
              // not disabled meanwhile: it would lose the focus
              if (advance.isPending) return;
              await advance.mutateAsync({ clientId: id, aheadSeconds: aheadSeconds + seconds }).then(
                () => notify(`The clock is ${inWords(aheadSeconds + seconds)} ahead.`),
                () => undefined,
              );
            }}
          >
            + {label}
          </Button>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        The clock goes one way: to set it back, end the simulation. What has expired stays expired.
      </Text>
    </Section>
  );
}

const KEY_ADVICE = 'Store it where your tests read secrets. It arms failures for this client, until a new key is made.';

/** The key with which tests arm failures. */
function SandboxKey({ client: { id, name, simulation } }: { client: SimulatedClient }) {
  const make = useChange(MAKE_KEY);
  return (
    <Section
      title="From your tests"
      description="With a sandbox key, tests arm failures and move the clock over HTTP."
      actions={
        <ConfirmButton
          size="xs"
          title="Make a sandbox key"
          confirmLabel={simulation.hasKey ? 'Make a new key' : 'Make a key'}
          run={async () => {
            const { key } = await make.mutateAsync({ clientId: id });
            return new ShowOnce({
              title: `Sandbox key of ${name}`,
              secret: key,
              label: 'Sandbox key',
              advice: KEY_ADVICE,
            });
          }}
        >
          {simulation.hasKey
            ? 'The key that this client has stops working immediately.'
            : 'Anyone who has the key can arm failures for this client, and nothing else.'}
        </ConfirmButton>
      }
    >
      <Text size="sm">
        {simulation.hasKey ? 'This client has a key.' : 'This client has no key yet.'}{' '}
        <OutsideLink href={`${DOCS}/failures`}>The documentation</OutsideLink> has the calls, and what your application
        does about each failure.
      </Text>
    </Section>
  );
}
