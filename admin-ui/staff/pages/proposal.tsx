import { Button, List, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import type { ReactNode } from 'react';
import { BASE_PATH } from '../../kit/base-path.ts';
import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { ProblemAlert, useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { CodeBlock, Facts, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { pageOfId, storyOf } from '../places.ts';
import { ProposalStateMark } from '../proposal/proposals.tsx';

const PROPOSAL = graphql(`
  query Proposal($id: ID!) {
    proposal(id: $id) {
      id kind title state subject subjectName effects details reason proposedAt expiresAt decidedAt note outcome endedAt
      isYours mayDecide
      proposedBy { id name }
      decidedBy { id name }
      decidesWith { role }
      move { state reason tries retryAt }
    }
  }
`);

type ProposalData = NonNullable<ResultOf<typeof PROPOSAL>['proposal']>;

/** What detail members are called; others are shown by their name. */
const DETAILS: Record<string, string> = {
  destination: 'To wallet',
  fanId: 'Fan',
  holder: 'Account of the new number',
  masked: 'New number',
  provedAt: 'Number proved',
  statement: 'Signed text',
  signature: 'Signature of the wallet',
};

/** One proposal: what will happen, who proposed it and why, and the decision; refreshed every ten seconds. */
export function ProposalPage() {
  const { found: proposal, instead } = useNamed('proposal', PROPOSAL, (data) => data.proposal, {
    refetchInterval: 10_000,
  });
  if (!proposal) return instead;
  const { state, subject, move } = proposal;
  const waits = state === 'PROPOSED';
  return (
    <Page
      title={proposal.title}
      above={[{ title: 'Proposals', href: '/proposals' }]}
      marks={<ProposalStateMark state={state} />}
      actions={
        <>
          <LinkButton href={storyOf(subject)}>Timeline</LinkButton>
          {proposal.kind === 'FAN_COPY' && state === 'DONE' && <CopyLinks id={proposal.id} />}
          {waits && <Decide proposal={proposal} />}
        </>
      }
    >
      {state === 'FAILED' && (
        <ProblemAlert title="It was approved and could not be done">
          <Text size="sm">{proposal.outcome}</Text>
        </ProblemAlert>
      )}
      {state === 'APPROVED' && move?.reason != null && (
        <ProblemAlert title="It waits">
          <Text size="sm">{move.reason}</Text>
          <Text size="sm">
            {move.tries === 1 ? 'One try' : `${move.tries} tries`} so far.
            {move.retryAt !== null && (
              <>
                {' '}
                Next try: <Moment at={move.retryAt} />
              </>
            )}
          </Text>
        </ProblemAlert>
      )}
      <Section title="Proposal">
        <Facts
          of={{
            About: <Subject id={subject} name={proposal.subjectName} />,
            'Proposed by': proposal.proposedBy?.name ?? 'The system',
            Proposed: <Moment at={proposal.proposedAt} />,
            Expires: waits ? <Moment at={proposal.expiresAt} /> : undefined,
            Reason: <span className="breakable">{proposal.reason}</span>,
            [decisionLabel(state)]: proposal.decidedBy?.name,
            'Decided at': proposal.decidedAt === null ? undefined : <Moment at={proposal.decidedAt} />,
            'Reason of the decision':
              proposal.note === null ? undefined : <span className="breakable">{proposal.note}</span>,
            Ended: proposal.endedAt === null ? undefined : <Moment at={proposal.endedAt} />,
          }}
        />
      </Section>
      <Section title={waits ? 'What happens on approval' : 'What was proposed'}>
        <List type="ordered" size="sm" spacing={4}>
          {proposal.effects.map((effect) => (
            <List.Item key={effect} className="breakable">
              {effect}
            </List.Item>
          ))}
        </List>
      </Section>
      <Section title="Details">
        <Facts
          of={{ ...detailsOf(proposal.details), 'Proposal ID': <CopyText text={proposal.id} label="proposal ID" /> }}
        />
        <Rows of={proposal.details} />
      </Section>
    </Page>
  );
}

/** The copy of a fan's data, for the two people of the proposal. */
function CopyLinks({ id }: { id: string }) {
  const link = (format: string, label: string) => (
    <Button component="a" variant="default" href={`${BASE_PATH}/fan-copy/${id}.${format}`} download>
      {label}
    </Button>
  );
  return (
    <>
      {link('html', 'Page to read')}
      {link('json', 'Full file (JSON)')}
    </>
  );
}

function decisionLabel(state: string): string {
  if (state === 'DECLINED') return 'Declined by';
  return state === 'WITHDRAWN' ? 'Withdrawn by' : 'Approved by';
}

function Subject({ id, name }: { id: string; name: string | null }) {
  const page = pageOfId(id);
  const text = name ?? id;
  return page === undefined ? text : <ViewLink href={page}>{text}</ViewLink>;
}

/** The inventory rows of a proposal that has some. */
function Rows({ of: details }: { of: unknown }) {
  if (typeof details !== 'object' || details === null || !('rows' in details)) return null;
  return <CodeBlock label="Rows" text={JSON.stringify(details.rows, null, 2)} maxHeight={260} />;
}

function detailsOf(details: unknown): Record<string, ReactNode> {
  if (typeof details !== 'object' || details === null) return {};
  const plain = Object.entries(details).filter(([, value]) => typeof value !== 'object');
  const named = plain.map(([name, value]) => [DETAILS[name] ?? name, value] as const);
  return Object.fromEntries(named.map(([label, value]) => [label, detailOf(label, value)]));
}

function detailOf(label: string, value: unknown): ReactNode {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (label === DETAILS.provedAt) return <Moment at={text} />;
  return pageOfId(text) === undefined ? <CopyText text={text} label={label} /> : <Subject id={text} name={null} />;
}

const APPROVE = graphql(`
  mutation ApproveProposal($proposalId: ID!, $reason: String!) {
    approveProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

const DECLINE = graphql(`
  mutation DeclineProposal($proposalId: ID!, $reason: String!) {
    declineProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawProposal($proposalId: ID!, $reason: String!) {
    withdrawProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

/** Approves or declines a proposal that waits, or withdraws one's own. */
function Decide({ proposal }: { proposal: ProposalData }) {
  const { id, title, subjectName, effects, reason: why, isYours, mayDecide, proposedBy, decidesWith } = proposal;
  const variables = (reason: string) => ({ proposalId: id, reason });
  const about = subjectName === null ? '' : ` (${subjectName})`;
  if (isYours) {
    return (
      <ChangeButton
        right="proposals:write"
        title="Withdraw the proposal"
        confirmLabel="Withdraw"
        reason={{ label: 'Reason' }}
        change={WITHDRAW}
        variables={variables}
        done="Withdrawn. Nothing happens."
      >
        You proposed this, so someone else has to decide it. Once withdrawn, it can’t be approved.
      </ChangeButton>
    );
  }
  const lack = mayDecide ? {} : { disabledReason: `This needs the role ${decidesWith.role.toLowerCase()}.` };
  return (
    <>
      <ChangeButton
        {...lack}
        fresh
        title="Decline the proposal"
        confirmLabel="Decline"
        reason={{ label: 'Reason', description: 'The person who proposed it sees it. It is added to the audit log.' }}
        change={DECLINE}
        variables={variables}
        done="Declined. Nothing happens."
      >
        {title}
        {about}: nothing happens. It can be proposed again.
      </ChangeButton>
      <ChangeButton
        variant="filled"
        {...lack}
        fresh
        isWide
        dangerous
        title="Approve the proposal"
        confirmLabel="Approve"
        reason={{ label: 'Reason', description: 'What you have checked yourself. It is added to the audit log.' }}
        change={APPROVE}
        variables={variables}
        done="Approved."
      >
        <Stack gap="sm">
          <Text size="sm">
            {title}
            {about}. {proposedBy?.name ?? 'The system'} proposed it: “{why}”
          </Text>
          <List type="ordered" size="sm" spacing={4}>
            {effects.map((effect) => (
              <List.Item key={effect} className="breakable">
                {effect}
              </List.Item>
            ))}
          </List>
        </Stack>
      </ChangeButton>
    </>
  );
}
