import { Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed, IconCircleDot } from '@tabler/icons-react';
import { useView } from '../../kit/data/view.ts';
import { Section } from '../../kit/parts/section.tsx';
import { ViewLink } from '../../kit/parts/view-link.tsx';
import { graphql } from '../data/graphql.ts';
import type { ClientData } from './document.ts';
import { SubmitButton, WithdrawButton } from './review-buttons.tsx';

type Step = ClientData['goLive'][number];

/** The way of a production client to its fans: what is done, and whose turn it is. */
export function GoLive({ client }: { client: ClientData }) {
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
          The last review was rejected. <ViewLink href={`/clients/${client.id}?tab=reviews`}>Read why</ViewLink>, change
          the registration and submit it again.
        </Text>
      )}
      {next !== undefined && <AttachedCheck client={client} isBefore={next.name === 'submitted'} />}
      <ol className="plain-list">
        {client.goLive.map((step) => (
          <li key={step.name} className="go-live-step">
            <StepMark step={step} />
            <Text span size="sm" {...(!step.isNext && { c: 'dimmed' })}>
              {step.says}
            </Text>
          </li>
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
          Before you submit it, run a{' '}
          <ViewLink href="/go-live-checks" underline="always">
            go-live check
          </ViewLink>{' '}
          against your sandbox client and attach it: the reviewers see the sheet.
        </Text>
      )
    );
  }
  return (
    <Text size="sm">
      A{' '}
      <ViewLink href={`/go-live-checks/${run.id}`} underline="always">
        go-live check
      </ViewLink>{' '}
      is attached: {run.passed} passed, {run.failed} failed.{' '}
      {run.finishedAt === null && 'Finish it, so that the reviewers see the sheet.'}
      {run.isStale && 'It is stale, because redirect URIs have changed since: attach another one.'}
    </Text>
  );
}

function turnOf({ isYours }: Step, { status }: ClientData): string {
  if (status === 'SUSPENDED') return 'The people who run this service have suspended this client. Ask them why.';
  return isYours ? 'The next step is yours.' : 'The next step is with the people who run this service.';
}

function StepMark({ step: { done, isNext } }: { step: Step }) {
  const Icon = done ? IconCircleCheck : isNext ? IconCircleDot : IconCircleDashed;
  return (
    <span className="go-live-mark" data-done={done || undefined}>
      <Icon size={18} aria-hidden />
      <span className="visually-hidden">{done ? 'Done: ' : isNext ? 'Next: ' : 'Later: '}</span>
    </span>
  );
}
