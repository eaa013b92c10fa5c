import type { TadaDocumentNode } from 'gql.tada';
import { useState } from 'react';
import { perform } from '../data/call.ts';
import { graphql, REFUSAL } from '../data/graphql.ts';
import { useChangeBy } from '../data/view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify, notifyWithUndo } from '../parts/undo.tsx';
import type { ClientData, ClientStep } from './document.ts';
import { STEP_WORDS, useStepObstacle } from './steps.ts';

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

/** A button for each step from the client's status. Those that this person may not take say why. */
export function LifecycleActions({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  const [name, setName] = useState<ClientStep['name']>();
  const takeStep = useTakeStep(client);
  const words = name && STEP_WORDS[name];
  return (
    <>
      {client.steps.map((step) => (
        <ActionButton
          key={step.name}
          variant={STEP_WORDS[step.name].look === 'main' ? 'filled' : 'default'}
          disabledReason={obstacleTo(step)}
          fresh={step.right.fresh}
          onClick={() => setName(step.name)}
        >
          {STEP_WORDS[step.name].label ?? STEP_WORDS[step.name].action}
        </ActionButton>
      ))}
      {/* not inside its button, which goes when somebody else takes the step */}
      {name && words && (
        <ConfirmDialog
          title={`${words.action} ${client.name}`}
          confirmLabel={words.action}
          dangerous={words.look === 'dangerous'}
          reason={words.reason}
          run={async (reason) => {
            await takeStep(name, reason);
            const message = `${client.name} ${words.done}.`;
            // the one step that can be undone with no effect on the service: nobody has acted on it yet
            if (name === 'SUBMIT')
              notifyWithUndo(message, () => takeStep('WITHDRAW', 'Undone right after submitting.'));
            else notify(message);
          }}
          onClose={() => setName(undefined)}
        >
          {words.description}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Takes a step. A review decision names the version that is shown. */
function useTakeStep({ id: clientId, version }: ClientData): (name: StepName, reason: string) => Promise<unknown> {
  const { mutateAsync } = useChangeBy(({ name, reason }: { name: StepName; reason: string }) =>
    perform(MUTATIONS[name], { clientId, version, reason }),
  );
  return (name, reason) => mutateAsync({ name, reason });
}
