import { Group, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../../console-kit/data/view.ts';
import { ActionButton } from '../../../console-kit/parts/action-button.tsx';
import { ConfirmButton } from '../../../console-kit/parts/confirm-dialog.tsx';
import { EmptyState } from '../../../console-kit/parts/empty-state.tsx';
import { FormDialog } from '../../../console-kit/parts/form-dialog.tsx';
import { StateMark, type Tone } from '../../../console-kit/parts/marks.tsx';
import { Moment } from '../../../console-kit/parts/moment.tsx';
import { Rows } from '../../../console-kit/parts/rows.tsx';
import { Section } from '../../../console-kit/parts/section.tsx';
import { notify } from '../../../console-kit/parts/undo.tsx';
import { nameError, useSendForm } from '../../../console-kit/parts/use-send-form.ts';
import { INVITE_MEMBER, type Member, type PeopleOfPartner, RESEND_INVITATION, REVOKE_MEMBER } from './documents.ts';

const RIGHT = 'members:write';

const STATES: Record<Member['state'], { label: string; tone: Tone }> = {
  INVITED: { label: 'Invited', tone: 'waiting' },
  JOINED: { label: 'Joined', tone: 'good' },
  REVOKED: { label: 'Revoked', tone: 'bad' },
};

/** Who of a partner may open its workspace: invite, invite again, revoke. */
export function PartnerPeople({ partner }: { partner: PeopleOfPartner }) {
  const [inviting, setInviting] = useState(false);
  const invite = (
    <ActionButton
      size="xs"
      right={RIGHT}
      leftSection={<IconUserPlus size={16} aria-hidden />}
      onClick={() => setInviting(true)}
    >
      Invite a person
    </ActionButton>
  );
  return (
    <Section
      title="People"
      description="They use the partner workspace: clients, test data and requests of this partner only."
      actions={partner.members.length > 0 && invite}
    >
      {partner.members.length === 0 ? (
        <EmptyState icon={<IconUsers />} title="Nobody yet" actions={invite}>
          Invite the partner’s developers by e-mail. They see only what is the partner’s.
        </EmptyState>
      ) : (
        <Rows
          caption="People"
          rows={partner.members}
          columns={{
            Name: ({ name, email }) => (
              <Stack gap={0}>
                <span>{name}</span>
                <Text span size="xs" c="dimmed" className="breakable">
                  {email}
                </Text>
              </Stack>
            ),
            State: (member) => <MemberState member={member} />,
            'Signed in': ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Moment at={lastSignInAt} />),
            Change: (member) => member.state !== 'REVOKED' && <MemberActions member={member} />,
          }}
        />
      )}
      {inviting && <InviteMember partner={partner} onClose={() => setInviting(false)} />}
    </Section>
  );
}

function MemberState({ member: { state, invitationExpiresAt } }: { member: Member }) {
  const isLate = invitationExpiresAt === null || new Date(invitationExpiresAt).getTime() < Date.now();
  return (
    <span className="line-start">
      <StateMark tone={STATES[state].tone}>{STATES[state].label}</StateMark>
      {state === 'INVITED' && (
        <Text span size="xs" c="dimmed">
          {isLate ? 'the link has expired' : <ExpiresIn at={invitationExpiresAt} />}
        </Text>
      )}
    </span>
  );
}

function ExpiresIn({ at }: { at: string }) {
  return (
    <>
      the link expires <Moment at={at} />
    </>
  );
}

function MemberActions({ member: { id, name, email, state } }: { member: Member }) {
  const resend = useChange(RESEND_INVITATION);
  const revoke = useChange(REVOKE_MEMBER);
  const button = { size: 'xs', variant: 'default', right: RIGHT } as const;
  const labelled = (label: string) => (
    <>
      {label}
      <span className="visually-hidden"> {name}</span>
    </>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {state === 'INVITED' && (
        <ConfirmButton
          {...button}
          label={labelled('Invite again')}
          title={`Invite ${name} again`}
          confirmLabel="Send the invitation"
          run={async () => {
            await resend.mutateAsync({ memberId: id });
            notify(`Another invitation was sent to ${email}.`);
          }}
        >
          A new link is sent to {email}. The link before it stops working.
        </ConfirmButton>
      )}
      <ConfirmButton
        {...button}
        label={labelled('Revoke')}
        title={`Revoke ${name}`}
        confirmLabel="Revoke"
        dangerous
        reason={{ label: 'Reason' }}
        run={async (reason) => {
          await revoke.mutateAsync({ memberId: id, reason });
          notify(`${name} can no longer sign in.`);
        }}
      >
        Links and sessions end at once. This can’t be undone, but the same address can be invited again.
      </ConfirmButton>
    </Group>
  );
}

function InviteMember({ partner, onClose }: { partner: PeopleOfPartner; onClose: () => void }) {
  const invite = useChange(INVITE_MEMBER);
  const form = useSendForm({
    initialValues: { name: '', email: '' },
    draft: `invite-member.${partner.id}`,
    validate: {
      name: nameError,
      email: (email) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : 'Enter an e-mail address.'),
    },
    send: async ({ name, email }) => {
      const invited = await invite.mutateAsync({ partnerId: partner.id, name: name.trim(), email: email.trim() });
      notify(`An invitation was sent to ${invited.email}.`);
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
    </FormDialog>
  );
}
