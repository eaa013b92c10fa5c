import { KeyIcon } from '@heroicons/react/24/outline';
import { Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ResultOf } from 'gql.tada';
import { useSearchParams } from 'wouter';
import { PAGE, REFUSAL, useChange, useView } from '../../kit/data/view.ts';
import { ChangeButton, FormDialog } from '../../kit/parts/dialog.tsx';
import { nameError, ShowOnce, useSendForm } from '../../kit/parts/form.ts';
import { AddButton, ListPage } from '../../kit/parts/list.tsx';
import { Small } from '../../kit/parts/text.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { inUtc, Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { useViewer } from '../data/viewer.ts';
import { RIGHTS } from '../staff/person-actions.tsx';

/** Access tokens for automation: one's own, or with `?of=everybody` those of all staff. */
export function TokensPage() {
  const { has } = useViewer();
  const [params, setParams] = useSearchParams();
  const mayAll = has('audit:read');
  const everybody = mayAll && params.get('of') === 'everybody';
  const list = useList({
    document: TOKENS,
    sorts: { Name: 'NAME', Created: 'CREATED', 'Last used': 'LAST_USED' },
    of: { everybody, mine: !everybody },
    connection: ({ staffTokens, myTokens }) => (everybody ? staffTokens : myTokens),
  });
  return (
    <ListPage
      title="Tokens"
      description="For scripts and jobs that use the console’s GraphQL API or npm run admin. A token acts as its owner, with a selection of the owner’s rights, until it expires."
      add={
        <AddButton
          label="Create a token"
          right="tokens:write"
          fresh
          dialog={(close) => <TokenForm onClose={close} />}
        />
      }
      list={list}
      above={
        mayAll && (
          <Group>
            <SegmentedControl
              aria-label="Whose tokens"
              data={[
                { value: '', label: 'Mine' },
                { value: 'everybody', label: 'All staff' },
              ]}
              value={everybody ? 'everybody' : ''}
              onChange={(of) => setParams(of === '' ? {} : { of }, { replace: true })}
            />
          </Group>
        )
      }
      columns={{
        Name: ({ name }) => name,
        ...(everybody && { Owner: ({ owner }: TokenData) => owner.name }),
        Rights: ({ scopes }) => <code className="breakable">{scopes.join(' ')}</code>,
        State: (token) => <TokenState token={token} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
        'Last used': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
        Revoke: (token) => <Revoke token={token} />,
      }}
      emptyIcon={<KeyIcon />}
      emptyTitle="No tokens yet"
      emptyText="Create a token for a script that registers clients or reads the dashboard. Its value is shown once. You can revoke it at any time."
    />
  );
}

function isOver({ expiresAt }: TokenData): boolean {
  return new Date(expiresAt).getTime() <= Date.now();
}

function TokenState({ token }: { token: TokenData }) {
  if (token.revokedAt !== null) return <StateMark tone="bad">Revoked</StateMark>;
  if (isOver(token)) return <StateMark tone="quiet">Expired</StateMark>;
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <StateMark tone="good">Active</StateMark>
      <Small>
        ends <Moment at={token.expiresAt} />
      </Small>
    </Group>
  );
}

function Revoke({ token }: { token: TokenData }) {
  const { viewer } = useViewer();
  if (token.revokedAt !== null || isOver(token)) return '–';
  return (
    <ChangeButton
      size="xs"
      right={token.owner.id === viewer.id ? undefined : 'staff:write'}
      about={token.name}
      title={`Revoke ${token.name}`}
      confirmLabel="Revoke"
      dangerous
      change={REVOKE}
      variables={() => ({ id: token.id })}
      done={`${token.name} is revoked.`}
    >
      Calls with this token are refused from now on. This can’t be undone.
    </ChangeButton>
  );
}

const TOKEN = graphql(`
  fragment Token on StaffToken {
    id name scopes createdAt expiresAt lastUsedAt revokedAt
    owner { id name }
  }
`);

type TokenData = ResultOf<typeof TOKEN>;

const TOKENS = graphql(
  `
  query Tokens($everybody: Boolean!, $mine: Boolean!, $sort: StaffTokenSort, ${PAGE.variables}) {
    myTokens(sort: $sort, ${PAGE.args}) @include(if: $mine) { ${PAGE.fields} nodes { ...Token } }
    staffTokens(sort: $sort, ${PAGE.args}) @include(if: $everybody) { ${PAGE.fields} nodes { ...Token } }
  }
`,
  [TOKEN],
);

const CREATE = graphql(`
  mutation CreateStaffToken($name: String!, $scopes: [String!]!, $days: Int!) {
    createStaffToken(name: $name, scopes: $scopes, days: $days) {
      ${REFUSAL} ... on CreatedStaffToken { value token { name expiresAt } }
    }
  }
`);

const REVOKE = graphql(`
  mutation RevokeStaffToken($id: ID!) {
    revokeStaffToken(id: $id) { ${REFUSAL} ... on StaffToken { id name } }
  }
`);

const DAYS = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

/** A form for a token's name, rights and lifetime; afterwards shows its value, once. */
function TokenForm({ onClose }: { onClose: () => void }) {
  const create = useChange(CREATE);
  const { has } = useViewer();
  const rights = useView('rights', RIGHTS, {}, { staleTime: 600_000 }).data?.staffRights ?? [];
  const possible = rights.filter(({ name, fresh }) => !fresh && has(name));
  const form = useSendForm({
    initialValues: { name: '', scopes: ['console:read'], days: '30' },
    draft: 'token',
    validate: {
      name: nameError,
      scopes: (scopes) => (scopes.length === 0 ? 'Choose at least one right.' : null),
    },
    send: async ({ name, scopes, days }) => {
      const { token, value } = await create.mutateAsync({ name: name.trim(), scopes, days: Number(days) });
      return shownToken({ ...token, value });
    },
    onClose,
  });
  return (
    <FormDialog title="Create a token" confirmLabel="Create" failureTitle="No token was created" form={form}>
      <TextInput
        label="Name"
        description="For example, the script or job that uses it."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox.Group
        label="Rights"
        description="Choose as few as the job needs. Rights that need a fresh sign-in are for people only."
        required
        {...form.getInputProps('scopes')}
      >
        <Stack gap="xs" mt="xs">
          {possible.map(({ name, says }) => (
            <Checkbox key={name} value={name} label={<code>{name}</code>} description={says} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select label="Expires after" data={DAYS} allowDeselect={false} {...form.getInputProps('days')} />
    </FormDialog>
  );
}

function shownToken({ name, value, expiresAt }: { name: string; value: string; expiresAt: string }) {
  return new ShowOnce({
    title: `Token ${name}`,
    secret: value,
    label: 'Token',
    advice: `Store it like a password. Anyone who has it can act as you, within its rights, until ${inUtc(expiresAt)} or until you revoke it.`,
    children: (
      <Text size="sm">
        Send it as <code>Authorization: Bearer st_…</code>, or give it to <code>npm run admin</code> as{' '}
        <code>ADMIN_TOKEN</code>.
      </Text>
    ),
  });
}
