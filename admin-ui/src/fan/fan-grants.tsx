import { IconPlugConnected } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import { RevokeGrant } from './revoke-grant.tsx';
import { GrantStateMark } from './states.tsx';

const FAN_GRANTS = graphql(`
  query FanGrants($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    fan(id: $id) {
      grants(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id actions mode createdAt revokedAt revokedReason client { id name } }
      }
    }
  }
`);

/** What a fan allowed to whom. */
export function FanGrants({ fanId }: { fanId: string }) {
  const list = useList([]);
  const view = useView('fan-grants', FAN_GRANTS, { id: fanId, ...list.page });
  return (
    <ConnectionTable
      caption="Grants"
      view={view}
      connection={view.data?.fan?.grants}
      list={list}
      rowKey={({ id }) => id}
      href={({ id }) => `/grants/${id}`}
      columns={[
        { header: 'Client', cell: ({ client }) => client.name },
        { header: 'State', cell: (grant) => <GrantStateMark grant={grant} /> },
        { header: 'Allows', cell: ({ actions }) => (actions.length === 0 ? 'sign-in only' : actions.join(', ')) },
        { header: 'Tickets', cell: ({ mode }) => (mode === 'SELECTED' ? 'some' : 'all') },
        { header: 'Given', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        { header: 'Access', cell: (grant) => <RevokeGrant grant={grant} size="compact-sm" /> },
      ]}
      empty={
        <EmptyState icon={<IconPlugConnected />} title="No client has access">
          A grant comes when the fan signs in to a partner’s app and allows what it asks for.
        </EmptyState>
      }
    />
  );
}
