import type { TadaDocumentNode } from 'gql.tada';
import { perform } from '../../kit/data/call.ts';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChangeBy } from '../../kit/data/view.ts';
import { ConfirmDialog } from '../../kit/parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../../kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import { type ClientData, type ClientStep, openReviewOf } from './document.ts';
import { titleOf, wordsOf } from './steps.ts';

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

interface TakeStepDialogProps {
  client: ClientData;
  name: StepName;
  onClose: () => void;
}

/** Asks for the reason and takes a step. Approval shows all that it is about. */
export function TakeStepDialog({ client, name, onClose }: TakeStepDialogProps) {
  const takeStep = useTakeStep(client);
  const words = wordsOf(client, name);
  const review = openReviewOf(client);
  const take = async (reason: string) => {
    await takeStep(name, reason);
    const message = `${client.name} ${words.done}.`;
    // the one step that can be undone with no effect on the service: nobody has acted on it yet
    if (name === 'SUBMIT') notifyWithUndo(message, () => takeStep('WITHDRAW', 'Undone right after submitting.'));
    else notify(message);
  };
  if (name === 'APPROVE' && review) {
    return <ApproveDialog client={client} review={review} words={words} approve={take} onClose={onClose} />;
  }
  return (
    <ConfirmDialog
      title={titleOf(words, client)}
      confirmLabel={words.action}
      dangerous={words.look === 'dangerous'}
      reason={words.reason}
      run={take}
      onClose={onClose}
    >
      {words.description}
    </ConfirmDialog>
  );
}

/** Takes a step. A review decision names the version that is shown. */
function useTakeStep({ id: clientId, version }: ClientData): (name: StepName, reason: string) => Promise<unknown> {
  const { mutateAsync } = useChangeBy(({ name, reason }: { name: StepName; reason: string }) =>
    perform(MUTATIONS[name], { clientId, version, reason }),
  );
  return (name, reason) => mutateAsync({ name, reason });
}
