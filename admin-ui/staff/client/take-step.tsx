import { Stack, Text } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import { useState } from 'react';
import { perform } from '../../kit/data/call.ts';
import { REFUSAL, useChangeBy } from '../../kit/data/view.ts';
import { ActionButton, ConfirmDialog } from '../../kit/parts/dialog.tsx';
import { notify, notifyWithUndo } from '../../kit/parts/notify.tsx';
import { graphql } from '../data/graphql.ts';
import { ENDS_SALES } from '../fan/sales.tsx';
import { type ClientData, type ClientStep, openReviewOf, type ReviewData } from './document.ts';
import { useLogo } from './logo.tsx';
import { ReviewSummary } from './review-summary.tsx';
import { mainStepOf, type StepWords, titleOf, useStepObstacle, wordsOf } from './steps.ts';

type StepName = ClientStep['name'];

/** The variables of all steps. A document declares those that its mutation has; the service ignores the others. */
type StepVariables = { clientId: string; version: number; reason: string; endsSales: boolean };

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
  SUSPEND: graphql(`mutation SuspendClient($clientId: ID!, $reason: String!, $endsSales: Boolean!) {
    suspendClient(clientId: $clientId, reason: $reason, endsSales: $endsSales) { ${REFUSAL} }
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
  const take = async (reason: string, _?: string, endsSales = false) => {
    await takeStep(name, reason, endsSales);
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
      option={name === 'SUSPEND' ? ENDS_SALES : undefined}
      reason={words.reason}
      run={take}
      onClose={onClose}
    >
      {words.description}
    </ConfirmDialog>
  );
}

/** Takes a step. A review decision names the version that is shown. */
function useTakeStep({ id: clientId, version }: ClientData) {
  const { mutateAsync } = useChangeBy(({ name, ...rest }: { name: StepName; reason: string; endsSales: boolean }) =>
    perform(MUTATIONS[name], { clientId, version, ...rest }),
  );
  return (name: StepName, reason: string, endsSales = false) => mutateAsync({ name, reason, endsSales });
}

interface ApproveDialogProps {
  client: ClientData;
  review: ReviewData;
  words: StepWords;
  approve: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** The whole registration and the approval of it in one place, so that nobody approves what they have not seen. */
function ApproveDialog({ client, review, words, approve, onClose }: ApproveDialogProps) {
  const logo = useLogo(client.id);
  return (
    <ConfirmDialog
      title={titleOf(words, client)}
      confirmLabel={words.action}
      reason={words.reason}
      isWide
      isWaiting={logo.isLoading || logo.error !== null}
      run={approve}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{words.description}</Text>
        <section
          className="reading-area"
          aria-label="What you approve"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <ReviewSummary client={client} review={review} logo={logo} />
        </section>
      </Stack>
    </ConfirmDialog>
  );
}

/** A button for each step that can be taken now. Those that this person can’t take say why. */
export function LifecycleActions({ client }: { client: ClientData }) {
  const obstacleTo = useStepObstacle();
  // the client as it was when the dialog opened: what is decided about must not change under the reader
  const [taking, setTaking] = useState<{ name: ClientStep['name']; client: ClientData }>();
  const main = mainStepOf(client);
  return (
    <>
      {client.steps.map((step) => {
        const words = wordsOf(client, step.name);
        return (
          <ActionButton
            key={step.name}
            variant={step === main ? 'filled' : 'default'}
            disabledReason={obstacleTo(step)}
            fresh={step.right.fresh}
            onClick={() => setTaking({ name: step.name, client })}
          >
            {words.label ?? words.action}
          </ActionButton>
        );
      })}
      {/* not inside its button, which disappears when somebody else takes the step */}
      {taking && <TakeStepDialog {...taking} onClose={() => setTaking(undefined)} />}
    </>
  );
}
