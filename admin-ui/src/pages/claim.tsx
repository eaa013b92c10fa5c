import { Alert, Anchor, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link, useParams } from 'wouter';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { Holder } from '../fan/holder.tsx';
import { nameOfTicket } from '../fan/names.ts';
import { ClaimStateMark } from '../fan/states.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { FailureAlert } from '../parts/failure-alert.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { ViewLoading } from '../parts/view-loading.tsx';
import { NotFoundPage } from './not-found.tsx';

const CLAIM = graphql(`
  query Claim($id: ID!) {
    claim(id: $id) {
      id state failure setAside attempts nextAttemptAt signature signerWallet destinationWallet createdAt updatedAt
      grant { id client { id name mode } fan { id phone testUser { phone } } }
      permit { id ticket { ticketType { name event { name } } } }
    }
  }
`);

/** One claim: what moves where, and how far it has come; read anew every ten seconds. */
export function ClaimPage() {
  const { id } = useParams<{ id: string }>();
  const view = useView('claim', CLAIM, { id }, { refetchInterval: 10_000 });
  if (view.error && !view.data) {
    return <FailureAlert failure={view.error} title="The claim could not be read" retry={view.refetch} />;
  }
  if (!view.data || view.isPlaceholderData) return <ViewLoading />;
  const { claim } = view.data;
  if (!claim) return <NotFoundPage />;
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
      actions={
        <Button component={Link} href={`/timeline?search=${claim.id}`} variant="default">
          Timeline
        </Button>
      }
    >
      {claim.failure !== null && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="It failed">
          <Text size="sm">{claim.failure}</Text>
        </Alert>
      )}
      {claim.setAside !== null && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="It could not be settled">
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
        </Alert>
      )}
      <Section title="Claim">
        <Facts
          of={[
            ['Fan', <Holder key="fan" of={grant.fan} />],
            [
              'Client',
              <Anchor key="client" component={Link} href={`/clients/${grant.client.id}`} inherit>
                {grant.client.name}
              </Anchor>,
            ],
            [
              'Under the grant',
              <Anchor key="grant" component={Link} href={`/grants/${grant.id}`} inherit>
                what the fan allowed
              </Anchor>,
            ],
            [
              'Permit',
              <Anchor key="permit" component={Link} href={`/permits/${permit.id}`} inherit>
                the permit that moves
              </Anchor>,
            ],
            ['Handed in', <Moment key="created" at={claim.createdAt} />],
            ['Changed', <Moment key="updated" at={claim.updatedAt} />],
            ['Signature (transfer_id)', <CopyText key="s" text={claim.signature} label="signature" labelled={false} />],
            ['From the wallet', <CopyText key="from" text={claim.signerWallet} label="signer" labelled={false} />],
            [
              'To the wallet',
              <CopyText key="to" text={claim.destinationWallet} label="destination" labelled={false} />,
            ],
            ['Claim id', <CopyText key="id" text={claim.id} label="claim id" labelled={false} />],
          ]}
        />
      </Section>
    </Page>
  );
}
