import { UserPlusIcon, UsersIcon } from '@heroicons/react/24/outline';
import { Anchor, Stack, Table } from '@mantine/core';
import { Link } from 'wouter';
import { useView } from '../../kit/data/view.ts';
import { AddButton, ListPage } from '../../kit/parts/list.tsx';
import { Section } from '../../kit/parts/page.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { searchFilter, useList } from '../../kit/parts/use-list.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { useViewer } from '../data/viewer.ts';
import { BY_LINKS, InviteForm, PersonActions, RIGHTS, ROLES, STAFF } from '../staff/person-actions.tsx';

/** Who works in the console, and what each role may do. */
export function StaffPage() {
  const list = useList({
    document: STAFF,
    filters: { search: searchFilter('Search staff', 'Name or email') },
    sorts: { Name: 'NAME', Role: 'ROLE', Joined: 'CREATED', 'Signed in': 'LAST_SIGN_IN' },
  });
  const { has } = useViewer();
  return (
    <ListPage
      title="Staff"
      description="With a company sign-in service, its groups decide who can sign in and with which role. Without one, an admin creates one-time sign-in links here."
      actions={
        <AddButton
          label="Invite a person"
          right="staff:write"
          icon={UserPlusIcon}
          fresh
          dialog={(close) => <InviteForm onClose={close} />}
        />
      }
      list={list}
      columns={{
        Name: ({ name, email }) => (
          <Stack gap={0}>
            <span>{name}</span>
            {email !== null && <Small>{email}</Small>}
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
      emptyIcon={<UsersIcon />}
      emptyTitle="No staff yet"
      emptyText="People appear here when they first sign in."
    >
      <RightsTable />
    </ListPage>
  );
}

/** The rights of each role, from the service. */
function RightsTable() {
  const { data } = useView('rights', RIGHTS, {}, { staleTime: 600_000 });
  if (!data) return null;
  const rank = (role: string) => ROLES.findIndex(({ value }) => value === role);
  return (
    <Section
      title="Rights by role"
      description="Steps that affect many people need a sign-in within the last 5 minutes."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard */}
      <section className="scroll-area" aria-label="Table of rights" tabIndex={0}>
        <Table miw={560} horizontalSpacing={6} fz="sm">
          <caption className="visually-hidden">Rights by role</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Right</Table.Th>
              {ROLES.map(({ value, label }) => (
                <Table.Th key={value} scope="col">
                  {label}
                </Table.Th>
              ))}
              <Table.Th scope="col">Fresh sign-in</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.staffRights.map(({ name, says, role, fresh }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={400}>
                  {says} <code className="aside">{name}</code>
                </Table.Th>
                {ROLES.map(({ value }) => (
                  <Table.Td key={value}>{rank(value) >= rank(role) ? 'yes' : '–'}</Table.Td>
                ))}
                <Table.Td>{fresh ? 'yes' : '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Section>
  );
}
