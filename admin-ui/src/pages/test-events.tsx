import { IconCalendarEvent, IconPlus } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { PartnerFilter } from '../choosing/partner-filter.tsx';
import { graphql } from '../data/graphql.ts';
import { useView } from '../data/view.ts';
import { useDisabledReason } from '../data/viewer.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConnectionTable } from '../parts/connection-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { IdChip } from '../parts/id-chip.tsx';
import { FilterSelect, ListToolbar, SearchField } from '../parts/list-toolbar.tsx';
import { StateMark } from '../parts/marks.tsx';
import { toTheMinute } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { useList } from '../parts/use-list.ts';
import { CreateTestEvent } from '../sandbox/create-test-event.tsx';

const TEST_EVENTS = graphql(`
  query TestEvents(
    $partnerId: ID, $search: String, $over: Boolean, $first: Int, $after: String, $last: Int, $before: String
  ) {
    testEvents(
      partnerId: $partnerId, search: $search, over: $over
      first: $first, after: $after, last: $last, before: $before
    ) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
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
  const list = useList(['search', 'partner', 'over']);
  const { search, partner, over } = list.filters;
  const view = useView('test-events', TEST_EVENTS, {
    ...list.page,
    search,
    partnerId: partner === '' ? null : partner,
    over: over === '' ? null : over === 'yes',
  });
  const [params, setParams] = useSearchParams();
  const disabledReason = useDisabledReason('sandbox:write');
  const showForm = (shown: boolean) =>
    setParams({ ...(partner !== '' && { partner }), ...(shown && { create: '1' }) }, { replace: true });
  const button = (
    <ActionButton
      leftSection={<IconPlus size={16} aria-hidden />}
      disabledReason={disabledReason}
      onClick={() => showForm(true)}
    >
      Make a test event
    </ActionButton>
  );

  return (
    <Page
      title="Test events"
      description="What sandbox tickets are for. A partner lists tickets until the event is over."
      actions={button}
    >
      <ListToolbar list={list}>
        <SearchField
          label="Search test events"
          placeholder="Name"
          value={search}
          onChange={(next) => list.filter({ search: next })}
        />
        <PartnerFilter value={partner} onChange={(next) => list.filter({ partner: next })} />
        <FilterSelect
          label="When"
          value={over}
          options={WHEN_OPTIONS}
          onChange={(next) => list.filter({ over: next })}
        />
      </ListToolbar>
      <ConnectionTable
        caption="Test events"
        view={view}
        connection={view.data?.testEvents}
        list={list}
        rowKey={({ id }) => id}
        href={({ id }) => `/permits?event=${id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Starts', cell: ({ startsAt }) => <span className="one-line">{toTheMinute(startsAt)}</span> },
          { header: 'State', cell: (event) => <EventState {...event} /> },
          { header: 'Ticket types', cell: ({ ticketTypes }) => ticketTypes.map(({ name }) => name).join(', ') },
          { header: 'For', cell: (event) => event.partner?.name ?? 'every partner' },
          { header: 'Venue', cell: ({ venue }) => venue ?? '' },
          { header: 'Event', cell: ({ id }) => <IdChip id={id} /> },
        ]}
        empty={
          <EmptyState icon={<IconCalendarEvent />} title="No test event yet" actions={button}>
            An event has ticket types, such as standing and seated; a permit gives a test user a ticket of one of them.
          </EmptyState>
        }
      />
      {params.has('create') && disabledReason === undefined && (
        <CreateTestEvent partnerId={partner} onClose={() => showForm(false)} />
      )}
    </Page>
  );
}

/** The test network takes a moment to know a new event. */
function EventState({ endsAt, registeredAt }: { endsAt: string; registeredAt: string | null }) {
  if (new Date(endsAt).getTime() < Date.now()) return <StateMark tone="quiet">over</StateMark>;
  return registeredAt === null ? (
    <StateMark tone="waiting">not on the test network yet</StateMark>
  ) : (
    <StateMark tone="good">to come</StateMark>
  );
}
