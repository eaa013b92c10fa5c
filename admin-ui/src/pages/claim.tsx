import { Text } from '@mantine/core';
import { useParams } from 'wouter';
import { useView } from '../../../console-kit/data/view.ts';
import { CopyText } from '../../../console-kit/parts/copy-text.tsx';
import { Facts } from '../../../console-kit/parts/facts.tsx';
import { ProblemAlert } from '../../../console-kit/parts/failure-alert.tsx';
import { findIn } from '../../../console-kit/parts/found.tsx';
import { ModeMark } from '../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../console-kit/parts/moment.tsx';
import { Page } from '../../../console-kit/parts/page.tsx';
import { Section } from '../../../console-kit/parts/section.tsx';
import { LinkButton, ViewLink } from '../../../console-kit/parts/view-link.tsx';
import { graphql } from '../data/graphql.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { ClaimStateMark } from '../fan/states.tsx';
import { storyOf } from '../places.ts';

const CLAIM = graphql(`
  query Claim($id: ID!) {
    claim(id: $id) {
      id state failure setAside attempts nextAttemptAt signature signerWallet destinationWallet createdAt updatedAt
      grant { id client { id name mode } fan { id phone testUser { phone } } }
      permit { id ticket { ticketType { name event { name } } } }
    }
  }
`);

/** One claim: what moves where, and its state; refreshed every ten seconds. */
export function ClaimPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('claim', CLAIM, { id }, { refetchInterval: 10_000 });
  const { found: claim, instead } = findIn(view, 'claim', (data) => data.claim);
  if (!claim) return instead;
  const { grant, permit } = claim;
  return (
    <Page
      title={nameOfTicket(permit.ticket)}
      above={[{ title: 'Claims', href: '/claims' }]}
      marks={
        <>
          <ModeMark mode={grant.client.mode} />
          <ClaimStateMark claim={claim} />
        </>
      }
      actions={<LinkButton href={storyOf(claim.id)}>Timeline</LinkButton>}
    >
      {claim.failure !== null && (
        <ProblemAlert title="The claim failed">
          <Text size="sm">{claim.failure}</Text>
        </ProblemAlert>
      )}
      {claim.setAside !== null && (
        <ProblemAlert title="The claim could not be settled">
          <Text size="sm">{claim.setAside}</Text>
          <Text size="sm">
            {claim.attempts === 1 ? 'One attempt' : `${claim.attempts} attempts`} so far.
            {claim.nextAttemptAt !== null && (
              <>
                {' '}
                Next try: <Moment at={claim.nextAttemptAt} />
              </>
            )}
          </Text>
        </ProblemAlert>
      )}
      <Section title="Claim">
        <Facts
          of={{
            Fan: <Holder of={grant.fan} />,
            Client: <ViewLink href={`/clients/${grant.client.id}`}>{grant.client.name}</ViewLink>,
            Grant: <ViewLink href={`/grants/${grant.id}`}>what the fan allowed</ViewLink>,
            Permit: <ViewLink href={`/permits/${permit.id}`}>the permit that moves</ViewLink>,
            Submitted: <Moment at={claim.createdAt} />,
            Changed: <Moment at={claim.updatedAt} />,
            'Signature (transfer_id)': <CopyText text={claim.signature} label="signature" />,
            'From wallet': <CopyText text={claim.signerWallet} label="signer" />,
            'To wallet': <CopyText text={claim.destinationWallet} label="destination" />,
            'Claim ID': <CopyText text={claim.id} label="claim ID" />,
          }}
        />
      </Section>
    </Page>
  );
}
