import { DocumentCheckIcon } from '@heroicons/react/24/outline';
import type { VariablesOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { ListPage } from '../../kit/parts/list.tsx';
import { idFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { Moment, StateMark } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { PROPOSAL_STATE_OPTIONS, ProposalStateMark } from '../proposal/proposals.tsx';

const PROPOSALS = graphql(`
  query Proposals($state: [ProposalState!], $subject: ID, $sort: AgeSort, ${PAGE.variables}) {
    proposals(state: $state, subject: $subject, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id title state subjectName reason proposedAt expiresAt isYours mayDecide
        proposedBy { id name }
      }
    }
  }
`);

type Variables = Required<VariablesOf<typeof PROPOSALS>>;

/** The filter's value for all states; without a value, those that have not ended. */
const ALL = 'ALL';
const OPEN: Variables['state'] = ['PROPOSED', 'APPROVED'];

/** What waits for a second person, oldest first; and what became of the rest. */
export function ProposalsPage() {
  const list = useList({
    document: PROPOSALS,
    filters: {
      state: selectFilter('State: not ended', [...PROPOSAL_STATE_OPTIONS, { value: ALL, label: 'All' }]),
      subject: idFilter('About'),
    },
    sorts: { Proposed: 'CREATED' },
    usualSort: ({ state }) => (state === null || state === 'PROPOSED' ? 'CREATED' : 'CREATED_DESC'),
    variables: ({ state }) => ({
      state: state === ALL ? null : state === null ? OPEN : ([state] as Variables['state']),
    }),
  });
  return (
    <ListPage
      title="Proposals"
      description="What one person proposes and a second one has to approve. You can’t decide what you proposed yourself."
      list={list}
      href={({ id }) => `/proposals/${id}`}
      columns={{
        Proposal: ({ title }) => title,
        About: ({ subjectName }) => subjectName,
        State: ({ state }) => <ProposalStateMark state={state} />,
        Reason: ({ reason }) => <span className="two-lines">{reason}</span>,
        'Proposed by': ({ proposedBy }) => proposedBy?.name ?? 'The system',
        Proposed: ({ proposedAt }) => <Moment at={proposedAt} />,
        You: ({ state, mayDecide, isYours }) =>
          state === 'PROPOSED' && (
            <StateMark tone={mayDecide ? 'waiting' : 'quiet'}>
              {mayDecide ? 'Can decide' : isYours ? 'Proposed it' : 'Can’t decide'}
            </StateMark>
          ),
      }}
      emptyIcon={<DocumentCheckIcon />}
      emptyTitle="Nothing waits for a second person"
      emptyText="Proposals appear here, such as moving a fan’s ticket to a wallet outside. Support starts that on the page of the permit."
    />
  );
}
