import { graphql } from '../../kit/data/graphql.ts';
import { PAGE, REFUSAL, useChange } from '../../kit/data/view.ts';
import { TestEventsPage as TestEvents, WHEN_OPTIONS } from '../../kit/event/test-events.tsx';
import { selectFilter, useList } from '../../kit/parts/use-list.tsx';

const TEST_EVENTS = graphql(`
  query TestEvents($over: Boolean, ${PAGE.variables}) {
    testEvents(over: $over, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id name venue startsAt timeZone endsAt registeredAt createdAt isShared ticketTypes { id name } }
    }
  }
`);

const CREATE_TEST_EVENT = graphql(`
  mutation CreateTestEvent($input: TestEventInput!) {
    createTestEvent(input: $input) { ${REFUSAL} ... on TestEvent { id name } }
  }
`);

/** The partner's test events, and those of all partners. */
export function TestEventsPage() {
  const list = useList({
    document: TEST_EVENTS,
    filters: { over: selectFilter('When', WHEN_OPTIONS) },
    variables: ({ over }) => ({ over: over === null ? null : over === 'yes' }),
  });
  const make = useChange(CREATE_TEST_EVENT);
  return (
    <TestEvents
      list={list}
      description="The events of your sandbox tickets. Tickets are listed until the event is over."
      owner={['Whose', ({ isShared }) => (isShared ? 'Shared by all partners' : 'Yours')]}
      idHeader="svc_event_id"
      partnerId=""
      create={({ partnerId: _, ...input }) => make.mutateAsync({ input })}
    />
  );
}
