import { CalendarIcon } from '@heroicons/react/24/outline';
import type { VariablesOf } from 'gql.tada';
import { PAGE } from '../../kit/data/view.ts';
import { AddButton, ListPage, useFormInAddress } from '../../kit/parts/list.tsx';
import { ModeMark } from '../../kit/parts/page.tsx';
import { searchFilter, selectFilter, useList } from '../../kit/parts/use-list.tsx';
import { inZone, MODE_OPTIONS, Moment } from '../../kit/parts/values.tsx';
import { graphql } from '../data/graphql.ts';
import { EventForm } from '../inventory/event-form.tsx';
import { EVENT_STATE_OPTIONS, EventStateMark, figure, HowToImport } from '../inventory/states.tsx';

const EVENTS = graphql(`
  query Events($mode: Mode, $search: String, $status: EventStatus, $over: Boolean, $sort: EventSort, ${PAGE.variables}) {
    events(mode: $mode, search: $search, status: $status, over: $over, sort: $sort, ${PAGE.args}) {
      ${PAGE.fields}
      nodes { id mode reference name venue startsAt endsAt closedAt timeZone status createdAt ticketCount { count more } }
    }
  }
`);

type Variables = Required<VariablesOf<typeof EVENTS>>;

/** Events of both modes. `?add=1` opens the form for one of production. */
export function EventsPage() {
  const list = useList({
    document: EVENTS,
    filters: {
      search: searchFilter('Search events', 'Reference or part of the name'),
      mode: selectFilter('Mode', MODE_OPTIONS),
      state: selectFilter('State', EVENT_STATE_OPTIONS),
    },
    sorts: { Name: 'NAME', Starts: 'STARTS', Created: 'CREATED' },
    variables: ({ state }) => ({
      status: state === 'OVER' || state === null ? null : (state as Variables['status']),
      over: state === 'OVER' ? true : state === 'SCHEDULED' ? false : null,
    }),
  });
  const form = useFormInAddress('add', 'inventory:write');
  return (
    <ListPage
      title="Events"
      description="What tickets are for, in production and in the sandbox. Events of production come from the company’s own systems, or are added here."
      add={<AddButton label="Add an event" right="inventory:write" onClick={form.open} />}
      list={list}
      href={({ id }) => `/events/${id}`}
      columns={{
        Name: ({ name }) => name,
        Reference: ({ reference }) => <span className="breakable">{reference ?? 'none'}</span>,
        Mode: ({ mode }) => <ModeMark mode={mode} />,
        State: (event) => <EventStateMark event={event} />,
        Starts: ({ startsAt, timeZone }) => <span className="one-line">{inZone(startsAt, timeZone)}</span>,
        Venue: ({ venue }) => venue ?? '',
        Tickets: ({ ticketCount }) => figure(ticketCount),
        Created: ({ createdAt }) => <Moment at={createdAt} />,
      }}
      numeric={['Tickets']}
      emptyIcon={<CalendarIcon />}
      emptyTitle="No events yet"
      emptyText={<HowToImport what="Events" />}
    >
      {form.isOpen && <EventForm onClose={form.close} />}
    </ListPage>
  );
}
