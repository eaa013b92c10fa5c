import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useFreshly } from '../data/fresh.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason, useViewer } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';
import { BY_LINKS, type Person, ROLES, STAFF } from '../staff/documents.ts';
import { InviteForm } from '../staff/invite-form.tsx';
import { PersonActions } from '../staff/person-actions.tsx';
import { RightsTable } from '../staff/rights-table.tsx';

/** Who works in the console, and what each role may. */
export function StaffPage() {
  const list = useList(['search']);
  const view = useView('staff', STAFF, { ...list.page, search: list.filters.search });
  const freshly = useFreshly();
  const { has } = useViewer();
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Staff"
      description="Where the company's sign-in service is configured, its groups say who comes in and in which role. Without one, people come by one-time links that an admin makes here."
      actions={
        <ActionButton
          leftSection={<IconUserPlus size={16} aria-hidden />}
          disabledReason={useDisabledReason('staff:write')}
          onClick={() => freshly(() => setInviting(true))}
        >
          Let somebody in
        </ActionButton>
      }
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search staff"
          placeholder="Name or email"
          value={list.filters.search}
          onChange={(search) => list.filter({ search })}
        />
      </ListToolbar>
      <ConnectionTable
        caption="Staff"
        view={view}
        connection={view.data?.staff}
        list={list}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Name', cell: (person) => <Named person={person} /> },
          { header: 'Role', cell: ({ role }) => ROLES.find(({ value }) => value === role)?.label ?? role },
          {
            header: 'Comes by',
            cell: ({ issuer }) =>
              issuer === BY_LINKS ? 'one-time links' : <span className="breakable">{issuer}</span>,
          },
          {
            header: 'State',
            cell: ({ disabledAt }) =>
              disabledAt === null ? (
                <StateMark tone="good">May sign in</StateMark>
              ) : (
                <StateMark tone="bad">Disabled</StateMark>
              ),
          },
          {
            header: 'Signed in',
            cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Moment at={lastSignInAt} />),
          },
          {
            header: 'What they did',
            cell: ({ id, name }) =>
              has('audit:read') ? (
                <Anchor
                  component={Link}
                  href={`/audit?actor=staff:${id}`}
                  size="sm"
                  aria-label={`Audit log of ${name}`}
                >
                  Audit log
                </Anchor>
              ) : (
                '–'
              ),
          },
          { header: 'Change', cell: (person) => <PersonActions person={person} /> },
        ]}
        empty={
          <EmptyState icon={<IconUsers />} title="Nobody yet">
            People appear here when they first sign in.
          </EmptyState>
        }
      />
      <RightsTable />
      {inviting && <InviteForm onClose={() => setInviting(false)} />}
    </Page>
  );
}

function Named({ person: { name, email } }: { person: Person }) {
  return (
    <Stack gap={0}>
      <Group gap="xs">{name}</Group>
      {email !== null && (
        <Text span size="xs" c="dimmed">
          {email}
        </Text>
      )}
    </Stack>
  );
}
