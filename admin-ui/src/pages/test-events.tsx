import { IconCalendarEvent } from '@tabler/icons-react';
import { PARTNER_FILTER } from '../choosing/filters.tsx';
import { graphql, PAGE } from '../data/graphql.ts';
import { AddButton, useFormInAddress } from '../parts/add-button.tsx';
import { searchFilter, selectFilter } from '../parts/filters.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { StateMark } from '../parts/marks.tsx';
import { toTheMinute } from '../parts/moment.tsx';
import { useList } from '../parts/use-list.tsx';
import { CreateTestEvent } from '../sandbox/create-test-event.tsx';

const TEST_EVENTS = graphql(`
  query TestEvents($partnerId: ID, $search: String, $over: Boolean, ${PAGE.variables}) {
    testEvents(partnerId: $partnerId, search: $search, over: $over, ${PAGE.args}) {
      ${PAGE.fields}
      nodes {
        id name venue startsAt endsAt registeredAt
        partner { id name }
        ticketTypes { id name }
      }
    }
  }
`);

const WHEN_OPTIONS = [
  { value: 'no', label: 'To come' },
  { value: 'yes', label: 'Over' },
];

/** Events of the sandbox with their ticket types. `?create=1` opens the form. */
export function TestEventsPage() {
  const list = useList({
    document: TEST_EVENTS,
    filters: {
      search: searchFilter('Search test events', 'Name'),
      partner: PARTNER_FILTER,
      over: selectFilter('When', WHEN_OPTIONS),
    },
    variables: (page, { search, partner, over }) => ({
      ...page,
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
      description="What sandbox tickets are for. A partner lists tickets until the event is over."
      add={<AddButton label="Make a test event" right="sandbox:write" onClick={form.open} />}
      list={list}
      href={({ id }) => `/permits?event=${id}`}
      columns={{
        Name: ({ name }) => name,
        Starts: ({ startsAt }) => <span className="one-line">{toTheMinute(startsAt)}</span>,
        State: (event) => <EventState {...event} />,
        'Ticket types': ({ ticketTypes }) => ticketTypes.map(({ name }) => name).join(', '),
        For: (event) => event.partner?.name ?? 'every partner',
        Venue: ({ venue }) => venue ?? '',
        Event: ({ id }) => <IdChip id={id} />,
      }}
      emptyIcon={<IconCalendarEvent />}
      emptyTitle="No test event yet"
      emptyText="An event has ticket types, such as standing and seated; a permit gives a test user a ticket of one of them."
    >
      {form.isOpen && <CreateTestEvent partnerId={list.values.partner ?? ''} onClose={form.close} />}
    </ListPage>
  );
}

/** A new event is registered on the test network a moment after it was made. */
function EventState({ endsAt, registeredAt }: { endsAt: string; registeredAt: string | null }) {
  if (new Date(endsAt).getTime() < Date.now()) return <StateMark tone="quiet">over</StateMark>;
  if (registeredAt === null) return <StateMark tone="waiting">not on the test network yet</StateMark>;
  return <StateMark tone="good">to come</StateMark>;
}
