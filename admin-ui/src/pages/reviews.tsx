import { IconChecklist } from '@tabler/icons-react';
import { graphql, PAGE } from '../data/graphql.ts';
import { ListPage } from '../parts/list-page.tsx';
import { StateMark } from '../parts/marks.tsx';
import { Moment } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';

const QUEUE = graphql(`
  query ReviewQueue(${PAGE.variables}) {
    reviewQueue(${PAGE.args}) {
      ${PAGE.fields}
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
  const list = useList({
    document: QUEUE,
    variables: (page) => page,
    connection: ({ reviewQueue }) => reviewQueue,
  });
  return (
    <ListPage
      title="Review queue"
      caption="Open reviews"
      description="Production clients that wait for a decision. The people who submitted or edited one can’t approve it."
      list={list}
      href={({ client }) => `/clients/${client.id}?tab=review`}
      columns={{
        Client: ({ client }) => client.name,
        Partner: ({ client }) => client.partner.name,
        'What is new': ({ client }) => describeChanges(client.changesSinceApproval),
        Note: ({ note }) => <span className="two-lines">{note}</span>,
        'Submitted by': ({ submittedBy }) => submittedBy?.name ?? 'the system',
        'Waits since': ({ submittedAt }) => <Moment at={submittedAt} />,
        You: ({ mayApprove }) => (
          <StateMark tone={mayApprove ? 'waiting' : 'quiet'}>{mayApprove ? 'may decide' : 'took part'}</StateMark>
        ),
      }}
      emptyIcon={<IconChecklist />}
      emptyTitle="Nothing waits"
      emptyText="A production client comes here when somebody submits it from its page, or edits it after its approval."
    />
  );
}

function describeChanges(changes: readonly { field: string }[] | null): string {
  if (changes === null) return 'First review';
  return changes.length === 1 ? '1 change' : `${changes.length} changes`;
}
