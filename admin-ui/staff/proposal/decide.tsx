import { List, Stack, Text } from '@mantine/core';
import { REFUSAL } from '../../kit/data/document.ts';
import { useChange } from '../../kit/data/view.ts';
import { ConfirmButton } from '../../kit/parts/confirm-dialog.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { graphql } from '../data/graphql.ts';

const APPROVE = graphql(`
  mutation ApproveProposal($proposalId: ID!, $reason: String!) {
    approveProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

const DECLINE = graphql(`
  mutation DeclineProposal($proposalId: ID!, $reason: String!) {
    declineProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

const WITHDRAW = graphql(`
  mutation WithdrawProposal($proposalId: ID!, $reason: String!) {
    withdrawProposal(proposalId: $proposalId, reason: $reason) { ${REFUSAL} ... on Proposal { id state } }
  }
`);

interface DecideProps {
  proposal: {
    id: string;
    title: string;
    subjectName: string | null;
    effects: readonly string[];
    reason: string;
    isYours: boolean;
    mayDecide: boolean;
    proposedBy: { name: string } | null;
    decidesWith: { role: string };
  };
}

/** Approves or declines a proposal that waits, or withdraws one's own. */
export function Decide({ proposal }: DecideProps) {
  const [approve, decline, withdraw] = [useChange(APPROVE), useChange(DECLINE), useChange(WITHDRAW)];
  const { id, title, subjectName, effects, reason: why, isYours, mayDecide, proposedBy, decidesWith } = proposal;
  const about = subjectName === null ? '' : ` (${subjectName})`;
  if (isYours) {
    return (
      <ConfirmButton
        variant="default"
        right="proposals:write"
        title="Withdraw the proposal"
        confirmLabel="Withdraw"
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await withdraw.mutateAsync({ proposalId: id, reason });
          notify('Withdrawn. Nothing happens.');
        }}
      >
        You proposed this, so someone else has to decide it. Once withdrawn, it can’t be approved.
      </ConfirmButton>
    );
  }
  const lack = mayDecide ? {} : { disabledReason: `This needs the role ${decidesWith.role.toLowerCase()}.` };
  return (
    <>
      <ConfirmButton
        {...lack}
        variant="default"
        fresh
        title="Decline the proposal"
        confirmLabel="Decline"
        reason={{ label: 'Reason', description: 'The person who proposed it sees it. It is added to the audit log.' }}
        run={async (reason) => {
          await decline.mutateAsync({ proposalId: id, reason });
          notify('Declined. Nothing happens.');
        }}
      >
        {title}
        {about}: nothing happens. It can be proposed again.
      </ConfirmButton>
      <ConfirmButton
        {...lack}
        fresh
        isWide
        dangerous
        title="Approve the proposal"
        confirmLabel="Approve"
        reason={{ label: 'Reason', description: 'What you have checked yourself. It is added to the audit log.' }}
        run={async (reason) => {
          await approve.mutateAsync({ proposalId: id, reason });
          notify('Approved.');
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            {title}
            {about}. {proposedBy?.name ?? 'The system'} proposed it: “{why}”
          </Text>
          <List type="ordered" size="sm" spacing={4}>
            {effects.map((effect) => (
              <List.Item key={effect} className="breakable">
                {effect}
              </List.Item>
            ))}
          </List>
        </Stack>
      </ConfirmButton>
    </>
  );
}
