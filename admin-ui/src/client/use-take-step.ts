import type { TadaDocumentNode } from 'gql.tada';
import { perform } from '../data/call.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChangeBy } from '../data/view.ts';
import type { ClientData, ClientStep } from './document.ts';

type StepName = ClientStep['name'];

/** The variables of all steps. A document declares those that its mutation has; the service ignores the others. */
type StepVariables = { clientId: string; version: number; reason: string };

const MUTATIONS: Record<StepName, TadaDocumentNode<Record<string, unknown>, StepVariables>> = {
  SUBMIT: graphql(`mutation SubmitClient($clientId: ID!, $reason: String!) {
    submitClient(clientId: $clientId, note: $reason) { ${REFUSAL} }
  }`),
  WITHDRAW: graphql(`mutation WithdrawReview($clientId: ID!, $reason: String!) {
    withdrawReview(clientId: $clientId, reason: $reason) { ${REFUSAL} }
  }`),
  REJECT: graphql(`mutation RejectClient($clientId: ID!, $version: Int!, $reason: String!) {
    rejectClient(clientId: $clientId, version: $version, reason: $reason) { ${REFUSAL} }
  }`),
  APPROVE: graphql(`mutation ApproveClient($clientId: ID!, $version: Int!, $reason: String!) {
    approveClient(clientId: $clientId, version: $version, reason: $reason) { ${REFUSAL} }
  }`),
  ENABLE: graphql(`mutation EnableClient($clientId: ID!, $reason: String!) {
    enableClient(clientId: $clientId, reason: $reason) { ${REFUSAL} }
  }`),
  SUSPEND: graphql(`mutation SuspendClient($clientId: ID!, $reason: String!) {
    suspendClient(clientId: $clientId, reason: $reason) { ${REFUSAL} }
  }`),
};

/** Takes a step. A review decision names the version that is shown. */
export function useTakeStep({
  id: clientId,
  version,
}: ClientData): (name: StepName, reason: string) => Promise<unknown> {
  const { mutateAsync } = useChangeBy(({ name, reason }: { name: StepName; reason: string }) =>
    perform(MUTATIONS[name], { clientId, version, reason }),
  );
  return (name, reason) => mutateAsync({ name, reason });
}
