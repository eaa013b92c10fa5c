import { Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../kit/data/call.ts';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { MORE_TO_COME, useSendForm } from '../../kit/parts/form.ts';
import { LinkButton } from '../../kit/parts/page.tsx';
import { CodeBlock } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useProposed } from './proposals.tsx';

const STATEMENT = graphql(`
  query StatementToSign($permitId: ID!, $destination: String!) {
    statementToSign(permitId: $permitId, destination: $destination)
  }
`);

const PROPOSE = graphql(`
  mutation ProposeMoveOut($permitId: ID!, $destination: String!, $statement: String!, $signature: String!, $reason: String!) {
    proposeMoveOut(permitId: $permitId, destination: $destination, statement: $statement, signature: $signature, reason: $reason) {
      ${REFUSAL} ... on Proposal { id }
    }
  }
`);

interface MoveOutProps {
  permit: { id: string; state: string; ticket: { owner: object | null } };
  /** A proposal about the permit that has not ended. */
  openProposal: string | undefined;
}

/** Proposes that a ticket moves to a wallet outside, or leads to the proposal that is open. */
export function MoveOut({ permit, openProposal }: MoveOutProps) {
  if (openProposal !== undefined) return <LinkButton href={`/proposals/${openProposal}`}>Open proposal</LinkButton>;
  return (
    <DialogButton
      right="proposals:write"
      disabledReason={lackOf(permit)}
      dialog={(close) => <MoveOutForm permitId={permit.id} onClose={close} />}
    >
      Move out
    </DialogButton>
  );
}

function lackOf({ state, ticket }: MoveOutProps['permit']): string | undefined {
  if (ticket.owner === null) return 'The ticket is in a wallet outside already.';
  if (state === 'WAITING') return 'The permit is not onchain yet.';
  return state === 'REVOKED' ? 'The permit is revoked.' : undefined;
}

/** Two steps: the wallet, for which there is a text to sign; then its signature and the reason. */
function MoveOutForm({ permitId, onClose }: { permitId: string; onClose: () => void }) {
  const propose = useChange(PROPOSE);
  const proposed = useProposed();
  const [statement, setStatement] = useState<string>();
  const form = useSendForm({
    initialValues: { destination: '', signature: '', reason: '' },
    validate: {
      destination: (text) => (text.trim() === '' ? 'Enter the address of the wallet.' : null),
      signature: (text) =>
        statement !== undefined && text.trim() === '' ? 'Enter the signature that the wallet made.' : null,
      reason: (text) => (statement !== undefined && text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async (values) => {
      const destination = values.destination.trim();
      if (statement === undefined) {
        setStatement((await call(STATEMENT, { permitId, destination })).statementToSign);
        return MORE_TO_COME;
      }
      proposed(
        await propose.mutateAsync({
          permitId,
          destination,
          statement,
          signature: values.signature.trim(),
          reason: values.reason.trim(),
        }),
      );
    },
    onClose,
  });
  const { getInputProps } = form;
  const wallet = getInputProps('destination');
  return (
    <FormDialog
      title="Move a ticket to a wallet outside"
      confirmLabel={statement === undefined ? 'Continue' : 'Propose'}
      failureTitle="Nothing was proposed"
      isWide
      form={form}
    >
      <Text size="sm">
        The ticket leaves this service for a wallet whose key the fan keeps. A second person has to approve it, and it
        can’t be undone here.
      </Text>
      <TextInput
        label="Wallet address"
        description="Solana, base58. Addresses of programs and wallets of this service are refused."
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...wallet}
        onChange={(event) => {
          // the text names the wallet: another one needs another text
          setStatement(undefined);
          wallet.onChange(event);
        }}
      />
      {statement !== undefined && (
        <>
          <Stack gap={4}>
            <Text size="sm" fw={600}>
              Text to sign
            </Text>
            <Text size="xs" c="dimmed">
              Send it to the holder of the wallet, who signs it there within a week: in a browser wallet as a message,
              or with <code>solana sign-offchain-message</code>. The signature shows that somebody holds the key.
            </Text>
            <CodeBlock text={statement} label="Text to sign" wraps />
          </Stack>
          <Textarea
            label="Signature"
            description="Base58 or base64."
            required
            autosize
            minRows={2}
            spellCheck={false}
            {...getInputProps('signature')}
          />
          <ReasonField
            description="Who asked for it and how you know that it was the fan; or, if the company moves it without the fan, why. It is added to the audit log."
            {...getInputProps('reason')}
          />
        </>
      )}
    </FormDialog>
  );
}
