import { IconPlugConnected } from '@tabler/icons-react';
import { ClientFilter } from '../choosing/client-filter.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { Holder } from '../fan/holder.tsx';
import { GrantStateMark } from '../fan/states.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, IdFilter, ListToolbar } from '../parts/list-toolbar.tsx';
import { ModeMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';

const GRANTS = graphql(`
  query Grants(
    $clientId: ID, $fanId: ID, $revoked: Boolean, $first: Int, $after: String, $last: Int, $before: String
  ) {
    grants(
      clientId: $clientId, fanId: $fanId, revoked: $revoked
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id actions createdAt revokedAt revokedReason
        client { id name mode }
        fan { id phone testUser { phone } }
      }
    }
  }
`);

const STATE_OPTIONS = [
  { value: 'alive', label: 'Alive' },
  { value: 'ended', label: 'Ended' },
];

/** What fans allowed clients; `?client=`, `?fan=` and `?state=` narrow. */
export function GrantsPage() {
  const list = useList(['client', 'fan', 'state']);
  const { client, fan, state } = list.filters;
  const view = useView('grants', GRANTS, {
    ...list.page,
    clientId: client === '' ? null : client,
    fanId: fan === '' ? null : fan,
    revoked: state === '' ? null : state === 'ended',
  });
  return (
    <Page
      title="Grants"
      description="What a fan allowed a client on the consent page. Every token is issued under a grant and dies with it."
    >
      <ListToolbar list={list}>
        <ClientFilter value={client} onChange={(next) => list.filter({ client: next })} />
        <FilterSelect
          label="State"
          value={state}
          options={STATE_OPTIONS}
          onChange={(next) => list.filter({ state: next })}
        />
        <IdFilter label="Fan" id={fan} onRemove={() => list.filter({ fan: '' })} />
      </ListToolbar>
      <ConnectionTable
        caption="Grants"
        view={view}
        connection={view.data?.grants}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/grants/${id}`}
        columns={[
          { header: 'Client', cell: (grant) => grant.client.name },
          { header: 'Mode', cell: (grant) => <ModeMark mode={grant.client.mode} /> },
          { header: 'State', cell: (grant) => <GrantStateMark grant={grant} /> },
          { header: 'Fan', cell: (grant) => <Holder of={grant.fan} /> },
          {
            header: 'Allows',
            cell: ({ actions }) => (
              <span className="two-lines">{actions.length === 0 ? 'sign-in only' : actions.join(', ')}</span>
            ),
          },
          { header: 'Grant', cell: ({ id }) => <IdChip id={id} /> },
          { header: 'Given', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty={
          <EmptyState icon={<IconPlugConnected />} title="No grant yet">
            The first one comes when a fan, or a test user, signs in to a partner’s app and allows what it asks for.
          </EmptyState>
        }
      />
    </Page>
  );
}
