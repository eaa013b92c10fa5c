import {
  ArrowRightCircleIcon,
  CheckCircleIcon,
  ClockIcon,
  EllipsisHorizontalCircleIcon,
} from '@heroicons/react/24/outline';
import { Alert, Group, Text } from '@mantine/core';
import { Bars } from '../../kit/charts/bars.tsx';
import { linksToTestData, ClientOverview as Overview } from '../../kit/client/client-page.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { useView } from '../../kit/data/view.ts';
import { ProblemAlert } from '../../kit/parts/instead.tsx';
import { type QuickLink, Section, TextLink, ViewLink } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { type ClientData, waitingOf } from './document.ts';
import { SubmitButton, WithdrawButton } from './reviews.tsx';

/** What a client is, whether it works, and what comes next. */
export function ClientOverview({ client }: { client: ClientData }) {
  const { id, mode } = client;
  const sandbox = mode === 'SANDBOX';
  return (
    <Overview
      client={client}
      next={
        <>
          {client.isStopped && (
            <ProblemAlert title="This client is stopped">
              <Text size="sm">
                Sign-ins, token refreshes and calls are refused until the people who run this service lift the stop.
                They can tell you why.
              </Text>
            </ProblemAlert>
          )}
          {!sandbox && <GoLive client={client} />}
          {waitingOf(client) && (
            <Alert variant="default" icon={<ClockIcon />} title="A requested change is waiting for review">
              The registration in force stays as it is until then.{' '}
              <TextLink href={`/clients/${id}?tab=review`}>See what would change</TextLink>
            </Alert>
          )}
        </>
      }
      facts={{ 'Client secret': 'None: clients are public and use PKCE.' }}
      links={[
        ['Requests', `/requests?client=${id}`, 'its calls, and why one was refused'],
        ['Usage', `/usage?client=${id}`, 'its sign-ins, tokens and API calls as charts'],
        ...linksToTestData(client),
        ...(sandbox
          ? [
              [
                'Failures',
                `/failures?client=${id}`,
                'what it has to handle, brought about on demand',
              ] satisfies QuickLink,
            ]
          : []),
      ]}
      more={<Counts client={client} />}
    />
  );
}

/** Grants and claims of the client's fans. */
function Counts({ client: { grantCount, endedGrantCount, claimCounts } }: { client: ClientData }) {
  const claims = claimCounts.map(({ state, count }) => ({ name: CLAIM_STATES[state], count }));
  const hasClaims = claims.some(({ count }) => count > 0);
  return (
    <>
      <Section title="Grants" description="What fans have allowed this client.">
        {grantCount + endedGrantCount === 0 ? (
          <Quiet>No grants yet. A grant begins when a fan signs in and allows access.</Quiet>
        ) : (
          <Bars
            label="Grants"
            rows={[
              { name: 'Active', count: grantCount },
              { name: 'Ended', count: endedGrantCount },
            ]}
          />
        )}
      </Section>
      <Section title="Claims" description="Tickets moved by transfers that this client sent, by state.">
        {hasClaims ? (
          <Bars label="Claims by state" rows={claims} />
        ) : (
          <Quiet>No claims yet. Apps claim with POST /claims/execute.</Quiet>
        )}
      </Section>
    </>
  );
}

const CLAIM_STATES = {
  PENDING: 'Pending',
  SUBMITTED: 'Submitted',
  CONFIRMED: 'Confirmed',
  FAILED: 'Failed',
} as const satisfies Record<ClientData['claimCounts'][number]['state'], string>;

type Step = ClientData['goLive'][number];

/** The way of a production client to its fans: what is done, and whose turn it is. */
function GoLive({ client }: { client: ClientData }) {
  const next = client.goLive.find(({ isNext }) => isNext);
  return (
    <Section
      title={next === undefined ? 'Live' : 'Going live'}
      description={next === undefined ? 'Fans can sign in with this client.' : turnOf(next, client)}
      actions={
        next?.name === 'submitted' ? (
          <SubmitButton client={client} />
        ) : (
          next?.name === 'approved' && client.openReview !== null && <WithdrawButton client={client} />
        )
      }
    >
      {client.status === 'REJECTED' && (
        <Text size="sm">
          The last review was rejected. <ViewLink href={`/clients/${client.id}?tab=review`}>Read why</ViewLink>, change
          the registration and submit it again.
        </Text>
      )}
      {next !== undefined && <AttachedCheck client={client} isBefore={next.name === 'submitted'} />}
      <ol className="plain-list">
        {client.goLive.map((step) => (
          <Group key={step.name} component="li" align="flex-start" gap={10} wrap="nowrap">
            <StepMark step={step} />
            <Text span size="sm" {...(!step.isNext && { c: 'dimmed' })}>
              {step.says}
            </Text>
          </Group>
        ))}
      </ol>
    </Section>
  );
}

const ATTACHED = graphql(`
  query AttachedGoLiveCheck($id: ID!) {
    goLiveChecks(attachedTo: $id, first: 1) { nodes { id finishedAt passed failed isStale } }
  }
`);

/** The newest go-live check that is attached, which the reviewers see; or how to get one. */
function AttachedCheck({ client, isBefore }: { client: ClientData; isBefore: boolean }) {
  const { data } = useView('attached-go-live-check', ATTACHED, { id: client.id });
  if (data === undefined) return null;
  const [run] = data.goLiveChecks.nodes;
  if (run === undefined) {
    return (
      isBefore && (
        <Text size="sm">
          Before you submit it, run a <TextLink href="/go-live-checks">go-live check</TextLink> against your sandbox
          client and attach it: the reviewers see the sheet.
        </Text>
      )
    );
  }
  return (
    <Text size="sm">
      A <TextLink href={`/go-live-checks/${run.id}`}>go-live check</TextLink> is attached: {run.passed} passed,{' '}
      {run.failed} failed. {run.finishedAt === null && 'Finish it, so that the reviewers see the sheet.'}
      {run.isStale && 'It is stale, because redirect URIs have changed since: attach another one.'}
    </Text>
  );
}

function turnOf({ isYours }: Step, { status }: ClientData): string {
  if (status === 'SUSPENDED') return 'The people who run this service have suspended this client. Ask them why.';
  return isYours ? 'The next step is yours.' : 'The next step is with the people who run this service.';
}

function StepMark({ step: { done, isNext } }: { step: Step }) {
  const Icon = done ? CheckCircleIcon : isNext ? ArrowRightCircleIcon : EllipsisHorizontalCircleIcon;
  return (
    <span className="go-live-mark" data-done={done || undefined}>
      <Icon width={18} />
      <span className="visually-hidden">{done ? 'Done: ' : isNext ? 'Next: ' : 'Later: '}</span>
    </span>
  );
}
