import { graphql } from '../data/graphql.ts';
import { useChange } from '../data/view.ts';
import type { ClientData } from './document.ts';
import type { Step } from './steps.ts';

const SUBMIT = graphql(`
  mutation SubmitClient($clientId: ID!, $note: String!) {
    submitClient(clientId: $clientId, note: $note) {
      __typename
      ... on ClientReview { id }
      ... on Refusal { code message }
    }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawReview($clientId: ID!, $reason: String!) {
    withdrawReview(clientId: $clientId, reason: $reason) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

const APPROVE = graphql(`
  mutation ApproveClient($clientId: ID!, $version: Int!, $reason: String!) {
    approveClient(clientId: $clientId, version: $version, reason: $reason) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

const REJECT = graphql(`
  mutation RejectClient($clientId: ID!, $version: Int!, $reason: String!) {
    rejectClient(clientId: $clientId, version: $version, reason: $reason) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

const ENABLE = graphql(`
  mutation EnableClient($clientId: ID!, $reason: String!) {
    enableClient(clientId: $clientId, reason: $reason) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

const SUSPEND = graphql(`
  mutation SuspendClient($clientId: ID!, $reason: String!) {
    suspendClient(clientId: $clientId, reason: $reason) {
      __typename
      ... on Client { id }
      ... on Refusal { code message }
    }
  }
`);

/** Each step of a client as a function of its reason. What it decides about is the version that is shown. */
export function useSteps({
  id: clientId,
  version,
}: ClientData): Record<Step['name'], (reason: string) => Promise<unknown>> {
  const submit = useChange(SUBMIT);
  const withdraw = useChange(WITHDRAW);
  const approve = useChange(APPROVE);
  const reject = useChange(REJECT);
  const enable = useChange(ENABLE);
  const suspend = useChange(SUSPEND);
  return {
    submit: (note) => submit.mutateAsync({ clientId, note }),
    withdraw: (reason) => withdraw.mutateAsync({ clientId, reason }),
    approve: (reason) => approve.mutateAsync({ clientId, version, reason }),
    reject: (reason) => reject.mutateAsync({ clientId, version, reason }),
    enable: (reason) => enable.mutateAsync({ clientId, reason }),
    suspend: (reason) => suspend.mutateAsync({ clientId, reason }),
  };
}
