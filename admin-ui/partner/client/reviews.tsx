import { Stack, Text } from '@mantine/core';
import { asDifferences, isInForce } from '../../kit/client/registration.ts';
import { DecisionMark } from '../../kit/client/status.tsx';
import { graphql } from '../../kit/data/graphql.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { ChangeButton, ConfirmButton } from '../../kit/parts/dialog.tsx';
import { Diff } from '../../kit/parts/diff.tsx';
import { notify } from '../../kit/parts/notify.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Quiet } from '../../kit/parts/text.tsx';
import { Moment } from '../../kit/parts/values.tsx';
import type { ClientData, ReviewData } from './document.ts';

/** What waits for a decision, and every decided review, with its reason. */
export function ClientReviews({ client }: { client: ClientData }) {
  const open = client.reviews.find(({ decision }) => decision === null);
  const decided = client.reviews.filter(({ decision }) => decision !== null);
  return (
    <Stack gap="md">
      {open && (
        <Section
          title="Waiting for review"
          description={<Submission review={open} />}
          actions={<WithdrawButton client={client} />}
        >
          <Note text={open.note} />
          {open.changes === null ? (
            <Text size="sm">This is the first review, of the whole registration.</Text>
          ) : (
            <Diff
              caption="What the change is"
              beforeTitle="In force"
              afterTitle="Requested"
              differences={asDifferences(open.changes)}
            />
          )}
        </Section>
      )}
      <Section title="Earlier reviews">
        {decided.length === 0 ? (
          <Quiet>{open ? 'This is the first review.' : 'None. Submit the client to start its first review.'}</Quiet>
        ) : (
          <ol className="plain-list">
            {decided.map((review) => (
              <li key={review.id}>
                <DecidedReview review={review} />
              </li>
            ))}
          </ol>
        )}
      </Section>
    </Stack>
  );
}

function DecidedReview({ review }: { review: ReviewData }) {
  const { decision, decidedAt, reason, note } = review;
  return (
    <Stack gap={4} className="story">
      <Text size="sm">
        <Submission review={review} />
      </Text>
      <Note text={note} />
      {decision !== null && decidedAt !== null && (
        <Text size="sm">
          <DecisionMark state={decision} /> <Moment at={decidedAt} />
        </Text>
      )}
      <Note text={reason} />
    </Stack>
  );
}

function Submission({ review: { submittedBy, submittedAt } }: { review: ReviewData }) {
  return (
    <>
      Submitted by {submittedBy === 'PARTNER' ? 'your company' : 'the people who run this service'}{' '}
      <Moment at={submittedAt} />
    </>
  );
}

function Note({ text }: { text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <div className="story">
      <blockquote>{text}</blockquote>
    </div>
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
  const submit = useChange(SUBMIT);
  return (
    <ConfirmButton
      variant="filled"
      title={`Submit ${client.name} for review`}
      confirmLabel="Submit for review"
      reason={{
        label: 'Note to the reviewers',
        description: 'What the app does, and what has to be known about its redirect URIs and scopes.',
      }}
      run={async (note) => {
        await submit.mutateAsync({ clientId: client.id, note });
        notify(`${client.name} is waiting for review.`);
      }}
    >
      The people who run this service check the redirect URIs and scopes. You see their decision here.
    </ConfirmButton>
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
