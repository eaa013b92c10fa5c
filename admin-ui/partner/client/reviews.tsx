import { Text } from '@mantine/core';
import { asDifferences, isInForce } from '../../kit/client/registration.ts';
import { Reviews } from '../../kit/client/reviews.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL } from '../../kit/data/view.ts';
import { ChangeButton } from '../../kit/parts/dialog.tsx';
import { Diff } from '../../kit/parts/diff.tsx';
import type { ClientData } from './document.ts';

/** What waits for a decision, and every decided review, with its reason. */
export function ClientReviews({ client }: { client: ClientData }) {
  return (
    <Reviews
      reviews={client.reviews}
      titleOfOpen="Waiting for review"
      actions={<WithdrawButton client={client} />}
      submitter={({ submittedBy }) => (submittedBy === 'PARTNER' ? 'your company' : 'the people who run this service')}
      open={({ changes }) =>
        changes === null ? (
          <Text size="sm">This is the first review, of the whole registration.</Text>
        ) : (
          <Diff
            caption="What the change is"
            beforeTitle="In force"
            afterTitle="Requested"
            differences={asDifferences(changes)}
          />
        )
      }
    />
  );
}

const SUBMIT = graphql(`
  mutation SubmitClient($clientId: ID!, $note: String!) {
    submitClient(clientId: $clientId, note: $note) { ${REFUSAL} ... on Client { id } }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawReview($clientId: ID!, $reason: String!) {
    withdrawReview(clientId: $clientId, reason: $reason) { ${REFUSAL} ... on Client { id } }
  }
`);

/** Submits a production client for its first review. */
export function SubmitButton({ client }: { client: ClientData }) {
  return (
    <ChangeButton
      variant="filled"
      title={`Submit ${client.name} for review`}
      confirmLabel="Submit for review"
      reason={{
        label: 'Note to the reviewers',
        description: 'What the app does, and what has to be known about its redirect URIs and scopes.',
      }}
      change={SUBMIT}
      variables={(note) => ({ clientId: client.id, note })}
      done={`${client.name} is waiting for review.`}
    >
      The people who run this service check the redirect URIs and scopes. You see their decision here.
    </ChangeButton>
  );
}

/** Withdraws what waits for review. */
export function WithdrawButton({ client }: { client: ClientData }) {
  const isEdit = isInForce(client);
  return (
    <ChangeButton
      title={isEdit ? 'Withdraw the requested change' : 'Withdraw the review'}
      confirmLabel="Withdraw"
      label={isEdit ? 'Withdraw the change' : 'Withdraw the review'}
      reason={{ label: 'Reason', description: 'The reviewers see it.' }}
      change={WITHDRAW}
      variables={(reason) => ({ clientId: client.id, reason })}
      done="Withdrawn."
    >
      {isEdit
        ? 'The registration in force stays as it is. You can request the change again later.'
        : 'The client becomes a draft again. You can submit it again later.'}
    </ChangeButton>
  );
}
