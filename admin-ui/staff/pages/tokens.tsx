import { Group, SegmentedControl, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { useFreshly } from '../../kit/data/fresh.ts';
import { useDisabledReason } from '../../kit/data/person.ts';
import { useChange } from '../../kit/data/view.ts';
import { ActionButton } from '../../kit/parts/action-button.tsx';
import { AddButton } from '../../kit/parts/add-button.tsx';
import { ConfirmDialog } from '../../kit/parts/confirm-dialog.tsx';
import { ListPage } from '../../kit/parts/list-page.tsx';
import { StateMark } from '../../kit/parts/marks.tsx';
import { Moment } from '../../kit/parts/moment.tsx';
import { notify } from '../../kit/parts/undo.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { useViewer } from '../data/viewer.ts';
import { REVOKE, TOKENS, type TokenData } from '../tokens/documents.ts';
import { TokenForm } from '../tokens/token-form.tsx';

/** Access tokens for automation: one's own, or with `?of=everybody` those of all staff. */
export function TokensPage() {
  const { has } = useViewer();
  const [params, setParams] = useSearchParams();
  const mayAll = has('audit:read');
  const everybody = mayAll && params.get('of') === 'everybody';
  const list = useList({
    document: TOKENS,
    sorts: { Name: 'NAME', Created: 'CREATED', 'Last used': 'LAST_USED' },
    variables: (page, _, sort) => ({ everybody, mine: !everybody, sort, ...page }),
    connection: ({ staffTokens, myTokens }) => (everybody ? staffTokens : myTokens),
  });
  const freshly = useFreshly();
  const [making, setMaking] = useState(false);
  return (
    <ListPage
      title="Tokens"
      description="For scripts and jobs that use the console’s GraphQL API or npm run admin. A token acts as its owner, with a selection of the owner’s rights, until it expires."
      add={<AddButton label="Create a token" right="tokens:write" onClick={() => freshly(() => setMaking(true))} />}
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
      emptyIcon={<IconKey />}
      emptyTitle="No tokens yet"
      emptyText="Create a token for a script that registers clients or reads the dashboard. Its value is shown once. You can revoke it at any time."
    >
      {making && <TokenForm onClose={() => setMaking(false)} />}
    </ListPage>
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
      <Text span size="xs" c="dimmed">
        ends <Moment at={token.expiresAt} />
      </Text>
    </Group>
  );
}

function Revoke({ token }: { token: TokenData }) {
  const { viewer } = useViewer();
  const revoke = useChange(REVOKE);
  const [asking, setAsking] = useState(false);
  const disabledReason = useDisabledReason('staff:write');
  if (token.revokedAt !== null || isOver(token)) return '–';
  return (
    <>
      <ActionButton
        size="xs"
        variant="default"
        disabledReason={token.owner.id === viewer.id ? undefined : disabledReason}
        onClick={() => setAsking(true)}
      >
        Revoke
        <span className="visually-hidden"> {token.name}</span>
      </ActionButton>
      {asking && (
        <ConfirmDialog
          title={`Revoke ${token.name}`}
          confirmLabel="Revoke"
          dangerous
          run={async () => {
            await revoke.mutateAsync({ id: token.id });
            notify(`${token.name} is revoked.`);
          }}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">Calls with this token are refused from now on. This can’t be undone.</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
