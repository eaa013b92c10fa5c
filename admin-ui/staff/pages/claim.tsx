import { List, Stack, Text } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { ProblemAlert, useNamed } from '../../kit/parts/instead.tsx';
import { LinkButton, Page, Section, TextLink, ViewLink } from '../../kit/parts/page.tsx';
import { CopyText } from '../../kit/parts/text.tsx';
import { Facts, inUtc, Moment } from '../../kit/parts/values.tsx';
import { RunbookNote } from '../dashboard/needs-list.tsx';
import { graphql } from '../data/graphql.ts';
import { ClaimStateMark, Holder, NO_ANSWER, nameOfTicket } from '../fan/tickets.tsx';
import { storyOf } from '../places.ts';

const CLAIM = graphql(`
  query Claim($id: ID!) {
    claim(id: $id) {
      id state stuck failure setAside attempts nextAttemptAt signature signerWallet destinationWallet createdAt updatedAt
      grant { id client { id name mode } fan { id phone testUser { phone } } }
      permit { id ticket { ticketType { name event { name } } } }
    }
  }
`);

type ClaimData = NonNullable<ResultOf<typeof CLAIM>['claim']>;

/** One claim: what moves where, and its state; refreshed every ten seconds. */
export function ClaimPage() {
  const { found: claim, instead } = useNamed('claim', CLAIM, (data) => data.claim, { refetchInterval: 10_000 });
  if (!claim) return instead;
  const { grant, permit } = claim;
  return (
    <Page
      title={nameOfTicket(permit.ticket)}
      above={[{ title: 'Claims', href: '/claims' }]}
      mode={grant.client.mode}
      marks={<ClaimStateMark claim={claim} />}
      actions={<LinkButton href={storyOf(claim.id)}>Timeline</LinkButton>}
    >
      {claim.state === 'FAILED' && <FailedAlert claim={claim} />}
      {claim.stuck && <StuckAlert claim={claim} />}
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

/** A failed claim is over; until the last look it may still turn out to have landed. */
function FailedAlert({ claim: { failure, nextAttemptAt } }: { claim: ClaimData }) {
  return (
    <ProblemAlert title="The claim failed">
      <Stack gap="xs">
        <Text size="sm">{failure}</Text>
        <Text size="sm">
          The ticket has not moved. The app can claim it again with a new transaction.
          {nextAttemptAt !== null && (
            <>
              {' '}
              The chain is asked again whether this one landed after all, next <Moment at={nextAttemptAt} />; if it did,
              the claim is confirmed.
            </>
          )}
        </Text>
      </Stack>
    </ProblemAlert>
  );
}

/** Why it does not settle, and what support and the operator can do about it. */
function StuckAlert({ claim }: { claim: ClaimData }) {
  const { setAside, attempts, nextAttemptAt, createdAt, permit } = claim;
  return (
    <ProblemAlert title="The claim could not be settled">
      <Stack gap="xs">
        <Text size="sm" className="breakable">
          {setAside ?? `Open since ${inUtc(createdAt)}: ${NO_ANSWER}.`}
        </Text>
        <Text size="sm">
          {attempts === 1 ? 'One attempt' : `${attempts} attempts`} so far.
          {nextAttemptAt !== null && (
            <>
              {' '}
              Next try: <Moment at={nextAttemptAt} />
            </>
          )}
        </Text>
        <List size="sm" spacing={4} aria-label="What to do">
          <List.Item>
            Nothing has to be pressed: it is tried again at least every five minutes, and never carried out twice.
            Nobody can cancel it.
          </List.Item>
          <List.Item>
            Tell the partner to send the same request again: it returns this claim, with its end once there is one.
          </List.Item>
          <List.Item>
            If it stays for an hour, search an explorer for the signature. If it has landed, look at{' '}
            <TextLink href={`/permits/${permit.id}`}>the permit</TextLink>: its onchain state can’t be read. If it has
            not, the claim fails once the cluster answers, and the app can claim again.
          </List.Item>
          <List.Item>
            The operator checks that the cluster answers (Home says if not) and that the job settle-claims runs.{' '}
            <RunbookNote section="ClaimsSetAside" />
          </List.Item>
        </List>
      </Stack>
    </ProblemAlert>
  );
}
