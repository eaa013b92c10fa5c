import { TextInput } from '@mantine/core';
import { REFUSAL, useChange } from '../../kit/data/view.ts';
import { DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { useSendForm } from '../../kit/parts/form.ts';
import { graphql } from '../data/graphql.ts';
import { useProposed } from '../proposal/proposals.tsx';

const REOPEN = graphql(`
  mutation ProposeReopen($code: String!, $reason: String!) {
    proposeReopen(code: $code, reason: $reason) { ${REFUSAL} ... on Proposal { id } }
  }
`);

/** For a caller whose long unused number stopped at the sign-in page, which gave them a code. */
export function ReopenAccount() {
  return (
    <DialogButton right="proposals:write" dialog={(close) => <ReopenForm onClose={close} />}>
      Enter a support code
    </DialogButton>
  );
}

function ReopenForm({ onClose }: { onClose: () => void }) {
  const propose = useChange(REOPEN);
  const proposed = useProposed();
  const form = useSendForm({
    initialValues: { code: '', reason: '' },
    validate: {
      code: (text) => (text.trim() === '' ? 'Enter the code that the caller reads out.' : null),
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async ({ code, reason }) => {
      proposed(await propose.mutateAsync({ code: code.trim(), reason: reason.trim() }));
    },
  });
  return (
    <FormDialog
      title="Open an account for the holder of its number"
      confirmLabel="Propose"
      failureTitle="Nothing was proposed"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Code"
        description="From the sign-in page, such as 7K4M-2PQX. It shows that the caller holds the number, not that the account is theirs."
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('code')}
      />
      <ReasonField
        description="How you know that the account is the caller’s. It is added to the audit log."
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}
