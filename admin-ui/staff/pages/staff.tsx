import { Anchor, Stack, Text } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useFreshly } from '../../kit/data/fresh.ts';
import { AddButton } from '../../kit/parts/add-button.tsx';
import { searchFilter } from '../../kit/parts/filters.tsx';
import { ListPage } from '../../kit/parts/list-page.tsx';
import { StateMark } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { useViewer } from '../data/viewer.ts';
import { BY_LINKS, ROLES, STAFF } from '../staff/documents.ts';
import { InviteForm } from '../staff/invite-form.tsx';
import { PersonActions } from '../staff/person-actions.tsx';
import { RightsTable } from '../staff/rights-table.tsx';

/** Who works in the console, and what each role may do. */
export function StaffPage() {
  const list = useList({
    document: STAFF,
    filters: { search: searchFilter('Search staff', 'Name or email') },
    sorts: { Name: 'NAME', Role: 'ROLE', Joined: 'CREATED', 'Signed in': 'LAST_SIGN_IN' },
    variables: (page, { search }, sort) => ({ ...page, search, sort }),
    connection: ({ staff }) => staff,
  });
  const freshly = useFreshly();
  const { has } = useViewer();
  const [inviting, setInviting] = useState(false);
  return (
    <ListPage
      title="Staff"
      description="With a company sign-in service, its groups decide who can sign in and with which role. Without one, an admin creates one-time sign-in links here."
      actions={
        <AddButton
          label="Invite a person"
          right="staff:write"
          icon={IconUserPlus}
          onClick={() => freshly(() => setInviting(true))}
        />
      }
      list={list}
      columns={{
        Name: ({ name, email }) => (
          <Stack gap={0}>
            <span>{name}</span>
            {email !== null && (
              <Text span size="xs" c="dimmed">
                {email}
              </Text>
            )}
          </Stack>
        ),
        Role: ({ role }) => ROLES.find(({ value }) => value === role)?.label ?? role,
        'Signs in with': ({ issuer }) =>
          issuer === BY_LINKS ? 'One-time links' : <span className="breakable">{issuer}</span>,
        State: ({ disabledAt }) => (
          <StateMark tone={disabledAt === null ? 'good' : 'bad'}>
            {disabledAt === null ? 'Active' : 'Disabled'}
          </StateMark>
        ),
        Joined: ({ createdAt }) => <Moment at={createdAt} />,
        'Signed in': ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : <Moment at={lastSignInAt} />),
        Activity: ({ id, name }) =>
          has('audit:read') ? (
            <Anchor component={Link} href={`/audit?actor=staff:${id}`} size="sm" aria-label={`Audit log of ${name}`}>
              Audit log
            </Anchor>
          ) : (
            '–'
          ),
        Change: (person) => <PersonActions person={person} />,
      }}
      emptyIcon={<IconUsers />}
      emptyTitle="No staff yet"
      emptyText="People appear here when they first sign in."
    >
      <RightsTable />
      {inviting && <InviteForm onClose={() => setInviting(false)} />}
    </ListPage>
  );
}
