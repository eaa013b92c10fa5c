import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { TestEventsPage as TestEvents, WHEN_OPTIONS } from '../../kit/event/test-events.tsx';
import { searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { FindSelect, PARTNER_FILTER, usePartners } from '../choosing/find-select.tsx';
import { graphql } from '../data/graphql.ts';

const TEST_EVENTS = graphql(`
  query TestEvents($partnerId: ID, $search: String, $over: Boolean, $sort: TestEventSort, ${PAGE.variables}) {
    testEvents(partnerId: $partnerId, search: $search, over: $over, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id name venue startsAt timeZone endsAt registeredAt createdAt
        partner { id name }
        ticketTypes { id name }
      }
    }
  }
`);

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on Event { id name } }
  }
`);

/** The test events of all partners, or of one. */
export function TestEventsPage() {
  const list = useList({
    document: TEST_EVENTS,
    filters: {
      search: searchFilter('Search test events', 'Name'),
      partner: PARTNER_FILTER,
      over: selectFilter('When', WHEN_OPTIONS),
    },
    sorts: { Name: 'NAME', Starts: 'STARTS', Created: 'CREATED' },
    variables: ({ partner, over }) => ({ partnerId: partner, over: over === null ? null : over === 'yes' }),
  });
  const make = useChange(CREATE_TEST_EVENT);
  return (
    <TestEvents
      list={list}
      description="The events of sandbox tickets. Tickets are listed until the event is over."
      owner={['For', (event) => event.partner?.name ?? 'All partners']}
      idHeader="Event"
      partnerId={list.values.partner ?? ''}
      ownerField={(field) => (
        <FindSelect
          label="For"
          description="Only this partner can use the event. Leave empty for all partners."
          {...field}
          useFound={usePartners}
          nothingFound="No matching partner."
        />
      )}
      create={({ partnerId, ...event }) => make.mutateAsync({ input: { ...event, partnerId: partnerId || null } })}
    />
  );
}
