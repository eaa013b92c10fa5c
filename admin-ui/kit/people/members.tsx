import { UserPlusIcon } from '@heroicons/react/24/outline';
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { TadaDocumentNode } from 'gql.tada';
import { ChangeButton, ConfirmButton, DialogButton, FormDialog } from '../parts/dialog.tsx';
import { nameError, useSendForm } from '../parts/form.ts';
import { notify } from '../parts/notify.tsx';
import { Rows } from '../parts/rows.tsx';
import { Small } from '../parts/text.tsx';
import { Moment, statesOf } from '../parts/values.tsx';

type MemberRole = 'DEVELOPER' | 'ADMINISTRATOR';

/** A person of a partner. */
export interface Member {
  id: string;
  name: string;
  email: string;
  role: MemberRole;
  state: 'INVITED' | 'JOINED' | 'REVOKED';
  invitationSent: boolean;
  invitationExpiresAt: string | null;
  lastSignInAt: string | null;
  isYou?: boolean;
}

/** How people are changed: each application has mutations of its own. */
interface MemberChanges {
  resend(memberId: string): Promise<{ invitationSent: boolean }>;
  revoke: TadaDocumentNode<unknown, { memberId: string; reason: string }>;
  setRole: TadaDocumentNode<unknown, { memberId: string; role: MemberRole }>;
  /** Signs somebody out in all browsers, where the application can. */
  endSessions?: TadaDocumentNode<unknown, { memberId: string; reason: string }>;
}

/** The right that the buttons ask for. In the workspace administrators have it, and only they get the buttons. */
const RIGHT = 'members:write';

const { Mark } = statesOf<Member['state']>({
  INVITED: ['Invited', 'waiting'],
  JOINED: ['Joined', 'good'],
  REVOKED: ['Removed', 'bad'],
});

const ROLES: Record<MemberRole, string> = { DEVELOPER: 'Developer', ADMINISTRATOR: 'Administrator' };

/** The people of a partner, with what can be changed; without `changes` only the list. */
export function Members({ members, changes }: { members: readonly Member[]; changes: MemberChanges | undefined }) {
  return (
    <Rows
      caption="People"
      rows={members}
      columns={{
        Name: ({ name, email, isYou }) => (
          <Stack gap={0}>
            <span>{isYou ? `${name} (you)` : name}</span>
            <Text span size="xs" c="dimmed" className="breakable">
              {email}
            </Text>
          </Stack>
        ),
        Role: ({ role }) => ROLES[role],
        State: (member) => <MemberState member={member} />,
        'Signed in': ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Moment at={lastSignInAt} />),
        ...(changes && {
          Change: (member: Member) =>
            member.isYou ? (
              <Small>Another administrator can.</Small>
            ) : (
              member.state !== 'REVOKED' && <MemberActions member={member} changes={changes} />
            ),
        }),
      }}
    />
  );
}

function MemberState({ member }: { member: Member }) {
  return (
    <span className="line-start">
      <Mark state={member.state} />
      {member.state === 'INVITED' && (
        <Small>
          <InvitationState {...member} />
        </Small>
      )}
    </span>
  );
}

function InvitationState({ invitationSent, invitationExpiresAt: at }: Member) {
  if (!invitationSent) return 'the e-mail was not sent';
  if (at === null || new Date(at).getTime() < Date.now()) return 'the link has expired';
  return (
    <>
      the link expires <Moment at={at} />
    </>
  );
}

function MemberActions({ member, changes }: { member: Member; changes: MemberChanges }) {
  const { id, name, email, state, role } = member;
  const { resend, revoke, setRole, endSessions } = changes;
  const button = { size: 'xs', right: RIGHT, about: name } as const;
  const next: MemberRole = role === 'DEVELOPER' ? 'ADMINISTRATOR' : 'DEVELOPER';
  const change = `Make ${next === 'DEVELOPER' ? 'a developer' : 'an administrator'}`;
  return (
    <Group gap={6}>
      {state === 'INVITED' && (
        <ConfirmButton
          {...button}
          label="Invite again"
          title={`Invite ${name} again`}
          confirmLabel="Send the invitation"
          run={async () => notifySent(await resend(id), email)}
        >
          A new link is sent to {email}. Then the link before it stops working.
        </ConfirmButton>
      )}
      <ChangeButton
        {...button}
        title={`${change}: ${name}`}
        confirmLabel={change}
        change={setRole}
        variables={() => ({ memberId: id, role: next })}
        done={`${name} is ${next === 'DEVELOPER' ? 'a developer' : 'an administrator'} now.`}
      >
        {next === 'DEVELOPER'
          ? 'They can no longer invite or remove people. Everything else stays.'
          : 'They can invite and remove people, and make others administrators.'}
      </ChangeButton>
      {endSessions && state === 'JOINED' && (
        <ChangeButton
          {...button}
          title={`Sign ${name} out everywhere`}
          confirmLabel="Sign out"
          reason={{ label: 'Reason' }}
          change={endSessions}
          variables={(reason) => ({ memberId: id, reason })}
          done={`${name} is signed out in all browsers.`}
        >
          Sessions of the workspace end in all browsers. The person can sign in again.
        </ChangeButton>
      )}
      <ChangeButton
        {...button}
        title={`Remove ${name}`}
        confirmLabel="Remove"
        dangerous
        reason={{ label: 'Reason' }}
        change={revoke}
        variables={(reason) => ({ memberId: id, reason })}
        done={`${name} can no longer sign in.`}
      >
        Links and sessions end immediately. This can’t be undone, but the same address can be invited again.
      </ChangeButton>
    </Group>
  );
}

/** Says whether the e-mail of an invitation is on its way. */
function notifySent({ invitationSent }: { invitationSent: boolean }, email: string): void {
  notify(
    invitationSent
      ? `An invitation was sent to ${email}.`
      : `The person is invited, but the e-mail to ${email} could not be sent. Press “Invite again” shortly.`,
  );
}

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

/** A button that invites a person to a partner's workspace. */
export function InviteButton({ partner, invite, ...button }: Omit<InviteMemberProps, 'onClose'> & { size?: 'xs' }) {
  return (
    <DialogButton
      variant="filled"
      right={RIGHT}
      leftSection={<UserPlusIcon width={16} />}
      dialog={(close) => <InviteMember partner={partner} invite={invite} onClose={close} />}
      {...button}
    >
      Invite a person
    </DialogButton>
  );
}

function InviteMember({ partner, invite, onClose }: InviteMemberProps) {
  const form = useSendForm({
    initialValues: { name: '', email: '', role: 'DEVELOPER' as MemberRole },
    draft: `invite-member.${partner.id}`,
    validate: {
      name: nameError,
      email: (email) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : 'Enter an e-mail address.'),
    },
    send: async ({ name, email, role }) => {
      notifySent(await invite({ name: name.trim(), email: email.trim(), role }), email.trim());
    },
    onClose,
  });
  return (
    <FormDialog
      title={`Invite a person of ${partner.name}`}
      confirmLabel="Send the invitation"
      failureTitle="The person was not invited"
      form={form}
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
