import { IconLogin2 } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.ts';
import { LoginStepMark } from './states.tsx';

const FAN_SESSIONS = graphql(`
  query FanSessions($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
    fan(id: $id) {
      sessions(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        nodes { id step codesSent wrongTries createdAt expiresAt client { id name } }
      }
    }
  }
`);

/** Runs of the sign-in that came as far as the phone number. */
export function FanSessions({ fanId }: { fanId: string }) {
  const list = useList([]);
  const view = useView('fan-sessions', FAN_SESSIONS, { id: fanId, ...list.page });
  return (
    <ConnectionTable
      caption="Sign-ins"
      view={view}
      connection={view.data?.fan?.sessions}
      list={list}
      rowKey={({ id }) => id}
      href={({ id }) => `/timeline?search=${id}`}
      columns={[
        { header: 'Client', cell: ({ client }) => client.name },
        { header: 'Came to', cell: (session) => <LoginStepMark {...session} /> },
        { header: 'Codes sent', cell: ({ codesSent }) => codesSent, numeric: true },
        { header: 'Wrong codes', cell: ({ wrongTries }) => wrongTries, numeric: true },
        { header: 'Session', cell: ({ id }) => <IdChip id={id} /> },
        { header: 'Begun', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
      empty={
        <EmptyState icon={<IconLogin2 />} title="No sign-in is kept">
          Sign-ins are kept for a while after their end; what came of them is among the grants.
        </EmptyState>
      }
    />
  );
}
