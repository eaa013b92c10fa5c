import { Anchor, Group, Stack } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { Link } from 'wouter';
import { ChangeButton, DialogButton } from '../../kit/parts/dialog.tsx';
import { AddButton, ListPage } from '../../kit/parts/list.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { useViewer } from '../data/viewer.ts';
import {
  ACCOUNTS,
  type AccountData,
  AccountForm,
  DISABLE,
  RotateForm,
  type TokenData,
} from '../service-accounts/forms.tsx';

/** Machines that use the API, and their tokens. */
export function ServiceAccountsPage() {
  const list = useList({
    document: ACCOUNTS,
    sorts: { Name: 'NAME', Created: 'CREATED' },
    variables: (page, _, sort) => ({ ...page, sort }),
    connection: ({ serviceAccounts }) => serviceAccounts,
  });
  const { has } = useViewer();
  return (
    <ListPage
      title="Service accounts"
      description="For the company’s own systems that import events and tickets. A service account is no person: it can’t sign in, and has only the rights that it is given."
      add={
        <AddButton
          label="Create a service account"
          right="staff:write"
          fresh
          dialog={(close) => <AccountForm onClose={close} />}
        />
      }
      list={list}
      columns={{
        Name: ({ name }) => name,
        Rights: ({ scopes }) => <code className="breakable">{scopes.join(' ')}</code>,
        'Calls per minute': ({ callsPerMinute }) => callsPerMinute.toLocaleString('en'),
        Tokens: (account) => <Tokens account={account} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
        Activity: ({ id, name }) =>
          has('audit:read') ? (
            <Anchor component={Link} href={`/audit?actor=service:${id}`} size="sm" aria-label={`Audit log of ${name}`}>
              Audit log
            </Anchor>
          ) : (
            '–'
          ),
        Change: (account) => <Actions account={account} />,
      }}
      emptyIcon={<IconRobot />}
      emptyTitle="No service accounts yet"
      emptyText="Create one for a system that imports events and tickets. Its token is shown once."
    />
  );
}

function isLive({ expiresAt }: TokenData): boolean {
  return new Date(expiresAt).getTime() > Date.now();
}

/** The state of an account, and of each token that is valid. */
function Tokens({ account: { disabledAt, tokens } }: { account: AccountData }) {
  if (disabledAt !== null) return <StateMark tone="bad">Disabled</StateMark>;
  const live = tokens.filter(isLive);
  if (live.length === 0) return <StateMark tone="bad">All expired</StateMark>;
  return (
    <Stack gap={4}>
      {live.map(({ id, expiresAt, lastUsedAt }) => (
        <Group key={id} gap={6} wrap="nowrap" component="span">
          <StateMark tone="good">Valid</StateMark>
          <Small>
            ends <Moment at={expiresAt} />, {lastUsedAt === null ? 'never used' : 'used '}
            {lastUsedAt !== null && <Moment at={lastUsedAt} />}
          </Small>
        </Group>
      ))}
    </Stack>
  );
}

function Actions({ account }: { account: AccountData }) {
  if (account.disabledAt !== null) return '–';
  const hidden = <span className="visually-hidden"> {account.name}</span>;
  return (
    <Group gap={6} wrap="nowrap">
      <DialogButton
        size="xs"
        right="staff:write"
        fresh
        dialog={(close) => <RotateForm account={account} onClose={close} />}
      >
        New token<span className="visually-hidden"> for {account.name}</span>
      </DialogButton>
      <ChangeButton
        size="xs"
        right="staff:write"
        fresh
        label={<>Disable{hidden}</>}
        title={`Disable ${account.name}`}
        confirmLabel="Disable"
        dangerous
        reason={{ label: 'Reason' }}
        change={DISABLE}
        variables={(reason) => ({ accountId: account.id, reason })}
        done={`${account.name} is disabled.`}
      >
        Its tokens are refused from now on. This can’t be undone.
      </ChangeButton>
    </Group>
  );
}
