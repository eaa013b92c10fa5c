import { CpuChipIcon } from '@heroicons/react/24/outline';
import { Anchor, Checkbox, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter';
import { PAGE, REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ChangeButton, DialogButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { nameError, ShowOnce, useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage } from '../../kit/parts/list.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { inUtc, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useViewer } from '../data/viewer.ts';

/** Machines that use the API, and their tokens. */
export function ServiceAccountsPage() {
  const list = useList({ document: ACCOUNTS, sorts: { Name: 'NAME', Created: 'CREATED' } });
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
      emptyIcon={<CpuChipIcon />}
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
  return (
    <Group gap={6} wrap="nowrap">
      <DialogButton
        size="xs"
        right="staff:write"
        fresh
        about={`for ${account.name}`}
        dialog={(close) => <RotateForm account={account} onClose={close} />}
      >
        New token
      </DialogButton>
      <ChangeButton
        size="xs"
        right="staff:write"
        fresh
        about={account.name}
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

const ACCOUNT = graphql(`
  fragment Account on ServiceAccount {
    id name scopes callsPerMinute createdAt disabledAt
    tokens { id createdAt expiresAt lastUsedAt }
  }
`);

type AccountData = ResultOf<typeof ACCOUNT>;
type TokenData = AccountData['tokens'][number];

const ACCOUNTS = graphql(
  `
  query ServiceAccounts($sort: ServiceAccountSort, ${PAGE.variables}) {
    serviceAccounts(sort: $sort, ${PAGE.args}) { ${PAGE.fields} nodes { ...Account } }
  }
`,
  [ACCOUNT],
);

const SERVICE_RIGHTS = graphql(`query ServiceRights { serviceRights { name says } }`);

const CREATE = graphql(`
  mutation CreateServiceAccount($name: String!, $scopes: [String!]!, $days: Int!, $callsPerMinute: Int!) {
    createServiceAccount(name: $name, scopes: $scopes, days: $days, callsPerMinute: $callsPerMinute) {
      ${REFUSAL} ... on NewServiceToken { value token { expiresAt } account { name } }
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateServiceToken($accountId: ID!, $days: Int!, $overlapHours: Int!) {
    rotateServiceToken(accountId: $accountId, days: $days, overlapHours: $overlapHours) {
      ${REFUSAL} ... on NewServiceToken { value token { expiresAt } account { name } }
    }
  }
`);

const DISABLE = graphql(`
  mutation DisableServiceAccount($accountId: ID!, $reason: String!) {
    disableServiceAccount(accountId: $accountId, reason: $reason) { ${REFUSAL} ... on ServiceAccount { id name } }
  }
`);

/** A form for an account's name, rights and limit; afterwards shows its first token, once. */
function AccountForm({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE);
  const rights = useView('service rights', SERVICE_RIGHTS, {}, { staleTime: 600_000 }).data?.serviceRights ?? [];
  const form = useSendForm({
    initialValues: { name: '', scopes: ['inventory:write'], days: '90', callsPerMinute: 120 as number | string },
    draft: 'service-account',
    validate: {
      name: nameError,
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one right.' : null),
      callsPerMinute: (calls) => (Number(calls) >= 1 ? null : 'Enter a number from 1 to 20,000.'),
    },
    send: async ({ name, scopes, days, callsPerMinute }) => {
      const wish = { name: name.trim(), scopes, days: Number(days), callsPerMinute: Number(callsPerMinute) };
      return shownToken(await create.mutateAsync(wish));
    },
    onClose,
  });
  return (
    <FormDialog
      title="Create a service account"
      confirmLabel="Create"
      failureTitle="No service account was created"
      form={form}
    >
      <TextInput
        label="Name"
        description="The system that uses it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Rights" required {...form.getInputProps('scopes')}>
        <Stack gap="xs" mt="xs">
          {rights.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
      <NumberInput
        label="Calls per minute"
        description="In each process of the service. An import is one call."
        min={1}
        max={20_000}
        allowDecimal={false}
        required
        {...form.getInputProps('callsPerMinute')}
      />
      <Select label="Token expires after" data={TOKEN_DAYS} allowDeselect={false} {...form.getInputProps('days')} />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'Ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
];

/** A form for another token of an account, which afterwards shows it, once. */
function RotateForm({ account, onClose }: { account: AccountData; onClose: () => void }) {
  const rotate = useChange(ROTATE);
  const form = useSendForm({
    initialValues: { days: '90', overlapHours: '24' },
    send: async ({ days, overlapHours }) => {
      const wish = { accountId: account.id, days: Number(days), overlapHours: Number(overlapHours) };
      return shownToken(await rotate.mutateAsync(wish));
    },
    onClose,
  });
  return (
    <FormDialog
      title={`New token for ${account.name}`}
      confirmLabel="Create token"
      failureTitle="No token was created"
      form={form}
    >
      <Select
        label="The present token stays valid for"
        description="Meanwhile both are accepted, so that the system can change over. Any older token ends now."
        data={OVERLAPS}
        allowDeselect={false}
        {...form.getInputProps('overlapHours')}
      />
      <Select
        label="The new token expires after"
        data={TOKEN_DAYS}
        allowDeselect={false}
        {...form.getInputProps('days')}
      />
    </FormDialog>
  );
}

const TOKEN_DAYS = [30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

interface NewToken {
  value: string;
  token: { expiresAt: string };
  account: { name: string };
}

function shownToken({ value, token, account: { name } }: NewToken) {
  return new ShowOnce({
    title: `Token of ${name}`,
    secret: value,
    label: 'Token',
    advice: `Store it like a password. Anyone who has it can act as ${name} until ${inUtc(token.expiresAt)}, or until the account is disabled.`,
    children: (
      <Text size="sm">
        Send it as <code>Authorization: Bearer sv_…</code>, or give it to <code>npm run inventory</code> as{' '}
        <code>INVENTORY_TOKEN</code>.
      </Text>
    ),
  });
}
