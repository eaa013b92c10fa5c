import { IconChecklist } from '@tabler/icons-react';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';

const QUEUE = graphql(`
  query ReviewQueue($first: Int, $after: String, $last: Int, $before: String) {
    reviewQueue(first: $first, after: $after, last: $last, before: $before) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes {
        id note submittedAt mayApprove
        submittedBy { id name }
        client { id name partner { id name } changesSinceApproval { field } }
      }
    }
  }
`);

/** Production clients that wait for a second person. */
export function ReviewsPage() {
  const list = useList([]);
  const view = useView('reviews', QUEUE, list.page);
  return (
    <Page
      title="Review queue"
      description="Production clients that wait for a decision. Whoever submitted one, or edited it meanwhile, can’t approve it."
    >
      <ConnectionTable
        caption="Open reviews"
        view={view}
        connection={view.data?.reviewQueue}
        list={list}
        rowKey={({ id }) => id}
        href={({ client }) => `/clients/${client.id}?tab=review`}
        columns={[
          { header: 'Client', cell: ({ client }) => client.name },
          { header: 'Partner', cell: ({ client }) => client.partner.name },
          { header: 'What is new', cell: ({ client }) => describeChanges(client.changesSinceApproval) },
          { header: 'Note', cell: ({ note }) => <span className="two-lines">{note}</span> },
          { header: 'Submitted by', cell: ({ submittedBy }) => submittedBy?.name ?? 'the system' },
          { header: 'Waits since', cell: ({ submittedAt }) => <Moment at={submittedAt} /> },
          {
            header: 'You',
            cell: ({ mayApprove }) =>
              mayApprove ? (
                <StateMark tone="waiting">may decide</StateMark>
              ) : (
                <StateMark tone="quiet">took part</StateMark>
              ),
          },
        ]}
        empty={
          <EmptyState icon={<IconChecklist />} title="Nothing waits">
            A production client comes here when somebody submits it from its page, or edits it after its approval.
          </EmptyState>
        }
      />
    </Page>
  );
}

function describeChanges(changes: readonly { field: string }[] | null): string {
  if (changes === null) return 'First review';
  return changes.length === 1 ? '1 change' : `${changes.length} changes`;
}
