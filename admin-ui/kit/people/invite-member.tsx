import { Radio, Stack, TextInput } from '@mantine/core';
import { FormDialog } from '../parts/form-dialog.tsx';
import { nameError, useSendForm } from '../parts/use-send-form.ts';
import { type MemberRole, notifySent, ROLES } from './members.tsx';

interface InviteMemberProps {
  /** Whose workspace it is. */
  partner: { id: string; name: string };
  invite: (wish: { name: string; email: string; role: MemberRole }) => Promise<{ invitationSent: boolean }>;
  onClose: () => void;
}

const SAYS: Record<MemberRole, string> = {
  DEVELOPER: 'Uses the whole workspace: clients, test data, requests and reviews.',
  ADMINISTRATOR: 'Also invites and removes people.',
};

/** The dialog that invites a person to a partner's workspace. Mount it to open it. */
export function InviteMember({ partner, invite, onClose }: InviteMemberProps) {
  const form = useSendForm({
    initialValues: { name: '', email: '', role: 'DEVELOPER' as MemberRole },
    draft: `invite-member.${partner.id}`,
    validate: {
      name: nameError,
      email: (email) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : 'Enter an e-mail address.'),
    },
    send: async ({ name, email, role }) => {
      notifySent(await invite({ name: name.trim(), email: email.trim(), role }), email.trim());
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Invite a person of ${partner.name}`}
      confirmLabel="Send the invitation"
      failureTitle="The person was not invited"
      form={form}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Colleagues see it, and the audit log has it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        type="email"
        label="E-mail address"
        description="A link is sent there. It works once, within 7 days."
        required
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap="xs" mt={6}>
          {(Object.keys(ROLES) as MemberRole[]).map((role) => (
            <Radio key={role} value={role} label={ROLES[role]} description={SAYS[role]} />
          ))}
        </Stack>
      </Radio.Group>
    </FormDialog>
  );
}
