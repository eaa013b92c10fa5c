import { InboxIcon } from '@heroicons/react/24/outline';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { submitterOf } from '../client/document.ts';
import { graphql } from '../data/graphql.ts';

const QUEUE = graphql(`
  query ReviewQueue(${PAGE.variables}) {
    reviewQueue(${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id note submittedAt mayApprove
        isPartners submittedBy { id name }
        changes { field }
        client { id name partner { id name } }
      }
    }
  }
`);

/** Registrations and edits that wait for a second person. */
export function ReviewsPage() {
  const list = useList({ document: QUEUE });
  return (
    <ListPage
      title="Review queue"
      caption="Open reviews"
      description="Production clients and edits waiting for a decision. You can’t approve what you submitted or edited yourself."
      list={list}
      href={({ client }) => `/clients/${client.id}?tab=review`}
      columns={{
        Client: ({ client }) => client.name,
        Partner: ({ client }) => client.partner.name,
        Review: ({ changes }) => describeChanges(changes),
        Note: ({ note }) => <span className="two-lines">{note}</span>,
        'Submitted by': (review) => submitterOf(review),
        'Waiting since': ({ submittedAt }) => <Moment at={submittedAt} />,
        You: ({ mayApprove }) => (
          <StateMark tone={mayApprove ? 'waiting' : 'quiet'}>{mayApprove ? 'Can approve' : 'Can’t approve'}</StateMark>
        ),
      }}
      emptyIcon={<InboxIcon />}
      emptyTitle="Nothing to review"
      emptyText="Production clients appear here when they are submitted for review, and again when their redirect URIs or scopes are edited."
    />
  );
}

function describeChanges(changes: readonly { field: string }[] | null): string {
  if (changes === null) return 'First review';
  return changes.length === 1 ? 'Edit, 1 change' : `Edit, ${changes.length} changes`;
}
