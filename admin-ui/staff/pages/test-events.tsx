import { IconCalendarEvent } from '@tabler/icons-react';
import { PAGE } from '../../kit/data/document.ts';
import { EventState, WHEN_OPTIONS } from '../../kit/event/event-state.tsx';
import { AddButton, useFormInAddress } from '../../kit/parts/add-button.tsx';
import { searchFilter, selectFilter } from '../../kit/parts/filters.tsx';
import { IdChip } from '../../kit/parts/id-chip.tsx';
import { ListPage } from '../../kit/parts/list-page.tsx';
import { inZone, Moment } from '../../kit/parts/moment.tsx';
import { useList } from '../../kit/parts/use-list.tsx';
import { PARTNER_FILTER } from '../choosing/filters.tsx';
import { graphql } from '../data/graphql.ts';
import { CreateTestEvent } from '../sandbox/create-test-event.tsx';

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

/** Events of the sandbox with their ticket types. `?create=1` opens the form. */
export function TestEventsPage() {
  const list = useList({
    document: TEST_EVENTS,
    filters: {
      search: searchFilter('Search test events', 'Name'),
      partner: PARTNER_FILTER,
      over: selectFilter('When', WHEN_OPTIONS),
    },
    sorts: { Name: 'NAME', Starts: 'STARTS', Created: 'CREATED' },
    variables: (page, { search, partner, over }, sort) => ({
      ...page,
      sort,
      search,
      partnerId: partner,
      over: over === null ? null : over === 'yes',
    }),
    connection: ({ testEvents }) => testEvents,
  });
  const form = useFormInAddress('create', 'sandbox:write', ['partner']);
  return (
    <ListPage
      title="Test events"
      description="The events of sandbox tickets. Tickets are listed until the event is over."
      add={<AddButton label="Create a test event" right="sandbox:write" onClick={form.open} />}
      list={list}
      href={({ id }) => `/permits?event=${id}`}
      columns={{
        Name: ({ name }) => name,
        Starts: ({ startsAt, timeZone }) => <span className="one-line">{inZone(startsAt, timeZone)}</span>,
        State: (event) => <EventState {...event} />,
        'Ticket types': ({ ticketTypes }) => ticketTypes.map(({ name }) => name).join(', '),
        For: (event) => event.partner?.name ?? 'All partners',
        Venue: ({ venue }) => venue ?? '',
        Event: ({ id }) => <IdChip id={id} />,
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      emptyIcon={<IconCalendarEvent />}
      emptyTitle="No test events yet"
      emptyText="An event has ticket types, such as standing and seated. A permit gives a test user a ticket of one type."
    >
      {form.isOpen && <CreateTestEvent partnerId={list.values.partner ?? ''} onClose={form.close} />}
    </ListPage>
  );
}
