import { Group, SegmentedControl, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useFreshly } from '../data/fresh.ts';
import { useChange, useView } from '../data/view.ts';
import { useDisabledReason, useViewer } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { notify } from '../parts/undo.tsx';
import { useList } from '../parts/use-list.ts';
import { REVOKE, TOKENS, type TokenData } from '../tokens/documents.ts';
import { TokenForm } from '../tokens/token-form.tsx';

/** Access tokens for automation: one's own, or with `?of=everybody` those of all staff. */
export function TokensPage() {
  const { has } = useViewer();
  const list = useList(['of']);
  const mayAll = has('audit:read');
  const everybody = mayAll && list.filters.of === 'everybody';
  const view = useView('tokens', TOKENS, { everybody, mine: !everybody, ...list.page });
  const freshly = useFreshly();
  const [making, setMaking] = useState(false);
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={useDisabledReason('tokens:write')}
      onClick={() => freshly(() => setMaking(true))}
    >
      Make a token
    </ActionButton>
  );
  return (
    <Page
      title="Tokens"
      description="For scripts and jobs that use the console's GraphQL API, or npm run admin. A token acts as its owner, with some of the owner's rights, until it expires."
      actions={button}
    >
      {mayAll && (
        <Group>
          <SegmentedControl
            aria-label="Whose tokens"
            data={[
              { value: '', label: 'Mine' },
              { value: 'everybody', label: 'Everybody’s' },
            ]}
            value={everybody ? 'everybody' : ''}
            onChange={(of) => list.filter({ of })}
          />
        </Group>
      )}
      <ConnectionTable
        caption="Tokens"
        view={view}
        connection={(everybody ? view.data?.staffTokens : view.data?.myTokens) ?? undefined}
        list={{ ...list, isFiltered: false }}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          ...(everybody ? [{ header: 'Owner', cell: ({ owner }: TokenData) => owner.name }] : []),
          { header: 'Rights', cell: ({ scopes }) => <code className="breakable">{scopes.join(' ')}</code> },
          { header: 'State', cell: (token) => <TokenState token={token} /> },
          { header: 'Made', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            header: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
          },
          { header: 'Revoke', cell: (token) => <Revoke token={token} /> },
        ]}
        empty={
          <EmptyState icon={<IconKey />} title="No token" actions={button}>
            Make one for a script that registers clients or reads the dashboards. Its value is shown once; it can be
            revoked at any time.
          </EmptyState>
        }
      />
      {making && <TokenForm onClose={() => setMaking(false)} />}
    </Page>
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
      <StateMark tone="good">Works</StateMark>
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
  const lacks = useDisabledReason('staff:write');
  if (token.revokedAt !== null || isOver(token)) return '–';
  return (
    <>
      <ActionButton
        size="xs"
        variant="default"
        disabledReason={token.owner.id === viewer.id ? undefined : lacks}
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
          <Text size="sm">What uses it is refused from its next call on. It can’t be taken back.</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
