import { Group, Radio, Stack, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { ChangeButton, ConfirmButton, DialogButton, FormDialog, ReasonField } from '../../kit/parts/dialog.tsx';
import { nameError, ShowOnce, useSendForm } from '../../kit/parts/form.ts';
import { notify, notifyWithUndo } from '../../kit/parts/notify.tsx';
import { inUtc } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useViewer } from '../data/viewer.ts';

export const STAFF = graphql(`
  query Staff($search: String, $sort: StaffSort, ${PAGE.variables}) {
    staff(search: $search, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name email role issuer createdAt lastSignInAt disabledAt }
    }
  }
`);

type Person = ResultOf<typeof STAFF>['staff']['nodes'][number];

const INVITE = graphql(`
  mutation CreateStaffLink($name: String!, $role: StaffRole!) {
    createStaffLink(name: $name, role: $role) { ${REFUSAL} ... on StaffLink { url name expiresAt } }
  }
`);

const RENEW = graphql(`
  mutation RenewStaffLink($id: ID!) {
    renewStaffLink(id: $id) { ${REFUSAL} ... on StaffLink { url name expiresAt } }
  }
`);

const DISABLE = graphql(`
  mutation DisableStaff($id: ID!, $reason: String!) {
    disableStaff(id: $id, reason: $reason) { ${REFUSAL} ... on Staff { id name } }
  }
`);

const ENABLE = graphql(`
  mutation EnableStaff($id: ID!) {
    enableStaff(id: $id) { ${REFUSAL} ... on Staff { id name } }
  }
`);

const SET_ROLE = graphql(`
  mutation SetStaffRole($id: ID!, $role: StaffRole!, $reason: String!) {
    setStaffRole(id: $id, role: $role, reason: $reason) { ${REFUSAL} ... on Staff { id role } }
  }
`);

const END_SESSIONS = graphql(`
  mutation EndStaffSessions($id: ID!, $reason: String!) {
    endStaffSessions(id: $id, reason: $reason) { ${REFUSAL} ... on Staff { id } }
  }
`);

export const RIGHTS = graphql(`
  query Rights {
    staffRights { name says role fresh }
  }
`);

export const ROLES = [
  { value: 'SUPPORT', label: 'Support', description: 'Clients, test data and fans’ grants' },
  {
    value: 'REVIEWER',
    label: 'Reviewer',
    description: 'Also approves, enables and suspends clients, and reads the audit log',
  },
  { value: 'ADMIN', label: 'Admin', description: 'Also keys, kill switches and staff' },
] as const;

export type Role = (typeof ROLES)[number]['value'];

/** The issuer of people who sign in by one-time links. */
export const BY_LINKS = 'local';

/** Changes a person's role, ends sessions, disables access, enables it again, or makes a new sign-in link. */
export function PersonActions({ person }: { person: Person }) {
  const { id, name, issuer, disabledAt } = person;
  const { viewer } = useViewer();
  const [disable, enable, renew] = [useChange(DISABLE), useChange(ENABLE), useChange(RENEW)];
  const button = { size: 'xs', right: 'staff:write', fresh: true, about: name } as const;
  return (
    <Group gap={6} maw={340}>
      {disabledAt === null && (
        <>
          <DialogButton
            {...button}
            about={`of ${name}`}
            disabledReason={roleLack(person, viewer.id)}
            dialog={(close) => <RoleDialog person={person} onClose={close} />}
          >
            Role
          </DialogButton>
          <ChangeButton
            {...button}
            title={`Sign ${name} out everywhere`}
            confirmLabel="Sign out"
            reason={{ label: 'Reason' }}
            change={END_SESSIONS}
            variables={(reason) => ({ id, reason })}
            done={`${name} is signed out in all browsers.`}
          >
            Sessions end in all browsers. Access tokens stay, and the person can sign in again.
          </ChangeButton>
        </>
      )}
      {disabledAt === null ? (
        <ConfirmButton
          {...button}
          disabledReason={viewer.id === id ? 'You can’t disable yourself. Ask another admin.' : undefined}
          title={`Disable ${name}`}
          confirmLabel="Disable"
          dangerous
          reason={{ label: 'Reason' }}
          run={async (reason) => {
            await disable.mutateAsync({ id, reason });
            notifyWithUndo(`${name} is disabled.`, () => enable.mutateAsync({ id }));
          }}
        >
          Sessions and sign-in links end, and tokens are revoked. Revoked tokens can’t be restored.
        </ConfirmButton>
      ) : (
        <ChangeButton
          {...button}
          title={`Enable ${name}`}
          confirmLabel="Enable"
          change={ENABLE}
          variables={() => ({ id })}
          done={`${name} can sign in again.`}
        >
          They can sign in again. Revoked tokens stay revoked.
        </ChangeButton>
      )}
      {issuer === BY_LINKS && disabledAt === null && (
        <ConfirmButton
          {...button}
          label="New link"
          about={`for ${name}`}
          title={`New link for ${name}`}
          confirmLabel="Create link"
          run={async () => shownLink(await renew.mutateAsync({ id }))}
        >
          Unused earlier links stay valid until they expire.
        </ConfirmButton>
      )}
    </Group>
  );
}

/** Why nobody here changes the role; undefined where an admin can. */
function roleLack({ id, issuer }: Person, viewer: string): string | undefined {
  if (issuer !== BY_LINKS) return 'The groups at your company’s sign-in service decide the role.';
  return id === viewer ? 'You can’t change your own role. Ask another admin.' : undefined;
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
    },
    onClose,
  });
  return (
    <FormDialog
      title={`Change the role of ${name}`}
      confirmLabel="Change role"
      failureTitle="The role was not changed"
      form={form}
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

/** Adds a person by name and role, then shows their sign-in link. */
export function InviteForm({ onClose }: { onClose: () => void }) {
  const invite = useChange(INVITE);
  const form = useSendForm<{ name: string; role: Role }>({
    initialValues: { name: '', role: 'SUPPORT' },
    draft: 'invite',
    validate: { name: nameError },
    send: async ({ name, role }) => shownLink(await invite.mutateAsync({ name: name.trim(), role })),
    onClose,
  });
  return (
    <FormDialog
      title="Invite a person"
      confirmLabel="Create link"
      failureTitle="The person was not invited"
      form={form}
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

function shownLink({ url, name, expiresAt }: { url: string; name: string; expiresAt: string }) {
  return new ShowOnce({
    title: `Sign-in link for ${name}`,
    secret: url,
    label: 'Link',
    advice: `Anyone with this link can sign in as ${name}, so share it only with them. It works once, until ${inUtc(expiresAt)}.`,
  });
}
