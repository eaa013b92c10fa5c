import { ArrowRightIcon, HandRaisedIcon } from '@heroicons/react/24/outline';
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { linksToTestData, ClientOverview as Overview } from '../../kit/client/client-page.tsx';
import { useDisabledReason } from '../../kit/data/person.ts';
import { useChange, useView } from '../../kit/data/view.ts';
import { ActionButton, DialogButton } from '../../kit/parts/dialog.tsx';
import { FailureAlert } from '../../kit/parts/instead.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section, TextLink } from '../../kit/parts/page.tsx';
import { Rows } from '../../kit/parts/rows.tsx';
import { Quiet, Small } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import { ArmFailure, clockSentence, DISARM, EndSimulation } from '../../kit/sandbox/arm-failure.tsx';
import { graphql } from '../data/graphql.ts';
import { StoppedAlert } from '../kill-switch/kill-switches.tsx';
import { StopForm } from '../kill-switch/stop-form.tsx';
import { type ClientData, type ClientStep, waitingEditOf } from './document.ts';
import { mainStepOf, useStepObstacle } from './steps.ts';
import { SalesProgress, StopAndTakeOffSale } from './stop-sales.tsx';
import { TakeStepDialog } from './take-step.tsx';

/** What a client is, whether it works, and what comes next. */
export function ClientOverview({ client }: { client: ClientData }) {
  const { id, partner, killSwitch, grantCount } = client;
  return (
    <Overview
      client={client}
      next={
        <>
          <StoppedAlert killSwitch={killSwitch} stop={killSwitch} />
          <SalesProgress client={client} />
          <NextStep client={client} />
        </>
      }
      facts={{ 'Active grants': grantCount.toLocaleString('en') }}
      links={[
        ['Timeline', `/timeline?search=${id}`, 'everything that happened to it'],
        ['Traffic', `/?client=${id}`, 'its sign-ins, tokens and API calls'],
        ['Grants', `/grants?client=${id}`, 'the fans who gave it access'],
        ...linksToTestData(client, `?partner=${partner.id}`),
      ]}
    >
      <SimulationSection client={client} />
      <StopSection client={client} />
    </Overview>
  );
}

/** What comes next, by status; null where nothing is to be done. */
const STATES: Record<ClientData['status'], { title: string; description: string } | null> = {
  SANDBOX_READY: {
    title: 'Ready to use',
    description:
      'Give the client_id to the developers and create test data: with one test user and a few tickets they can try sign-in, consent and the API.',
  },
  DRAFT: {
    title: 'Next: submit it for review',
    description: 'Fans can’t use it yet. Check the redirect URIs and scopes, then submit it with a note.',
  },
  IN_REVIEW: {
    title: 'Next: a second person decides',
    description: 'Edits made now become part of the review, and the person who makes one can’t approve the client.',
  },
  APPROVED: {
    title: 'Next: enable it',
    description: 'It has been approved. Fans can’t use it until it is enabled.',
  },
  ENABLED: null,
  REJECTED: {
    title: 'Next: edit it and submit it again',
    description: 'The Review tab has the reason.',
  },
  SUSPENDED: {
    title: 'Suspended',
    description: 'It can’t sign fans in, refresh tokens or use the API. Its grants stay, and it can be enabled again.',
  },
};

/** The next step in a client's life cycle, and whether this person can take it. */
function NextStep({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const state = STATES[client.status];
  const step = mainStepOf(client);
  if (waitingEditOf(client)) return <WaitingEditAlert client={client} />;
  if (!state) return null;
  return (
    <Alert variant="default" icon={<ArrowRightIcon />} title={state.title}>
      {state.description} {step && (obstacleTo(step) ?? freshSignInFor(step))}
    </Alert>
  );
}

/** An edit waits beside the registration in force. */
function WaitingEditAlert({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const approve = client.steps.find(({ name }) => name === 'APPROVE');
  return (
    <Alert variant="default" icon={<ArrowRightIcon />} title="Next: a second person reviews the edit">
      The registration in force stays as it is until then.{' '}
      <TextLink href={`/clients/${client.id}?tab=review`}>See what would change</TextLink>
      {'. '}
      {approve && obstacleTo(approve)}
    </Alert>
  );
}

function freshSignInFor({ name, right }: ClientStep): string | undefined {
  return right.fresh ? `To ${name.toLowerCase()} it, you need a sign-in within the last 5 minutes.` : undefined;
}

/** The ways to stop a client, side by side, with their difference; a sandbox client is not suspended. */
function StopSection({ client }: { client: ClientData }) {
  const suspend = client.steps.find(({ name }) => name === 'SUSPEND');
  const ways = [suspend !== undefined, client.killSwitch === null, true].filter(Boolean).length;
  return (
    <Section
      title="Stop this client"
      description="Suspended or stopped, it keeps its grants and tokens: they work again as soon as the client does."
    >
      <SimpleGrid cols={{ base: 1, sm: ways }} spacing="lg">
        {suspend && <Suspend client={client} step={suspend} />}
        {client.killSwitch === null && <KillSwitch client={client} />}
        <StopAndTakeOffSale client={client} />
      </SimpleGrid>
    </Section>
  );
}

function Suspend({ client, step }: { client: ClientData; step: ClientData['steps'][number] }) {
  const [taken, setTaken] = useState<ClientData>();
  const obstacle = useStepObstacle()(step);
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <strong>Suspend</strong> a client that should stay off for a while, such as during a dispute or a repair: fans
        can’t sign in and the app loses access, until a reviewer or an admin enables it again.
      </Text>
      <ActionButton size="xs" disabledReason={obstacle} fresh={step.right.fresh} onClick={() => setTaken(client)}>
        Suspend this client
      </ActionButton>
      {obstacle !== undefined && <Small>{obstacle}</Small>}
      {taken && <TakeStepDialog name="SUSPEND" client={taken} onClose={() => setTaken(undefined)} />}
    </Stack>
  );
}

function KillSwitch({ client: { id } }: { client: ClientData }) {
  const obstacle = useDisabledReason('switches:write');
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        <strong>Use the kill switch</strong> in an incident, whatever the client’s status: fans can’t sign in and the
        app loses access, all staff see it at the top of every page, and once an admin lifts it, the client returns to
        the status it had.
      </Text>
      <DialogButton
        variant="filled"
        size="xs"
        color="red.9"
        leftSection={<HandRaisedIcon width={14} />}
        disabledReason={obstacle}
        fresh
        dialog={(close) => <StopForm kind="CLIENT" subject={id} onClose={close} />}
      >
        Use the kill switch
      </DialogButton>
      {obstacle !== undefined && <Small>{obstacle}</Small>}
    </Stack>
  );
}

const RIGHT = 'sandbox:write';

/** Failures that a sandbox client's developers have armed, and its clock. Staff can arm and end them too. */
function SimulationSection({ client }: { client: ClientData }) {
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
  return (
    <ArmFailure kinds={kinds.data?.failureKinds} {...props}>
      <FailureAlert failure={kinds.error} title="The failures could not be loaded" retry={kinds.refetch} />
    </ArmFailure>
  );
}

/** The name that staff use for the person who armed a failure. */
function armedBy(actor: string): string {
  if (actor.startsWith('member:')) return 'A person of the partner';
  return actor.startsWith('client:') ? 'The partner’s tests' : 'Staff';
}
