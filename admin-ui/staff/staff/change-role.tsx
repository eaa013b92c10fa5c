import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton, type ActionButtonProps } from '../../kit/parts/action-button.tsx';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { ReasonField } from '../../kit/parts/reason-field.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { useSendForm } from '../../kit/parts/use-send-form.ts';
import { type Person, ROLES, type Role, SET_ROLE } from './documents.ts';

/** Gives a person another role. */
export function ChangeRole({ person, ...button }: Omit<ActionButtonProps, 'onClick'> & { person: Person }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton {...button} onClick={() => setAsking(true)} />
      {asking && <RoleDialog person={person} onClose={() => setAsking(false)} />}
    </>
  );
}

function RoleDialog({ person: { id, name, role }, onClose }: { person: Person; onClose: () => void }) {
  const setRole = useChange(SET_ROLE);
  const form = useSendForm<{ role: Role; reason: string }>({
    initialValues: { role, reason: '' },
    validate: {
      role: (chosen) => (chosen === role ? 'This is the role already.' : null),
      reason: (text) => (text.trim() === '' ? 'Enter a reason.' : null),
    },
    send: async (values) => {
      await setRole.mutateAsync({ id, role: values.role, reason: values.reason.trim() });
      notify(`${name} has another role now.`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Change the role of ${name}`}
      confirmLabel="Change role"
      failureTitle="The role was not changed"
      form={form}
      onClose={onClose}
    >
      <Radio.Group
        label="Role"
        description="It counts from the person’s next call on, also for their tokens."
        {...form.getInputProps('role')}
      >
        <Stack gap="xs" mt="xs">
          {ROLES.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <ReasonField {...form.getInputProps('reason')} />
    </FormDialog>
  );
}
