import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../kit/data/view.ts';
import { FormDialog } from '../../kit/parts/form-dialog.tsx';
import { nameError, useSendForm } from '../../kit/parts/use-send-form.ts';
import { INVITE, ROLES, type Role } from './documents.ts';
import { LinkShown, type ShownLink } from './link-shown.tsx';

/** Adds a person by name and role, then shows their sign-in link. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const invite = useChange(INVITE);
  const [link, setLink] = useState<ShownLink>();
  const form = useSendForm<{ name: string; role: Role }>({
    initialValues: { name: '', role: 'SUPPORT' },
    draft: 'invite',
    validate: { name: nameError },
    send: async ({ name, role }) => setLink(await invite.mutateAsync({ name: name.trim(), role })),
  });
  if (link) return <LinkShown link={link} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite a person"
      confirmLabel="Create link"
      failureTitle="The person was not invited"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Shown to colleagues and in the audit log."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label="Role" required {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {ROLES.map(({ value, label, description }) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
