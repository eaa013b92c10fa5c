import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';
import { type ClientData, isInForce } from './document.ts';

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
  const withdraw = useChange(WITHDRAW);
  const isEdit = isInForce(client);
  return (
    <ConfirmButton
      title={isEdit ? 'Withdraw the requested change' : 'Withdraw the review'}
      confirmLabel="Withdraw"
      variant="default"
      label={isEdit ? 'Withdraw the change' : 'Withdraw the review'}
      reason={{ label: 'Reason', description: 'The reviewers see it.' }}
      run={async (reason) => {
        await withdraw.mutateAsync({ clientId: client.id, reason });
        notify('Withdrawn.');
      }}
    >
      {isEdit
        ? 'The registration in force stays as it is. You can request the change again later.'
        : 'The client becomes a draft again. You can submit it again later.'}
    </ConfirmButton>
  );
}
